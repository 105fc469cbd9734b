//go:build unix

package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Try takes the lock or says ErrHeld. The file is removed by its holder; one that was removed meanwhile is not the lock any
// more.
func Try(path string, mode fs.FileMode) (release func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, mode)
		if err != nil {
			return nil, err
		}
		err = flock(f, syscall.LOCK_EX)
		if err == nil && same(f, path) {
			return func() { _ = os.Remove(path); _ = f.Close() }, nil
		}
		_ = f.Close()
		if err != nil {
			return nil, inWords(path, err)
		}
	}
}

func inWords(path string, err error) error {
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrHeld
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS):
		return fmt.Errorf("%w: %w", ErrNoLocks, err)
	}
	return trouble(path, err)
}

// Held looks whether somebody has the lock, and writes nothing: the folder may be another's. What cannot be asked counts as
// held.
func Held(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return flock(f, syscall.LOCK_SH) != nil // two that look are not in each other's way
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func same(f *os.File, path string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(here, there)
}
