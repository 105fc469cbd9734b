//go:build unix

package stamp

import (
	"errors"
	"io"
	"syscall"
)

// follow asks with one call and nothing around it: a warm hit asks for a thousand files.
func follow(path string) (s Stamp, regular bool, err error) {
	var st syscall.Stat_t
	for {
		err = stat(path, &st)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return Stamp{}, false, unlessGone(err)
	}
	return of(&st), st.Mode&syscall.S_IFMT == syscall.S_IFREG, nil
}

func unlessGone(err error) error {
	if err == syscall.ENOENT || err == syscall.ENOTDIR {
		return nil
	}
	return err
}

// of makes a stamp of what the system tells. A change of the content sets the time of change, and nobody can set it back.
func of(st *syscall.Stat_t) Stamp {
	modified, changed := times(st)
	return Stamp{
		Size: st.Size, Modified: modified.Nano(), Changed: changed.Nano(),
		Device: uint64(st.Dev), Number: uint64(st.Ino), Dir: st.Mode&syscall.S_IFMT == syscall.S_IFDIR,
	}
}

// file is an open file without what package os puts around it to wait for pipes and sockets.
type file int

// open does not wait for a pipe that took the file's place.
func open(path string) (file, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.EINTR) {
			return file(fd), err
		}
	}
}

func (f file) stamp() (Stamp, error) {
	var st syscall.Stat_t
	for {
		err := syscall.Fstat(int(f), &st)
		if err == nil {
			return of(&st), nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return Stamp{}, err
		}
	}
}

func (f file) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(f), p)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (f file) Close() error { return syscall.Close(int(f)) }
