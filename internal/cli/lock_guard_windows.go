package cli

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/windows"

	"cupel/internal/depot"
)

// guardName is there only while the guard is held: a folder cannot be locked on Windows.
const guardName = ".cupel-guard"

// takeGuard is the depot's lock under a name of its own.
func takeGuard(dir string) (release func(), err error) {
	release, err = depot.TryLock(filepath.Join(dir, guardName))
	if errors.Is(err, depot.ErrHeld) {
		return nil, errGuarded
	}
	return release, err
}

// heldOpen says that a file could not be replaced because another process may have it open. A file or folder that may
// not be written gives the same answer.
func heldOpen(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}
