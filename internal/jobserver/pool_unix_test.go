//go:build unix

package jobserver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// newServer makes a FIFO as make 4.4 does, in a folder whose name needs quoting.
func newServer(t *testing.T, n int) (value string, free func() int) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a b$")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "GMfifo1")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	fill(t, f, n)
	return "--jobserver-auth=fifo:" + strings.NewReplacer(" ", `\ `, "$", "$$").Replace(path), func() int { return len(lying(t, f)) }
}

// fill puts tokens that all differ.
func fill(t *testing.T, w *os.File, n int) {
	t.Helper()
	for i := range n {
		if _, err := w.Write([]byte{'a' + byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
}

// lying is the tokens in the pipe, sorted; they are put back.
func lying(t *testing.T, f *os.File) string {
	t.Helper()
	var all []byte
	b := make([]byte, 1)
	for {
		if n, _ := unix.Poll([]unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}, 0); n != 1 {
			break
		}
		if _, err := unix.Read(int(f.Fd()), b); err != nil {
			t.Fatal(err)
		}
		all = append(all, b[0])
	}
	// Written through the same name: f may be the reading end alone.
	w, err := os.OpenFile(fmt.Sprintf("/dev/fd/%d", f.Fd()), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Write(all); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return string(all)
}

func TestSameBytesBack(t *testing.T) {
	value, _ := newServer(t, 5)
	path := words(value)[0][len("--jobserver-auth=fifo:"):]
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := client(t, value)
	var releases []func()
	for range 4 {
		release, err := c.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, release)
	}
	releases[2]()
	if got := lying(t, f); got != "ce" {
		t.Errorf("after the third was given back there lie %q, want ce", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if got := lying(t, f); got != "abcde" {
		t.Errorf("at the end there lie %q, want abcde", got)
	}
}

func TestUnusable(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	file, err := os.Create(plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{r, w, r2, w2, file} {
		defer f.Close()
	}
	for _, tt := range []struct{ name, server, want string }{
		{"closed", "998,999", "descriptor 998 is not open here (make hands it down to a recipe line that starts with + or holds $(MAKE))"},
		{"switched off", "-2,-2", "make switched it off for this command (a recipe line that starts with + gets it)"},
		{"no numbers", "gmake_semaphore_1", "this is neither fifo:PATH nor two descriptors"},
		{"empty fifo", "fifo:", "open : no such file or directory"},
		{"fifo that is gone", "fifo:/nowhere/GMfifo1", "open /nowhere/GMfifo1: no such file or directory"},
		{"fifo that is a file", "fifo:" + plain, "it is not a FIFO"},
		{"a file", fmt.Sprintf("%d,%d", file.Fd(), file.Fd()), fmt.Sprintf("descriptor %d is not an end of make's pipe (make closed that one: a recipe line that starts with + gets it)", file.Fd())},
		{"ends the other way round", fmt.Sprintf("%d,%d", w.Fd(), r.Fd()), fmt.Sprintf("descriptor %d is not an end of make's pipe (make closed that one: a recipe line that starts with + gets it)", w.Fd())},
		{"two pipes", fmt.Sprintf("%d,%d", r.Fd(), w2.Fd()), fmt.Sprintf("descriptors %d and %d are not the ends of one pipe", r.Fd(), w2.Fd())},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, why := Found([]string{"MAKEFLAGS= -j3 --jobserver-auth=" + tt.server})
			if want := "MAKEFLAGS names the job server " + tt.server + ": " + tt.want; c != nil || why != want {
				t.Errorf("client %v, why %q, want %q", c, why, want)
			}
		})
	}
}

// TestPipeStaysAsItIs: the descriptors' state is shared with make, and neither a wait nor its end changes it.
func TestPipeStaysAsItIs(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	fill(t, w, 1)
	shared := int(r.Fd()) // asking again would make it blocking
	for _, blocking := range []bool{true, false} {
		if err := unix.SetNonblock(shared, !blocking); err != nil {
			t.Fatal(err)
		}
		c, why := Found([]string{fmt.Sprintf("MAKEFLAGS=--jobserver-auth=%d,%d", shared, w.Fd())})
		if c == nil {
			t.Skip("pipes cannot be shared on this system: ", why)
		}
		release, err := c.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		if _, err := c.Acquire(ctx); err == nil {
			t.Error("a second token came")
		}
		cancel()
		flags, err := unix.FcntlInt(uintptr(shared), unix.F_GETFL, 0)
		if err != nil || flags&unix.O_NONBLOCK != 0 == blocking {
			t.Errorf("flags %#x, %v; blocking was %v", flags, err, blocking)
		}
		release()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if got := lying(t, r); got != "a" {
			t.Errorf("there lie %q, want a", got)
		}
	}
}

// TestSecondVariable: what the nearest caller names cannot be used, what stands behind it can.
func TestSecondVariable(t *testing.T) {
	value, _ := newServer(t, 1)
	c, why := Found([]string{"MAKEFLAGS= -j3 --jobserver-auth=998,999", "CARGO_MAKEFLAGS=-j " + value})
	if c == nil || why != "" {
		t.Fatalf("client %v, why %q", c, why)
	}
	defer c.Close()
	if !strings.HasPrefix(c.name, "fifo:") {
		t.Errorf("client of %s", c.name)
	}
}
