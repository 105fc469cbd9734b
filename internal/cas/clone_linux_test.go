package cas_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"cupel/internal/digest"
)

// shares tells that a file has bytes on disk in common with another.
func shares(t *testing.T, path string) bool {
	t.Helper()
	unix.Sync()
	out, err := exec.Command("filefrag", "-v", path).Output()
	if err != nil {
		t.Fatalf("filefrag %s: %v", path, err)
	}
	return strings.Contains(string(out), "shared")
}

// TestClone: on a file system that can, large files share their bytes with the store, and are right and checked all the same.
func TestClone(t *testing.T) {
	mkfs, err := exec.LookPath("mkfs.btrfs")
	if err != nil {
		t.Skip("mkfs.btrfs is not installed here")
	}
	image := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 200<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs, "-q", image).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	s := newStore(t)
	s.Dir = filepath.Join(dir, "store")
	text := strings.Repeat("text that is long enough ", 20_000)
	in, to := write(t, filepath.Join(dir, "in.o"), text), filepath.Join(dir, "out.o")
	d, n, err := s.PutFile(in)
	if err != nil || n != int64(len(text)) || d != digest.Of([]byte(text)) {
		t.Fatalf("PutFile = %v, %d, %v", d, n, err)
	}
	if err := s.Place(d, to, 0o644); err != nil || read(t, to) != text {
		t.Fatalf("Place: %v", err)
	}
	for _, path := range []string{in, blobPath(s, d), to} {
		if !shares(t, path) {
			t.Errorf("%s shares nothing", path)
		}
	}
	write(t, to, "changed")
	if b, err := s.Get(d, n); err != nil || string(b) != text {
		t.Errorf("after the placed file was changed: %d bytes, %v", len(b), err)
	}
	damage(t, blobPath(s, d), damages[1].do)
	if err := s.Place(d, to, 0o644); err == nil || read(t, to) != "changed" {
		t.Errorf("a damaged blob was placed: %v", err)
	}
}
