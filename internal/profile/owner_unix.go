//go:build !windows

package profile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// sameOwner gives the new file the owner of the old one: root editing a user's file must not take it over.
func sameOwner(old, new string) error {
	info, err := os.Stat(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || (int(st.Uid) == os.Geteuid() && int(st.Gid) == os.Getegid()) {
		return nil
	}
	return os.Chown(new, int(st.Uid), int(st.Gid))
}
