package cas

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// temp is a file under a name of its own that is going to have its place, or to be dropped.
type temp struct {
	*os.File
	moved bool
}

// Names of temporary files: nothing else is swept. In a folder of the user's they are hidden.
const (
	tempPrefix = ".cupel-"
	tempSuffix = ".tmp"
)

// IsTemp: it is the name of such a file.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

func tempName(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s%016x%s", tempPrefix, rand.Uint64(), tempSuffix))
}

// temp makes one in the store, which gets its folders when they are first needed.
func (s Store) temp(mode fs.FileMode) (*temp, error) {
	dir := filepath.Join(s.Dir, "tmp")
	t, err := tempIn(dir, mode)
	if !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, err
	}
	return tempIn(dir, mode)
}

// tempIn makes one in a folder that is there.
func tempIn(dir string, mode fs.FileMode) (*temp, error) {
	for {
		f, err := open(tempName(dir), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			return &temp{File: f}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// become gives it its place in the store.
func (t *temp) become(path string) error {
	err := t.replace(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	return t.replace(path)
}

// replace gives it a place in a folder that is there. What is written late (quotas, network) fails when it is closed.
func (t *temp) replace(path string) error {
	if err := t.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return err
	}
	if err := rename(t.Name(), path); err != nil {
		return err
	}
	t.moved = true
	return nil
}

// nameless leaves out the file's name where it would be a temporary one.
func nameless(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, ErrMissing):
		return err
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// drop leaves nothing behind of one that got no place.
func (t *temp) drop() {
	if !t.moved {
		_ = t.Close()
		_ = os.Remove(t.Name())
	}
}

// Replace writes a file whole or not at all, in a folder that is there.
func Replace(path string, b []byte, mode fs.FileMode) error {
	t, err := tempIn(filepath.Dir(path), mode)
	if err != nil {
		return err
	}
	defer t.drop()
	if _, err := t.Write(b); err != nil {
		return err
	}
	return t.replace(path)
}

// dirMode and noteMode are for the user's own mask to cut: it says whether others share the store.
const (
	dirMode  fs.FileMode = 0o777
	noteMode fs.FileMode = 0o666
)
