package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// guardName is there only while the guard is held: a folder cannot be locked on Windows.
const guardName = ".cupel-guard"

// takeGuard opens a file that nobody else may open meanwhile and that goes away with its handle, also when the
// process is ended.
func takeGuard(dir string) (release func(), err error) {
	name, err := windows.UTF16PtrFromString(filepath.Join(dir, guardName))
	if err != nil {
		return nil, err
	}
	for range 20 {
		h, e := windows.CreateFile(name, windows.GENERIC_WRITE|windows.DELETE, 0, nil, windows.OPEN_ALWAYS,
			windows.FILE_ATTRIBUTE_HIDDEN|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
		if err = e; err == nil {
			return func() { _ = windows.CloseHandle(h) }, nil
		}
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			break
		}
		// A file on its way out is told as one that may not be opened; so is a folder that may not be written.
		time.Sleep(time.Millisecond)
	}
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return nil, errGuarded
	}
	return nil, fmt.Errorf("open %s: %w", guardName, err)
}

// heldOpen says that a file could not be replaced because another process may have it open. A file or folder that may
// not be written gives the same answer.
func heldOpen(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}
