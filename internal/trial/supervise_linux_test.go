package trial

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLinkHalfMade: a line whose second pipe cannot be had leaves none of its files open.
func TestLinkHalfMade(t *testing.T) {
	first, err := newLink() // whatever Go opens once for itself is open from here on
	if err != nil {
		t.Fatal(err)
	}
	first.close()
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	few := was
	few.Cur = 128
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &few); err != nil {
		t.Skipf("the number of open files cannot be limited here: %v", err)
	}
	var held []*os.File
	defer func() {
		for _, f := range held {
			_ = f.Close()
		}
		_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &was)
	}()
	fill := func() (n int) {
		for {
			f, err := os.Open(os.DevNull)
			if err != nil {
				return n
			}
			held, n = append(held, f), n+1
		}
	}
	if fill() < 3 {
		t.Skip("too many files are open already")
	}
	for range 3 { // enough for one pipe, not for two
		_ = held[len(held)-1].Close()
		held = held[:len(held)-1]
	}
	if l, err := newLink(); err == nil {
		l.close()
		t.Fatal("a line was made of three files, want an error")
	}
	if got := fill(); got != 3 {
		t.Errorf("%d files can be opened afterwards, want 3", got)
	}
}
