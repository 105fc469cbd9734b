//go:build !windows && !linux

package shim

import (
	"os/signal"
	"syscall"
)

// rssUnit: macOS tells the peak in bytes (getrusage(2)).
const rssUnit = 1

// attr: there is nothing that ties a child to its parent here.
func attr() *syscall.SysProcAttr { return nil }

// die ends this program by a signal where the runtime lets it; else the caller gets 128 and its number.
func die(sig int) {
	switch s := syscall.Signal(sig); s {
	case syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGABRT, syscall.SIGTRAP:
	default:
		signal.Reset(s)
		_ = syscall.Kill(syscall.Getpid(), s)
	}
}
