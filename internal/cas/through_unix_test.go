//go:build unix

package cas_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cupel/internal/cas"
)

// TestThrough: links, pipes and devices are written through, as compilers do; but not with a blob that is none.
func TestThrough(t *testing.T) {
	s := newStore(t)
	d := put(t, s, "object")
	dir := t.TempDir()
	target, link, dangling := filepath.Join(dir, "target.o"), filepath.Join(dir, "link.o"), filepath.Join(dir, "dangling.o")
	write(t, target, strings.Repeat("longer than the object", 10))
	for from, to := range map[string]string{link: target, dangling: filepath.Join(dir, "made.o")} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{link, dangling, "/dev/null"} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Place(d, path, 0o644); err != nil {
			t.Errorf("Place at %s: %v", path, err)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode().Type() != before.Mode().Type() {
			t.Errorf("%s is something else now: %v", path, err)
		}
	}
	for _, path := range []string{target, filepath.Join(dir, "made.o")} {
		if got := read(t, path); got != "object" {
			t.Errorf("%s holds %.20q", path, got)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		b, _ := os.ReadFile(pipe)
		got <- string(b)
	}()
	if err := s.Place(d, pipe, 0o644); err != nil || <-got != "object" {
		t.Errorf("through a pipe: %v", err)
	}
	damage(t, blobPath(s, d), damages[0].do)
	if err := s.Place(d, link, 0o644); !errors.Is(err, cas.ErrMissing) || read(t, target) != "object" {
		t.Errorf("a damaged blob through a link: %v", err)
	}
}

// TestMask: the user's mask cuts the mode, of outputs and of the store.
func TestMask(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	s := newStore(t)
	d := put(t, s, "object")
	to := filepath.Join(t.TempDir(), "k.o")
	if err := s.Place(d, to, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{to: 0o640, blobPath(s, d): 0o440, filepath.Join(s.Dir, "blobs"): 0o750} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
}
