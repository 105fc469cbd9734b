package mirror

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullAndReadOnlyDisk: an update that cannot be written says why and leaves the mirror as it is; where nothing has to be
// written, a read-only disk is fine.
func TestFullAndReadOnlyDisk(t *testing.T) {
	m, k, _ := madeUp(t)
	home := t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(home, syscall.MNT_DETACH) })
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	before := entries(t, p)

	write(t, prog, strings.Repeat("much longer", 50_000))
	if err := Make(context.Background(), p, prog); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("on a full disk: %v", err)
	}
	if after := entries(t, p); !maps.Equal(before, after) {
		t.Errorf("after it: %q, want %q", after, before)
	}

	if err := syscall.Mount("tmpfs", home, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if err := Make(context.Background(), p, prog); !errors.Is(err, syscall.EROFS) {
		t.Errorf("on a read-only disk: %v", err)
	}
	write(t, prog, "program")
	same := entries(t, p)
	if !maps.Equal(before, same) {
		t.Errorf("on a read-only disk: %q, want %q", same, before)
	}
}

// TestReadOnlyAndRight: nothing has to be written.
func TestReadOnlyAndRight(t *testing.T) {
	m, k, _ := madeUp(t)
	home := t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(home, syscall.MNT_DETACH) })
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	if err := syscall.Mount("tmpfs", home, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	mustMake(t, p, prog)
	if got := entries(t, p); got["include/cuda.h"] == "" {
		t.Errorf("entries %q", got)
	}
}
