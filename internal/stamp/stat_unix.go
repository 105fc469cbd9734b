//go:build unix && !(linux && amd64)

package stamp

import "syscall"

func stat(path string, st *syscall.Stat_t) error { return syscall.Stat(path, st) }
