package cache

import (
	"fmt"
	"os"
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
