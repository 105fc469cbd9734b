//go:build !windows

package child

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// computed: what the system counts for a process that was waited for holds those that it waited for (getrusage(2)).
func computed(s *os.ProcessState) time.Duration { return s.UserTime() + s.SystemTime() }

// peak is the memory of the largest process: the child's, or one that it waited for.
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return usage.Maxrss // bytes there; kilobytes elsewhere (getrusage(2))
	}
	return usage.Maxrss << 10
}
