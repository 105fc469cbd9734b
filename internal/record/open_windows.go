package record

import (
	"errors"

	"golang.org/x/sys/windows"
)

// heldOpen says that a file or folder could not be moved because another process may have it open.
func heldOpen(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}
