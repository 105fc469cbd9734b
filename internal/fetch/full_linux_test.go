package fetch_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cupel/internal/fetch"
	"cupel/internal/source/sourcetest"
)

// TestFullDisk: a small tmpfs. The error says so, nothing that looks like the file is left, and with room it goes on.
func TestFullDisk(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no tmpfs can be mounted here: %v", err)
	}
	defer syscall.Unmount(small, syscall.MNT_DETACH)
	dir, content := folder(t, 3<<20)
	for _, fault := range []sourcetest.Fault{{}, {NoRange: true}} {
		web := sourcetest.Server(t, dir, fault)
		for _, url := range []string{web.URL + "/a.bin", filepath.Join(dir, "a.bin")} {
			to := filepath.Join(small, "out")
			err := quick.Get(t.Context(), fetch.Request{URL: url, To: to, Size: 3 << 20, SHA256: sum(content)})
			if err == nil || !fetch.IsFull(err) || !strings.Contains(err.Error(), "the disk is full") {
				t.Errorf("fetch %s to a full disk: %v, want one that says so", fetch.Shown(url), err)
			}
			if _, err := os.Stat(to); err == nil {
				t.Error("the file is there")
			}
			os.Remove(to + ".part")
			os.Remove(to + ".state")
		}
	}
	web := sourcetest.Server(t, dir, sourcetest.Fault{})
	r := fetch.Request{URL: web.URL + "/a.bin", To: filepath.Join(small, "out"), Size: 3 << 20}
	if err := quick.Get(t.Context(), r); err == nil {
		t.Fatal("3 MiB went onto a disk of 1 MiB")
	}
	if err := syscall.Mount("", small, "", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
	if err := quick.Get(t.Context(), r); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
