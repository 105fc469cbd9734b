//go:build !windows

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLockNotAFile: a pipe is not waited for, and what a link leads to is looked at before it is set aside.
func TestLockNotAFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o644); err != nil {
		t.Skipf("no pipes can be made here: %v", err)
	}
	link := filepath.Join(dir, lockFile)
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link} {
		if _, _, err := oldLock(path); err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Errorf("oldLock(%s): %v, want that it is not a file", path, err)
		}
		if _, err := setAside(path); err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Errorf("setAside(%s): %v, want that it is not a file", path, err)
		}
	}
	if _, err := os.Lstat(pipe); err != nil {
		t.Errorf("the pipe is gone: %v", err)
	}
}
