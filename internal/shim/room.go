package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// leastRoom is what must be free where nvcc keeps its files on the way: a file with much of CUB leaves some 50 MB for four
// architectures.
const leastRoom = 64 << 20

var errFull = errors.New("the disk is full")

// room says whether nvcc can keep its files below a folder of ours: an nvcc that cannot fails, and nobody may fail because
// of the store.
func room(dir string) error {
	dir = filepath.Join(dir, "work")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if n, err := free(dir); err == nil && n < leastRoom {
		return fmt.Errorf("write to %s: %w", dir, errFull)
	}
	trial, err := os.MkdirTemp(dir, ".trial-")
	if err != nil {
		return err
	}
	if err := os.Remove(trial); err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have swept it away
		return err
	}
	return nil
}
