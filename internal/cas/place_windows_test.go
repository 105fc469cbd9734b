package cas_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"cupel/internal/cas"
)

// TestDestinationHeld: what Windows does not let be replaced is told in words, and stays as it was.
func TestDestinationHeld(t *testing.T) {
	s := newStore(t)
	d := put(t, s, "object")
	for _, tt := range []struct {
		name, words string
		hold        func(t *testing.T, path string)
	}{
		{"open", "another program may have it open", func(t *testing.T, path string) {
			name, err := windows.UTF16PtrFromString(path)
			if err != nil {
				t.Fatal(err)
			}
			h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = windows.CloseHandle(h) })
		}},
		{"read-only", "the file there is read-only", func(t *testing.T, path string) {
			if err := os.Chmod(path, 0o444); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to := write(t, filepath.Join(t.TempDir(), "k.obj"), "as it was")
			tt.hold(t, to)
			err := s.Place(d, to, 0o644)
			if err == nil && tt.name == "read-only" && read(t, to) == "object" {
				return // wine replaces it
			}
			if err == nil || errors.Is(err, cas.ErrMissing) || !strings.Contains(err.Error(), tt.words) || !strings.Contains(err.Error(), to) {
				t.Errorf("Place: %v, want %q about %s", err, tt.words, to)
			}
			only(t, filepath.Dir(to), "k.obj")
			if got := read(t, to); got != "as it was" {
				t.Errorf("the destination became %q", got)
			}
		})
	}
}
