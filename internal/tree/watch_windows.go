package tree

import (
	"os"
	"slices"
	"time"

	"golang.org/x/sys/windows"

	"cupel/internal/call"
)

// interval is the time between two looks: the shortest compilation by nvcc takes several times as long.
const interval = 30 * time.Millisecond

// watcher looks for compilers in the job that run without a shim. A process is one program for all its life here, so each
// is looked at once.
type watcher struct {
	job      windows.Handle
	names    []string
	shims    []string
	files    []os.FileInfo // of the shims: a second name of one is one too
	known    map[uint32]bool
	found    []call.Process
	stopping chan struct{}
	stopped  chan struct{}
}

func newWatcher(j windows.Handle, c Command) *watcher {
	w := &watcher{job: j, names: c.Watch, shims: c.Shims, known: map[uint32]bool{}, stopping: make(chan struct{}), stopped: make(chan struct{})}
	for _, path := range c.Shims {
		if info, err := os.Stat(path); err == nil {
			w.files = append(w.files, info)
		}
	}
	return w
}

func (w *watcher) watch() {
	defer close(w.stopped)
	if len(w.names) == 0 {
		return
	}
	for {
		w.look()
		select {
		case <-w.stopping:
			return
		case <-time.After(interval):
		}
	}
}

// stop ends the watch and tells what was found.
func (w *watcher) stop() []call.Process {
	close(w.stopping)
	<-w.stopped
	return w.found
}

func (w *watcher) look() {
	known := map[uint32]bool{}
	for _, pid := range members(w.job) {
		known[pid] = w.known[pid] || w.examine(pid)
	}
	w.known = known
}

// examine says that a process need not be looked at again. One that is just being made has no program to tell yet.
func (w *watcher) examine(pid uint32) bool {
	path, _ := image(pid)
	if !watched(w.names, path) || w.shim(path) || len(w.found) >= mostSeen {
		return path != ""
	}
	parents := parentsOf()
	for _, up := range ancestors(pid, parents) {
		if at, _ := image(up); w.shim(at) {
			return true
		}
	}
	p, ok := describe(pid, parents)
	if ok {
		w.found = append(w.found, p)
	}
	return ok
}

func (w *watcher) shim(path string) bool {
	if path == "" {
		return false
	}
	if slices.ContainsFunc(w.shims, func(s string) bool { return same(s, path) }) || mirrored(path) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && slices.ContainsFunc(w.files, func(f os.FileInfo) bool { return os.SameFile(f, info) })
}
