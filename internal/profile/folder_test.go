package profile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// folder is t.TempDir with another way to clean up: wine 8 lacks the call that os.RemoveAll makes.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cupel-profile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { clear(t, dir) })
	return dir
}

func clear(t testing.TB, dir string) {
	var all []string
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	for _, path := range slices.Backward(all) {
		if err := os.Remove(path); err != nil {
			t.Errorf("clean up: %v", err)
		}
	}
}
