package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/lock"
)

// TestLockBytes: only a file of a lock's size is opened.
func TestLockBytes(t *testing.T) {
	dir := t.TempDir()
	at := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct{ name, path, want string }{
		{"a file", at("small", 10), ""},
		{"as large as a lock may be", at("full", lock.MaxSize), ""},
		{"larger", at("large", lock.MaxSize+1), "larger than 1 MiB"},
		{"a folder", dir, "is not a file"},
		{"a device", os.DevNull, "is not a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := lockBytes(tt.path)
			if tt.want == "" && (err != nil || len(b) == 0) || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("lockBytes(%s): %d bytes, %v, want the error %q", tt.path, len(b), err, tt.want)
			}
			if _, _, err := oldLock(tt.path); tt.want != "" && (err == nil || isBroken(err)) {
				t.Errorf("oldLock(%s): %v, want an error that --force does not pass over", tt.path, err)
			}
		})
	}
	if _, err := lockBytes(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("lockBytes of nothing: %v, want %v", err, fs.ErrNotExist)
	}
}

// TestReplaceWhileRead: one who reads the lock for a moment does not keep it from being written.
func TestReplaceWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), lockFile)
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	go func() { time.Sleep(100 * time.Millisecond); _ = reader.Close() }()
	if err := replaceLock(path, []byte("new")); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "new" {
		t.Errorf("the file holds %q, %v, want new", b, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%v is left, want the lock alone", left)
	}
}
