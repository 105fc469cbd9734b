//go:build !windows

package relay_test

import (
	"os"
	"syscall"
	"testing"
)

func duplicate(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	d := os.NewFile(uintptr(fd), f.Name())
	t.Cleanup(func() { d.Close() })
	return d
}
