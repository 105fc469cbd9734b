//go:build !windows

package cli

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// takeGuard locks the folder itself: no file of its own is left in the project. The kernel lets go when the process
// ends.
func takeGuard(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return func() { _ = f.Close() }, nil
	}
	_ = f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return nil, errGuarded
	}
	return nil, fmt.Errorf("lock the folder: %w", err)
}

// heldOpen: a file that is read can be replaced here.
func heldOpen(error) bool { return false }
