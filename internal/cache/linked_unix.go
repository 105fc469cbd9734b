//go:build !windows

package cache

import (
	"io/fs"
	"syscall"
)

// linked: the file has another name too, as one that the store placed as a hard link.
func linked(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
