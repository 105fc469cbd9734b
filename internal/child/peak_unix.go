//go:build !windows

package child

import (
	"os"
	"runtime"
	"syscall"
)

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
