package tree

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
)

// watchList is what the supervising child is told first. Bytes, since a path need not be text.
type watchList struct {
	Watch, Shims [][]byte
}

// order is what it is told later. The end of the line ends the tree at once.
type order struct {
	Signal unix.Signal `json:",omitempty"` // to pass on
	End    bool        `json:",omitempty"` // everything below is to end
	Kill   bool        `json:",omitempty"` // at once
}

// answer comes up twice: when the command was started, or could not be, and at the end.
type answer struct {
	Error    string `json:",omitempty"`
	Code     int
	Signal   string         `json:",omitempty"`
	Left     []call.Process `json:",omitempty"`
	PassedBy []call.Process `json:",omitempty"`
}

// newLine is a pair of connected files, both closed in whatever is started.
func newLine() (here *os.File, there int, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, -1, fmt.Errorf("make a line to the supervising child: %w", err)
	}
	_ = unix.SetNonblock(fds[0], true) // so that closing it ends a read
	return os.NewFile(uintptr(fds[0]), "line"), fds[1], nil
}

// openFiles are the files that a program is started with, by their numbers: the three given, and those that this
// program got from its own parent, like make's two for its jobserver, and one more to hand on (or -1). They are named
// one by one because Go's start uses any number beyond the list for its own needs.
func openFiles(in, out, errs *os.File, more int) []uintptr {
	files := []uintptr{in.Fd(), out.Fd(), errs.Fd()}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd < 3 {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 && fd != more {
			continue
		}
		for len(files) <= fd {
			files = append(files, ^uintptr(0)) // closed
		}
		files[fd] = uintptr(fd)
	}
	return files
}
