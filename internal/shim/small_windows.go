package shim

import (
	"os"

	win "golang.org/x/sys/windows"
)

// free is how much may still be written on the disk of a folder.
func free(dir string) (n uint64, err error) {
	name, err := win.UTF16PtrFromString(dir)
	if err == nil {
		err = win.GetDiskFreeSpaceEx(name, &n, nil, nil)
	}
	return n, err
}

// readSmall: see small_unix.go; there is nothing to be saved here.
func readSmall(path string) ([]byte, error) { return os.ReadFile(path) }
