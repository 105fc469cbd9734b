package closure

import (
	"os"
	"sync"
	"time"

	"cupel/internal/digest"
	"cupel/internal/include"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// Reader reads closures and keeps what files mention and folders hold: most headers of one call are those of the next. Safe
// for many at once.
type Reader struct {
	files    *stamp.Files
	mu       sync.Mutex
	mentions map[digest.Digest]*include.Mentions
	listings map[string]*listing
}

// NewReader knows nothing but the files.
func NewReader(files *stamp.Files) *Reader {
	return &Reader{files: files, mentions: map[digest.Digest]*include.Mentions{}, listings: map[string]*listing{}}
}

// Read reads what nvcc left behind. A refusal says why the result must not be remembered.
func (r *Reader) Read(q Question) (Closure, *recipe.Refusal, error) {
	q.Epoch = q.Epoch && !windows // cl does not read it
	left, refusal, err := readKept(q.Keep, q.Began)
	if refusal != nil || err != nil {
		return Closure{}, refusal, err
	}
	w := newWalk(r, q)
	if refusal := w.all(left); refusal != nil {
		return Closure{}, refusal, nil
	}
	return w.closure(), nil, nil
}

// largest is more than any source that a compiler reads.
const largest = 256 << 20

// mentioned is what a file's text says. It is read once for each content; the stamp proves that it was this one.
func (r *Reader) mentioned(path string, k stamp.Known) (*include.Mentions, *recipe.Refusal) {
	r.mu.Lock()
	m := r.mentions[k.Digest]
	r.mu.Unlock()
	if m != nil {
		return m, nil
	}
	if k.Stamp.Size > largest {
		return nil, &recipe.Refusal{Reason: "too-large", Detail: path}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &recipe.Refusal{Reason: "unreadable", Detail: err.Error()}
	}
	if now, err := stamp.Of(path); err != nil || now != k.Stamp {
		return nil, &recipe.Refusal{Reason: "changed-meanwhile", Detail: path}
	}
	scanned := include.Scan(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mentions[k.Digest] = &scanned
	return &scanned, nil
}

// listing is what a folder holds. A folder that may not be listed is asked for each name.
type listing struct {
	stamp   stamp.Stamp
	settled bool
	folder  bool
	opaque  bool
	names   map[string]kind // folded where the system does not tell cases apart
}

// kind is what stands under a name.
type kind uint8

const (
	gone kind = iota
	file
	folder
	link // to whatever
)

// list reads a folder, once as long as it stays as it is. The stamp is taken before, so that what comes meanwhile shows.
func (r *Reader) list(path string) *listing {
	before := time.Now()
	s, err := stamp.Of(path)
	r.mu.Lock()
	l := r.listings[path]
	r.mu.Unlock()
	if l != nil && err == nil && l.settled && l.stamp == s {
		return l
	}
	// What is not there or no folder holds nothing, for as long as that stays so.
	l = &listing{stamp: s, settled: !s.Exists() || s.Settled(before), folder: s.Dir || err != nil, opaque: err != nil}
	if s.Dir {
		l.fill(path)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listings[path] = l
	return l
}

func (l *listing) fill(path string) {
	f, err := os.Open(path)
	if err != nil {
		l.opaque = true
		return
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		l.opaque = true
		return
	}
	l.names = make(map[string]kind, len(entries))
	for _, e := range entries {
		l.names[fold(e.Name())] = kindOf(e.Type())
	}
}

func (l *listing) kind(path, name string) kind {
	if !l.opaque {
		return l.names[fold(name)]
	}
	info, err := os.Lstat(inside(path, name))
	if err != nil {
		return gone
	}
	return kindOf(info.Mode())
}

func kindOf(mode os.FileMode) kind {
	switch {
	case mode&(os.ModeSymlink|os.ModeIrregular) != 0: // other links of Windows are irregular
		return link
	case mode.IsDir():
		return folder
	}
	return file
}
