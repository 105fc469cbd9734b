package shim

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"time"

	"cupel/internal/cache"
	"cupel/internal/call"
	"cupel/internal/cas"
	"cupel/internal/relay"
)

// asked is a call for which the store was asked. Whatever goes wrong there, the call is made without it.
type asked struct {
	args    []string
	dir     string // working folder
	store   cas.Store
	cache   *cache.Cache
	q       *cache.Question // nil: the store is not used for this call
	found   *cache.Found
	work    *cache.Work
	signals <-chan os.Signal // asked for while there is a folder to be taken away
	told    string           // hit, miss …, refused …: for the record

	mu     sync.Mutex
	said   [2]bytes.Buffer // stdout, stderr
	merged bool
	began  time.Time
}

// ask looks for the result of a call. args are those after repairs.
func (t target) ask(args []string, merged bool) (a *asked) {
	a = &asked{args: args, merged: merged, began: time.Now()}
	if t.tool != "nvcc" {
		return a
	}
	var ok bool
	var err error
	a.store, ok = cas.Here()
	if a.dir, err = os.Getwd(); err != nil {
		a.store.Hard, ok = false, false
	}
	if !ok {
		return a
	}
	if t.others {
		a.refused("other-tools", "")
		return a
	}
	// An answer is one step after the other. The threads with which Go's runtime looks for other work would take processors from
	// the calls beside this one: a tenth of a small call's time where all processors are busy.
	processors := runtime.GOMAXPROCS(1)
	defer func() {
		if recover() != nil {
			a.q, a.found, a.told = nil, nil, ""
		}
		if a.found == nil {
			runtime.GOMAXPROCS(processors)
		}
	}()
	a.cache = cache.New(a.store, os.Environ())
	q, refused := a.cache.Ask(cache.Call{Nvcc: t.real, Args: args, Dir: a.dir})
	if refused != nil {
		a.refused(refused.Reason, refused.Detail)
		return a
	}
	a.q = q
	a.find()
	return a
}

// find looks into the store, and places what it has.
func (a *asked) find() {
	found, miss := a.q.Find(a.merged)
	if found == nil {
		a.told = "miss " + miss.String()
		a.store.Count("miss " + miss.Reason)
		return
	}
	if err := a.q.Place(found.Result); err != nil {
		a.told = "miss lost " + err.Error()
		a.store.Count("miss lost")
		return
	}
	a.found, a.told = found, call.CacheHit
	a.store.Count("hit")
}

func (a *asked) refused(reason, detail string) {
	a.told = "refused " + reason
	if detail != "" {
		a.told += ": " + detail
	}
	a.store.Count("refused " + reason)
}

// tell says again what the call said when it was made, and how it ends of that: a reader may be gone.
func (a *asked) tell() (e call.End, sig int, err error) {
	out, errs := a.found.Result.Stdout, a.found.Result.Stderr
	away, err := relay.Tell(call.Stdout, os.Stdout, out)
	if err == nil && !away {
		away, err = relay.Tell(call.Stderr, os.Stderr, errs)
	}
	if away {
		e, sig = unread()
	}
	return e, sig, err
}
