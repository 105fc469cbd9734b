package cas

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// clone makes a file share another's bytes on disk, where the file system can (Btrfs, XFS, bcachefs).
func clone(to, from *os.File) error { return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) }

// unnamed makes a file in a folder that goes away with its process unless it is given a name. Network file systems cannot.
func unnamed(dir string, mode fs.FileMode) (*os.File, error) {
	return open(dir, unix.O_TMPFILE|os.O_RDWR, mode)
}

// nameIt gives it one. A name cannot be taken over as by renaming: what has it goes first, and another process may be
// quicker each time.
func nameIt(f *os.File, to string) error {
	self := "/proc/self/fd/" + strconv.Itoa(int(f.Fd()))
	var err error
	for range 100 {
		if err = unix.Linkat(unix.AT_FDCWD, self, unix.AT_FDCWD, to, unix.AT_SYMLINK_FOLLOW); !errors.Is(err, unix.EEXIST) {
			return err
		}
		makeWay(to)
	}
	return err
}
