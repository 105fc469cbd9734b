package cli

import (
	"slices"
	"testing"
)

// TestOnDisk: what the kernel makes up is left out, but not a project that lies there.
func TestOnDisk(t *testing.T) {
	paths := []string{"", "/", "/proc/cpuinfo", "/sys", "/dev/nvidia0", "/run/lock/x", "/dev/shm/p/src", "/run/user/0/p/k.cu", "/usr/bin", "/processor"}
	for root, want := range map[string][]string{
		"/home/p":       {"/dev/shm/p/src", "/usr/bin", "/processor"},
		"/run/user/0/p": {"/dev/shm/p/src", "/run/user/0/p/k.cu", "/usr/bin", "/processor"},
	} {
		b := &building{root: root}
		if got := b.onDisk(slices.Clone(paths)); !slices.Equal(got, want) {
			t.Errorf("in %s: %q, want %q", root, got, want)
		}
	}
}
