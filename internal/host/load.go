package host

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxRecording bounds a recorded host; real ones are tens of kilobytes.
const maxRecording = 64 << 20

// LoadFile reads a recorded host from a file; a base it names lies beside it.
func LoadFile(path string) (*Recorded, error) {
	b, err := readRecording(path)
	if err != nil {
		return nil, fmt.Errorf("read the recorded host: %w", err)
	}
	return Parse(b, func(name string) ([]byte, error) { return readRecording(filepath.Join(filepath.Dir(path), name)) })
}

// readRecording reads a stranger's file: a regular one, and no more of it than a recording may hold.
func readRecording(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxRecording {
		return nil, fmt.Errorf("%s is no regular file of at most %d MiB", path, maxRecording>>20)
	}
	return os.ReadFile(path)
}
