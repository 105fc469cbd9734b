package depot

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// TestLockedFiles: a program has a file of the old folder open. Windows refuses to move the folder, wine moves it and
// cannot delete the file; either way there is one whole folder, and nothing is left when the file is closed.
func TestLockedFiles(t *testing.T) {
	d := newDepot(t)
	i := install(t, d, "a", map[string]string{"bin/nvcc.exe": "one"})
	name, err := windows.UTF16PtrFromString(filepath.Join(i.Dir, "bin", "nvcc.exe"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Begin(ctx, Toolkits, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Commit(manifest(put(t, c.Dir, map[string]string{"bin/nvcc.exe": "two"})))
	var use InUse
	if err != nil && !errors.As(err, &use) {
		t.Errorf("commit over an open file: %v, want InUse", err)
	}
	c.End()
	if got := names(t, d); got != "a" {
		t.Errorf("visible: %q, want one whole folder", got)
	}
	_ = windows.CloseHandle(h)
	install(t, d, "a", map[string]string{"bin/nvcc.exe": "two"})
	if got := entries(t, d); got != "a" {
		t.Errorf("after it was closed the folder has %q, want a alone", got)
	}
}
