//go:build !windows && !linux

package child

import "syscall"

// attr: where the system cannot tie a child to its parent, a client outlives a cupel that was killed, and ends by itself.
func attr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
