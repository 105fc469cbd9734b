//go:build unix

package depot

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// diskOf is a name for the file system of a folder, and what a user without special rights may still write there.
func diskOf(dir string) (disk string, free int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return "", 0, err
	}
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		return "", 0, err
	}
	return fmt.Sprint(st.Dev), int64(s.Bavail) * int64(s.Bsize), nil
}

func diskFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}
