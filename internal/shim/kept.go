package shim

import (
	"errors"
	"os"
	"time"

	"cupel/internal/cache"
	"cupel/internal/call"
)

// begin makes ready for a call that the store does not have: its arguments, or nil for the caller's own.
func (a *asked) begin() []string {
	if a.q == nil {
		a.own()
		return nil
	}
	defer func() {
		if recover() != nil {
			a.q = nil
		}
	}()
	err := room(a.store.Dir)
	var w *cache.Work
	if err == nil {
		a.signals = listen()
		w, err = a.q.Begin()
	}
	if err != nil {
		a.q, a.told = nil, "no room: "+err.Error()
		a.store.Count("unsaved")
		a.own()
		return nil
	}
	if a.store.Hard {
		a.q.Clear() // a compiler would write into the store through the link
	}
	a.mu.Lock()
	a.work = w
	a.mu.Unlock()
	go a.tidy()
	return w.Args
}

// own: nvcc is started without us.
func (a *asked) own() {
	if a.store.Hard {
		cache.Unlink(a.args, a.dir)
	}
}

// tidy looks after the store while the tool runs: what killed calls left, and its size. The end of this program may cut it
// short.
func (a *asked) tidy() {
	defer func() { _ = recover() }()
	a.cache.Sweep()
	a.store.TrimSometimes()
}

// keep sees what the tool says.
func (a *asked) keep(s call.Stream, p []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := 0
	if s == call.Stderr {
		at = 1
	}
	if a.work != nil && a.said[at].Len() <= cache.MaxSaid {
		a.said[at].Write(p)
	}
}

// abandon: the call was started without our arguments, because with them it was too long for the system.
func (a *asked) abandon() {
	if a.work != nil {
		a.gone()
		a.refused("arguments-too-long", "")
	}
}

// gone takes the folder away.
func (a *asked) gone() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.work != nil {
		a.work.End()
		a.work = nil
	}
}

var (
	errNoRoom = errors.New("the disk of the store (CUPEL_CACHE) is full, and nvcc with it; the call is made again without the store")
	errNoRest = errors.New("nvcc found no room for its files in the store (CUPEL_CACHE); the call is made again without the store")
	errWent   = errors.New("the store (CUPEL_CACHE) was deleted or moved while nvcc kept files there; the call is made again without it")
)

// spoilt is why a call has to be made again without us: it failed, and the disk on which nvcc kept its files for us is full; or
// the folder of these files went, which nvcc may not even notice (12.4 ends with 0 and writes nothing).
func (a *asked) spoilt(e call.End) error {
	if a.work == nil || e.Signal != "" || e.Error != "" {
		return nil
	}
	var why error
	switch {
	case a.work.Gone():
		why = errWent
	case e.Code != 0 && room(a.work.Dir) != nil:
		why = errNoRoom
	case e.Code != 0 && (a.work.Hindered(a.said[0].Bytes()) || a.work.Hindered(a.said[1].Bytes())):
		why = errNoRest // others that failed beside it have made room again
	default:
		return nil
	}
	a.gone()
	a.told = "no room"
	a.store.Count("unsaved")
	return why
}

// end keeps the result of a call that ended well, puts its output in its place, and takes the folder away. again is why the call
// has to be made again without us.
func (a *asked) end(e call.End) (_ call.End, again error) {
	if again = a.spoilt(e); again != nil || a.work == nil {
		return e, again
	}
	defer a.gone()
	if e.Code != 0 || e.Signal != "" || e.Error != "" {
		a.told = "" // what failed is not remembered, and no miss
		if e.Signal == "" && e.Error == "" {
			_ = a.work.Failed() // the call's own failure is told already
		}
		return e, nil
	}
	a.save(e)
	err := a.work.Finish()
	if errors.Is(err, cache.ErrGone) {
		a.told = "no room"
		return e, errWent
	}
	return lost(err, e), nil
}

func (a *asked) save(e call.End) {
	defer func() { _ = recover() }()
	c, refused, err := a.work.Closure()
	if refused != nil {
		a.refused(refused.Reason, refused.Detail)
		return
	}
	if err == nil {
		_, err = a.work.Save(c, a.result(e))
	}
	if err != nil {
		a.store.Count("unsaved")
	}
}

func (a *asked) result(e call.End) cache.Result {
	return cache.Result{Stdout: uncoloured(os.Stdout, a.said[0].Bytes()), Stderr: uncoloured(os.Stderr, a.said[1].Bytes()),
		Merged: a.merged, Seconds: time.Since(a.began).Seconds(), Peak: e.Peak}
}
