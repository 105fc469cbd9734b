//go:build unix

package depot

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock takes the lock or says ErrHeld. The file is removed by its holder; one that was removed while this process
// waited to lock it is not the lock any more.
func TryLock(path string) (release func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, err
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			if same(f, path) {
				return func() { _ = os.Remove(path); _ = f.Close() }, nil
			}
			_ = f.Close()
			continue
		}
		_ = f.Close()
		switch {
		case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
			return nil, ErrHeld
		case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS):
			return nil, fmt.Errorf("%w: %w", errNoLocks, err)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
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

func readOnly(err error) bool { return errors.Is(err, unix.EROFS) }
