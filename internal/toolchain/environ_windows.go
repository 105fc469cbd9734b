package toolchain

import (
	"errors"

	"golang.org/x/sys/windows"
)

func executable(string) bool { return true }

// notFolder: PATH names what can be no folder, or one on a drive that is not there.
func notFolder(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_NAME) || errors.Is(err, windows.ERROR_DIRECTORY) || errors.Is(err, windows.ERROR_NOT_READY) ||
		errors.Is(err, windows.ERROR_BAD_NETPATH) || errors.Is(err, windows.ERROR_BAD_PATHNAME)
}
