//go:build unix

package cas

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// blobMode: nobody has a reason to write to a blob.
const blobMode fs.FileMode = 0o444

// open saves the five calls by which package os finds out that a regular file cannot be waited for.
func open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, flag|syscall.O_CLOEXEC, uint32(mode.Perm()))
		if err == nil {
			return os.NewFile(uintptr(fd), path), nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

func rename(from, to string) error {
	for {
		err := syscall.Rename(from, to)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
	}
}

// makeWay removes what is to be replaced, as assemblers do. ext4 writes a file to the disk that is renamed over another, and
// makes the caller wait; an output that a kill takes away here is made again, so it need not be safe from that.
func makeWay(path string) { _ = syscall.Unlink(path) }

func renameLink(from, to string) error { return rename(from, to) }
