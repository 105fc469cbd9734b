package depot

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/windows"
)

// TryLock opens a file that nobody else may open meanwhile and that goes away with its handle, also when the process is
// ended.
func TryLock(path string) (release func(), err error) {
	name, err := windows.UTF16PtrFromString(path)
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
		return nil, ErrHeld
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

func readOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
