package depot

import (
	"errors"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// diskOf is a name for the volume of a folder, and what this user may still write there.
func diskOf(dir string) (disk string, free int64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return "", 0, err
	}
	var bytes uint64
	if err := windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil); err != nil {
		return "", 0, err
	}
	return strings.ToLower(filepath.VolumeName(dir)), int64(min(bytes, 1<<62)), nil
}

func diskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
