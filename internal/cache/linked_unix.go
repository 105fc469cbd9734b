//go:build !windows

package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// linked: the file has another name too, as one that the store placed as a hard link.
func linked(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

// writable: nothing is there, or it may be written to by this user, whatever its mode says: root may nearly always.
func writable(path string) bool {
	err := unix.Access(path, unix.W_OK)
	return !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EROFS)
}

// inherit gives a file that was made elsewhere the group that it would have been given here: that of a folder with the setgid bit.
func inherit(path string) {
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil || dir.Mode()&fs.ModeSetgid == 0 {
		return
	}
	if st, ok := dir.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(path, -1, int(st.Gid))
	}
}
