package tree

import (
	"bytes"
	"os"
	"strconv"

	"cupel/internal/child"
)

// elsewhere stands for every process that is not below this one; it never comes to be.
var elsewhere = &seen{}

// newest is the number of the process or thread that was started last: while it stays, there is none to be listed.
func newest() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return string(b[bytes.LastIndexByte(b, ' ')+1:])
}

// list brings up to date who is there.
func (w *watcher) list() {
	clear(w.below)
	known := make(map[int]*seen, len(w.known)+16)
	for _, pid := range processes() {
		s := w.known[pid]
		if s == nil {
			below, ok := w.isBelow(pid)
			switch {
			case !ok:
				continue // it is gone, or ended
			case below:
				s = &seen{}
			default:
				s = elsewhere
			}
		}
		known[pid] = s
		if s != elsewhere {
			w.below[pid] = s
		}
	}
	w.known = known
}

// isBelow follows the parents of a new process up to one that is known. When one ends meanwhile, its children get another
// parent, so it is tried again.
func (w *watcher) isBelow(pid int) (below, ok bool) {
	self := os.Getpid()
	if pid == self {
		return false, true
	}
	for range 3 {
		at := pid
		for {
			parent, alive := child.Parent(at)
			if !alive && at == pid {
				return false, false
			}
			if !alive {
				break
			}
			if parent <= 1 || parent == self {
				return parent == self, true
			}
			if s := w.known[parent]; s != nil {
				return s != elsewhere, true
			}
			at = parent
		}
	}
	return false, false
}

// processes are the numbers of all that are there.
func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	out := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}
