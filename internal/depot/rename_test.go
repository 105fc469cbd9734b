package depot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// errBusy is one of Windows' two errors for it; the other is what a folder gives that may not be written.
var errBusy = fmt.Errorf("a file is open: %w", fs.ErrPermission)

// TestFolderInUse is what Windows does: there is no swap, and the nth move is refused because a file is open. The old
// folder stays in its place, whole.
func TestFolderInUse(t *testing.T) {
	for _, tt := range []struct {
		name   string
		refuse int // this move, counted from 1
		change func(t *testing.T, c *Change) error
		want   string
	}{
		{"none", 0, commitTwo, "two"},
		{"the old one cannot be moved away", 1, commitTwo, "one"},
		{"the new one cannot be moved to its place", 2, commitTwo, "one"},
		{"removing", 1, func(_ *testing.T, c *Change) error { return c.Remove() }, "one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDepot(t)
			i := install(t, d, "a", map[string]string{"x": "one"})
			c, err := d.Begin(ctx, Toolkits, "a", nil)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			c.swap = func(string, string) error { return errors.ErrUnsupported }
			c.move = func(from, to string) error {
				if n++; n == tt.refuse {
					return InUse{from, errBusy}
				}
				return os.Rename(from, to)
			}
			err = tt.change(t, c)
			if refused := tt.refuse > 0; errors.Is(err, errBusy) != refused {
				t.Errorf("change: %v, want refused %t", err, refused)
			}
			var used InUse
			var no NotWritable
			if tt.refuse > 0 && (!errors.As(err, &used) || errors.As(err, &no)) {
				t.Errorf("change: %v, want InUse and not NotWritable", err)
			}
			c.End()
			if text, _ := os.ReadFile(filepath.Join(i.Dir, "x")); string(text) != tt.want {
				t.Errorf("the file reads %q, want %q", text, tt.want)
			}
			if got := names(t, d) + " " + entries(t, d); got != "a a" {
				t.Errorf("visible and all: %q, want a alone", got)
			}
		})
	}
}

func commitTwo(t *testing.T, c *Change) error {
	_, err := c.Commit(manifest(put(t, c.Dir, map[string]string{"x": "two"})))
	return err
}

func TestInsist(t *testing.T) {
	busy := func(err error) bool { return errors.Is(err, errBusy) }
	n := 0
	err := insist("d", func() error {
		if n++; n < 3 {
			return errBusy
		}
		return nil
	}, busy)
	if err != nil || n != 3 {
		t.Errorf("held twice: %v after %d tries", err, n)
	}
	if err := insist("d", func() error { return os.ErrNotExist }, busy); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("another error: %v", err)
	}
}
