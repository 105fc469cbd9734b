package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a killed run left is taken away by the next one, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{".cupel-1.tmp", ".cupel-2.tmp", ".cupel-x", "cupel.toml"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if name != ".cupel-2.tmp" {
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writeWhole(filepath.Join(dir, "new"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{".cupel-1.tmp": false, ".cupel-2.tmp": true, ".cupel-x": true, "cupel.toml": true, "new": true} {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}
