package depot

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// rename moves a folder. Windows refuses it while a file in it is open; a virus scanner lets go after a moment.
func rename(from, to string) error {
	return insist(from, func() error { return os.Rename(from, to) }, held)
}

func held(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

// syncDir: NTFS keeps a journal of names by itself, and a folder cannot be flushed.
func syncDir(string) error { return nil }
