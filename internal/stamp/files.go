package stamp

import "sync"

// Files knows files of one process: each is asked for once. Safe for many at once.
type Files struct {
	files sync.Map // path → *entry
}

// entry is one file. Who comes while it is asked for waits for the answer.
type entry struct {
	mu      sync.Mutex
	stamped bool
	read    bool
	known   Known // its Stamp once stamped, all of it once read
	err     error
	learned *Known
}

// New knows nothing.
func New() *Files { return &Files{} }

func (f *Files) entry(path string) *entry {
	if e, ok := f.files.Load(path); ok {
		return e.(*entry)
	}
	e, _ := f.files.LoadOrStore(path, new(entry))
	return e.(*entry)
}

// Learn takes over what was written down earlier. It is used only while the file's stamp is the same and Settled.
func (f *Files) Learn(path string, k Known) {
	e := f.entry(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.learned = &k
}

// Stamp is the file's stamp, asked for once.
func (f *Files) Stamp(path string) (Stamp, error) {
	e := f.entry(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ask(path)
	return e.known.Stamp, e.err
}

// Known is the file's stamp and digest; it is read only when nothing known fits. A folder has no digest, and neither has a
// file that is not there.
func (f *Files) Known(path string) (Known, error) {
	e := f.entry(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.read {
		return e.known, e.err
	}
	e.ask(path)
	if e.err != nil {
		return Known{}, e.err
	}
	if l := e.learned; l != nil && l.Settled && l.Stamp == e.known.Stamp {
		e.known = *l
	} else {
		e.known, e.err = read(path)
	}
	e.read = true
	return e.known, e.err
}

// Now is the file as it is now. What the process knew of it counts only while the folder says the same of it as then: a compiler
// read the file later.
func (f *Files) Now(path string) (Known, error) {
	now, err := Of(path)
	if err != nil {
		return Known{}, err
	}
	if k, err := f.Known(path); err == nil && k.Settled && k.Stamp == now {
		return k, nil
	}
	f.Forget(path)
	return f.Known(path)
}

func (e *entry) ask(path string) {
	if !e.stamped {
		e.known.Stamp, e.err = Of(path)
		e.stamped = true
	}
}

// Forget drops what is known of a file that was written.
func (f *Files) Forget(path string) { f.files.Delete(path) }
