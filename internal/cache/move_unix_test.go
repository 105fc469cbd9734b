//go:build !windows

package cache

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMoveThrough: a link stays, and what it leads to is written.
func TestMoveThrough(t *testing.T) {
	dir := t.TempDir()
	from, to, behind := filepath.Join(dir, "out"), filepath.Join(dir, "k.o"), filepath.Join(dir, "behind")
	put(t, from, "new", 0o644)
	put(t, behind, "old", 0o644)
	if err := os.Symlink(behind, to); err != nil {
		t.Fatal(err)
	}
	if err := move(from, to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(behind); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	if leads, err := os.Readlink(to); err != nil || leads != behind {
		t.Errorf("the link leads to %q, %v", leads, err)
	}
}

// TestMoveUnseen: who reads the output while it is replaced sees the old one or the new one.
func TestMoveUnseen(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "k.o")
	put(t, to, "old", 0o644)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("there is none: %v", err)
				return
			}
		}
	}()
	for range 500 {
		from := filepath.Join(dir, "out")
		put(t, from, "new", 0o644)
		if err := move(from, to); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
}
