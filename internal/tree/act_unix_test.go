//go:build !windows

package tree

import "syscall"

const formatError = "exec format error"

// detached: a session of its own, as a daemon has.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
