package tree

import (
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
	"cupel/internal/child"
)

const (
	// interval is the time between two looks: the shortest compilation by nvcc takes several times as long.
	interval = 30 * time.Millisecond
	// share bounds the cost to 2 % of one processor: a look that took 1 ms is followed by a pause of at least 50 ms.
	share = 50
	// longest is the pause that is long enough on any machine.
	longest = time.Second
	// mostSkipped: a system that does not tell its newest process (gVisor's number never changes) is listed now and then.
	mostSkipped = 8
)

// watcher looks for compilers that run without a shim. A look lists the numbers of all processes when there is a new one,
// reads where that one stands, and the program of those below this process each time, since a process may become another
// program.
// (/proc/PID/task/*/children would be shorter, but not every kernel has it, and it costs a read for each thread.)
type watcher struct {
	names    []string
	shims    []string
	files    []os.FileInfo // of the shims: a link to one is one too
	known    map[int]*seen // of all that are there
	below    map[int]*seen // of those below this process
	newest   string
	skipped  int // looks without a list, one after the other
	found    []call.Process
	stopping chan struct{}
	stopped  chan struct{}
}

// seen is a process that was there at the last look.
type seen struct {
	exe  string // the program of the last look
	told bool
}

func newWatcher(what watchList) *watcher {
	w := &watcher{known: map[int]*seen{}, below: map[int]*seen{}, stopping: make(chan struct{}), stopped: make(chan struct{})}
	for _, name := range what.Watch {
		w.names = append(w.names, string(name))
	}
	for _, path := range what.Shims {
		w.shims = append(w.shims, string(path))
		if info, err := os.Stat(string(path)); err == nil {
			w.files = append(w.files, info)
		}
	}
	// What is there before the command cannot be below it.
	for _, pid := range processes() {
		w.known[pid] = elsewhere
	}
	return w
}

func (w *watcher) watch() {
	defer close(w.stopped)
	if len(w.names) == 0 {
		return
	}
	runtime.LockOSThread() // its time is measured
	for {
		begun := threadTime()
		w.look()
		select {
		case <-w.stopping:
			return
		case <-time.After(min(longest, max(interval, share*(threadTime()-begun)))):
		}
	}
}

// threadTime is the processor time of this thread.
func threadTime() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_THREAD, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// stop ends the watch and tells what was found.
func (w *watcher) stop() []call.Process {
	close(w.stopping)
	<-w.stopped
	return w.found
}

func (w *watcher) look() {
	if newest := newest(); newest != w.newest || newest == "" || w.skipped == mostSkipped {
		w.newest, w.skipped = newest, 0
		w.list()
	} else {
		w.skipped++
	}
	for pid, s := range w.below {
		w.examine(pid, s)
	}
}

// examine looks at the program that a process is now.
func (w *watcher) examine(pid int, s *seen) {
	exe := program(pid)
	unchanged := exe == s.exe
	s.exe = exe
	switch {
	case interpreter(exe) && !s.told:
		// Looked at each time: a script that becomes another one keeps the program.
		if file := script(arguments(pid)); watched(w.names, file) {
			s.told = w.report(pid, absolute(file, pid))
		}
	case unchanged || !watched(w.names, exe):
	case w.shim(pid, exe):
		w.takeBack(pid)
	case !s.told:
		s.told = w.report(pid, exe)
	}
}

// report adds a process that no shim started. One that cannot be told any more is left out: silence is better than blame.
func (w *watcher) report(pid int, path string) bool {
	p, ok := describe(pid)
	if !ok || forked(pid) || w.underShim(pid) || len(w.found) >= mostSeen {
		return false
	}
	p.Path = path
	w.found = append(w.found, p)
	return true
}

// forked: between its fork and its exec a process has the arguments of its parent, which is the one that counts.
func forked(pid int) bool {
	parent, alive := child.Parent(pid)
	return alive && slices.Equal(arguments(parent), arguments(pid))
}

// takeBack: a script called nvcc that came to a shim after all is a way to it, not past it.
func (w *watcher) takeBack(pid int) {
	for at, alive := pid, true; alive && at > 1 && at != os.Getpid(); at, alive = child.Parent(at) {
		w.found = slices.DeleteFunc(w.found, func(p call.Process) bool { return p.PID == at })
	}
}

func (w *watcher) underShim(pid int) bool {
	for at, alive := child.Parent(pid); ; at, alive = child.Parent(at) {
		if !alive || at <= 1 || at == os.Getpid() {
			return false
		}
		if exe, err := os.Readlink(proc(at, "exe")); err == nil && w.shim(at, exe) {
			return true
		}
	}
}

func (w *watcher) shim(pid int, exe string) bool {
	if slices.Contains(w.shims, exe) || mirrored(exe) {
		return true
	}
	info, err := os.Stat(proc(pid, "exe"))
	return err == nil && slices.ContainsFunc(w.files, func(f os.FileInfo) bool { return os.SameFile(f, info) })
}
