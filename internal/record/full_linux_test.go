package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

// TestDiskFull: the call goes on, its record ends where the disk did, and what was written before is readable.
func TestDiskFull(t *testing.T) {
	s := Store{filepath.Join(testbed.SmallDisk(t), "runs")}
	l := begun(t, s)
	w, err := Begin(l.Dir, call.Begin{Tool: "nvcc", At: time.Now(), PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	piece := bytes.Repeat([]byte("x"), 10_000)
	for range 100 {
		w.Output(call.Stdout, piece)
	}
	if err := w.End(call.End{At: time.Now()}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("End: %v, want %v", err, unix.ENOSPC)
	}
	if w, err := Begin(l.Dir, call.Begin{Tool: "nvcc", At: time.Now(), PID: 2}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("Begin: %v, %v, want %v", w, err, unix.ENOSPC)
	}
	if _, err := s.New(call.Run{}, []string{"A=" + string(piece)}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("New: %v, want %v", err, unix.ENOSPC)
	}
	if err := l.Finish(call.RunEnd{Code: 1}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("Finish: %v, want %v", err, unix.ENOSPC)
	}
	runs, troubles, err := s.Runs(ctx)
	if err != nil || len(troubles) > 0 || len(runs) != 1 || runs[0].Live {
		t.Fatalf("%d runs, %q, %v", len(runs), troubles, err)
	}
	c, err := runs[0].Read(1)
	if err != nil || c.Torn == "" || c.End != nil || c.Begin.Tool != "nvcc" || len(c.Text()) < 100_000 {
		t.Errorf("the call: %d bytes, torn %q, %v", len(c.Text()), c.Torn, err)
	}
	if c, err := runs[0].Read(2); err != nil || c.Torn == "" || c.Begin.PID != 2 {
		t.Errorf("the call without any room: %+v, %v", c, err)
	}
	if entries, _ := os.ReadDir(s.Dir); len(entries) != 1 {
		t.Errorf("left are %v", entries)
	}
	if err := s.Trim(ctx, 0, 0); err != nil {
		t.Errorf("trim on a full disk: %v", err)
	}
}
