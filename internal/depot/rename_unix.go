//go:build unix

package depot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// rename moves a folder; open files in it are in nobody's way, but a file system that is mounted there is.
func rename(from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, unix.EBUSY) {
		return InUse{from, unix.EBUSY}
	}
	return err
}

// syncDir brings the names in a folder onto the disk. File systems that cannot are believed to need none.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
