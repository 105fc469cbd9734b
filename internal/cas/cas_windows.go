package cas

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// blobMode: a read-only file cannot be replaced or removed on Windows.
const blobMode fs.FileMode = 0o666

// waits: readers, virus scanners and who renames have a file for a moment, and meanwhile it cannot be opened or replaced.
var waits = []time.Duration{1, 2, 5, 10, 20, 50, 100}

func busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

func open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, flag, mode)
	for _, ms := range waits {
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			break
		}
		time.Sleep(ms * time.Millisecond)
		f, err = os.OpenFile(path, flag, mode)
	}
	return f, err
}

// makeWay: replacing costs no more than removing.
func makeWay(string) {}

func rename(from, to string) error {
	err := os.Rename(from, to)
	for _, ms := range waits {
		if !busy(err) || readOnly(to) {
			break
		}
		time.Sleep(ms * time.Millisecond)
		err = os.Rename(from, to)
	}
	switch {
	case err == nil:
		return nil
	case readOnly(to):
		return fmt.Errorf("the file there is read-only: %w", nameless(err))
	case busy(err):
		return fmt.Errorf("the file there cannot be replaced, another program may have it open: %w", nameless(err))
	}
	return err
}

func readOnly(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Perm()&0o200 == 0
}

// renameLink replaces an earlier link too, which is read-only.
func renameLink(from, to string) error {
	if readOnly(to) {
		_ = os.Remove(to)
	}
	if err := rename(from, to); err != nil {
		return err
	}
	return os.Chmod(to, 0o444)
}
