package filelock

import (
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sys/windows"
)

// Try takes the lock or says ErrHeld. Nobody else can open the file meanwhile, and it goes away with its handle. The folder
// tells who may read it, not mode.
func Try(path string, _ fs.FileMode) (release func(), err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, trouble(path, err)
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
	return nil, trouble(path, err)
}

// Held looks whether somebody has the lock, and writes nothing.
func Held(path string) bool {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	share := uint32(windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE)
	h, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, 0, 0)
	if err == nil {
		_ = windows.CloseHandle(h)
	}
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}
