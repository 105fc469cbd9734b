//go:build !windows

package shim

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// free is how much may still be written on the disk of a folder.
func free(dir string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(dir, &s)
	return uint64(s.Bavail) * uint64(s.Bsize), err
}

// readSmall is os.ReadFile without the event loop that the os package starts with its first file: a call that is only
// passed on needs none, and it costs more than the file.
func readSmall(path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	text, err := io.ReadAll(reader(fd))
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return text, nil
}

type reader int

func (r reader) Read(p []byte) (int, error) {
	n, err := syscall.Read(int(r), p)
	switch {
	case err == syscall.EINTR:
		return 0, nil
	case err == nil && n == 0:
		err = io.EOF
	}
	return max(n, 0), err
}
