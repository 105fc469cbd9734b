package shim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
)

// TestNoRoom: a disk that is full, gets full or may not be written to changes nothing of the call.
func TestNoRoom(t *testing.T) {
	for _, tt := range []struct {
		name, options, does string
		flags               uintptr
		fill                bool
	}{
		{"full from the start", "size=16k", "talk", 0, true},
		{"full on the way", "size=256k", "flood", 0, false},
		{"to be read only", "size=256k", "talk", unix.MS_RDONLY, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			calls := filepath.Join(b.live.Dir, "calls")
			if err := unix.Mount("cupel-test", calls, "tmpfs", tt.flags, tt.options); err != nil {
				t.Skipf("no tmpfs can be mounted here: %v", err)
			}
			t.Cleanup(func() { _ = unix.Unmount(calls, unix.MNT_DETACH) })
			if tt.fill {
				_ = os.WriteFile(filepath.Join(calls, "filler"), make([]byte, 64<<10), 0o600)
			}
			want := ways["two pipes"](t, b.command(t, b.real, tt.does))
			if got := ways["two pipes"](t, b.command(t, b.shim, tt.does)); got != want {
				t.Errorf("through the shim: %s\ndirect:           %s", show(got), show(want))
			}
		})
	}
}

// TestOutputLost: the caller's own stream takes nothing. A tool that ended well all the same has lost its output, and one
// that writes on ends as if its reader had gone; both say why.
func TestOutputLost(t *testing.T) {
	const why = "cupel-nvcc: write standard output: no space left on device\n"
	for _, tt := range []struct {
		name, does, state string
		args              []string
		code              int64
	}{
		{"a few bytes", "args", "exit status 1", []string{"x"}, 1},
		{"a few bytes and a code of its own", "say and fail", "exit status 7", nil, 7},
		{"a flood", "flood", "signal: broken pipe", nil, 128 + int64(unix.SIGPIPE)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip("no /dev/full here: ", err)
			}
			defer full.Close()
			b := newBench(t)
			cmd := b.command(t, b.shim, tt.does, tt.args...)
			var errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &errs
			_ = cmd.Run()
			if got := cmd.ProcessState.String(); got != tt.state || errs.String() != why {
				t.Errorf("%s, stderr %q; want %s, %q", got, errs.String(), tt.state, why)
			}
			if c := b.only(t); c.End.Code != tt.code || string(c.Of(call.Stderr)) != why || len(c.Of(call.Stdout)) == 0 {
				t.Errorf("recorded %+v with %s", c.End, c.Text())
			}
		})
	}
}
