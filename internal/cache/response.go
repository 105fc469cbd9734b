package cache

import (
	"errors"
	"fmt"
	"os"

	"cupel/internal/closure"
	"cupel/internal/digest"
)

// maxResponse bounds a response file.
const maxResponse = 16 << 20

// ResponseFile reads what nvcc will read, for nvcc.Expand; dir is the working folder of the call, empty where that is the
// process's. A pipe or a device would be empty for nvcc afterwards.
func ResponseFile(dir string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		path := name
		if dir != "" {
			path = Whole(dir, name)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() > maxResponse {
			return nil, fmt.Errorf("read %s: it is no file of at most %d MB", name, maxResponse>>20)
		}
		return os.ReadFile(path)
	}
}

var errEdited = errors.New("it is being written")

// responseFile is a response file as one that the call read. Its text is in the key already; a build that asks for no key
// compares it as it does the other files.
func (c *Cache) responseFile(dir, name string, text []byte) (closure.File, error) {
	k, err := c.Files.Known(Whole(dir, name))
	if err == nil && k.Digest != digest.Of(text) {
		err = errEdited
	}
	return closure.File{Path: name, Known: k}, err
}
