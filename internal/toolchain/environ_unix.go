//go:build !windows

package toolchain

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

func executable(path string) bool { return unix.Access(path, unix.X_OK) == nil }

// notFolder: PATH names a file as if it were a folder, or goes round in links.
func notFolder(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENAMETOOLONG)
}
