package testbed

import (
	"testing"

	"golang.org/x/sys/unix"
)

// SmallDisk is a folder with a disk of its own, of 256 kB.
func SmallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("cupel-test", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a disk that is full needs the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}
