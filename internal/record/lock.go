package record

import (
	"errors"
	"os"

	"cupel/internal/filelock"
)

// lock takes the lock of a run or says filelock.ErrHeld: the run goes on, or another process removes it. A file system
// without locks has the file alone: the run counts as one that goes on until it is removed.
func lock(path string) (release func(), err error) {
	release, err = filelock.Try(path, 0o600)
	if errors.Is(err, filelock.ErrNoLocks) {
		return func() { _ = os.Remove(path) }, nil
	}
	return release, err
}
