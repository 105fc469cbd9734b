package relay_test

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

// TestTerminal: the child has a terminal of the same size, its bytes are kept as it wrote them, and the real terminal shows
// what it would have shown.
func TestTerminal(t *testing.T) {
	master, slave := testbed.Terminal(t)
	size := unix.Winsize{Row: 33, Col: 111}
	if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	var k kept
	out := reading(master)
	r := open(t, slave, slave, &k)
	if !r.Merged || r.Stdout != r.Stderr {
		t.Error("one terminal for both is not merged")
	}
	got, err := unix.IoctlGetWinsize(int(r.Stdout.Fd()), unix.TIOCGWINSZ)
	if err != nil || got.Row != 33 || got.Col != 111 {
		t.Errorf("the child's terminal has size %+v, %v, want %+v", got, err, size)
	}
	every := make([]byte, 0, 256)
	for i := range 256 {
		every = append(every, byte(i))
	}
	written := "\x1b[1mone\x1b[0m\ntwo\r\nthree\t" + string(every)
	io.WriteString(r.Stdout, written)
	r.Started()
	r.Wait(time.Minute)
	slave.Close()
	if k.of(call.Stdout) != written {
		t.Errorf("kept %q, want %q", k.of(call.Stdout), written)
	}
	direct, other := testbed.Terminal(t)
	wanted := reading(direct)
	io.WriteString(other, written)
	other.Close()
	if got, want := <-out, <-wanted; got != want {
		t.Errorf("the terminal shows %q, want %q", got, want)
	}
}

// TestTwoTerminals: each stream has a terminal of its own.
func TestTwoTerminals(t *testing.T) {
	_, s1 := testbed.Terminal(t)
	_, pw := pipe(t)
	_, s2 := testbed.Terminal(t)
	for _, tt := range []struct {
		name     string
		out, err *os.File
		want     [2]bool
	}{
		{"both, but two", s1, s2, [2]bool{true, true}},
		{"a terminal and a pipe", s1, pw, [2]bool{true, false}},
		{"a pipe and a terminal", pw, s1, [2]bool{false, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var k kept
			r := open(t, tt.out, tt.err, &k)
			got := [2]bool{isTerminal(r.Stdout), isTerminal(r.Stderr)}
			if got != tt.want || r.Merged {
				t.Errorf("terminals = %v, merged %v; want %v, not merged", got, r.Merged, tt.want)
			}
			r.Started()
			r.Wait(time.Minute)
		})
	}
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// TestNullApart: nobody sees an order in /dev/null, so the record keeps the streams apart.
func TestNullApart(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var k kept
	r := open(t, null, null, &k)
	io.WriteString(r.Stdout, "o")
	io.WriteString(r.Stderr, "e")
	r.Started()
	r.Wait(time.Minute)
	if r.Merged || k.of(call.Stdout) != "o" || k.of(call.Stderr) != "e" {
		t.Errorf("merged %v, kept %q and %q", r.Merged, k.of(call.Stdout), k.of(call.Stderr))
	}
}

// TestFullDisk: what a child wrote and ended well by was lost all the same; the record has it.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here: ", err)
	}
	defer full.Close()
	_, other := pipe(t)
	var k kept
	r := open(t, full, other, &k)
	if _, err := io.WriteString(r.Stdout, "x"); err != nil {
		t.Errorf("write: %v", err)
	}
	r.Started()
	r.Wait(time.Minute)
	if err := r.Err(); !errors.Is(err, unix.ENOSPC) || k.of(call.Stdout) != "x" {
		t.Errorf("Err() = %v, want %v; kept %q, want x", err, unix.ENOSPC, k.of(call.Stdout))
	}
}
