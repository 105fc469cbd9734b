//go:build unix

package depot

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestReadOnly: a destination that may not be written is named. Root may write anywhere but below a file and into /proc.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		dir = "/proc"
		if _, err := os.Stat(dir); err != nil {
			t.Skip("root may write everywhere here")
		}
	}
	_, err := Depot{Home: filepath.Join(dir, "home")}.Begin(ctx, Toolkits, "a", nil)
	if err == nil {
		t.Fatal("begin in a folder that may not be written: no error")
	}
	var no NotWritable
	if os.Geteuid() != 0 && !errors.As(err, &no) {
		t.Errorf("begin: %v, want NotWritable", err)
	}
}
