//go:build !windows

package project

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// TestPipesDoNotHang: nobody writes into these, so that a read would never end.
func TestPipesDoNotHang(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Cargo.toml", "x.cu"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skip("pipes cannot be made here:", err)
		}
	}
	got, unread := Clues(look.New(host.Here()), dir)
	if want := []string{"Cargo.toml: not a regular file", "x.cu: not a regular file"}; !slices.Equal(passed(unread), want) || len(got) > 0 {
		t.Errorf("not read: %q, want %q; clues %q, want none", passed(unread), want, told(got))
	}
}
