// Package watch tells when something in a set of folders changes. It says only that: what changed is found out by whoever
// builds.
package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long nothing more may happen before a change is told: an editor writes a file in several steps.
const quiet = 100 * time.Millisecond

// again is how often a caller looks by itself where the system does not tell changes of a folder (network drives).
const again = time.Second

// Watcher watches folders.
type Watcher struct {
	w       *fsnotify.Watcher
	dirs    map[string]bool
	partial bool // some folder cannot be watched
}

// New watches nothing yet.
func New() (*Watcher, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	return &Watcher{w: w, dirs: map[string]bool{}}, nil
}

// Set says which folders are watched from now on. Those that are not there, or cannot be watched, are looked at now and
// then. added: there are new ones among them, and what happened there before is not told.
func (w *Watcher) Set(dirs []string) (added bool) {
	want := map[string]bool{}
	w.partial = false
	for _, d := range dirs {
		want[d] = true
		if w.dirs[d] {
			continue
		}
		if err := w.w.Add(d); err != nil {
			w.partial = true
			delete(want, d)
			continue
		}
		added = true
	}
	for d := range w.dirs {
		if !want[d] {
			_ = w.w.Remove(d)
		}
	}
	w.dirs = want
	return added
}

// Wait returns after a change, when things are quiet again, or when it is time to look. The error is the context's, or that
// the system tells no more.
func (w *Watcher) Wait(ctx context.Context) error {
	var settle, look <-chan time.Time
	if w.partial {
		look = time.After(again)
	}
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e, ok := <-w.w.Events:
			if !ok {
				return errors.New("watch files: the system tells no more")
			}
			if e.Has(fsnotify.Remove|fsnotify.Rename) && w.dirs[e.Name] {
				delete(w.dirs, e.Name) // what comes by that name is another folder, which the next Set watches
				w.partial = true
			}
			if e.Op != fsnotify.Chmod {
				settle = time.After(quiet)
			}
		case _, ok := <-w.w.Errors:
			if !ok {
				return errors.New("watch files: the system tells no more")
			}
			settle = time.After(quiet) // too much happened to be told one by one
		case <-settle:
			return nil
		case <-look:
			return nil
		}
	}
}

// Close ends it.
func (w *Watcher) Close() error { return w.w.Close() }
