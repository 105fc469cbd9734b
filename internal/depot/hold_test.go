package depot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestHold(t *testing.T) {
	d := newDepot(t)
	dir, release, err := d.Hold(ctx, "abc", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "part"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	if _, _, err := d.Hold(short, "abc", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hold twice: %v", err)
	}
	d.Forget("abc")
	if _, err := os.Stat(filepath.Join(dir, "part")); err != nil {
		t.Errorf("forget took what is held: %v", err)
	}
	release()
	again, release, err := d.Hold(ctx, "abc", nil)
	if _, e := os.Stat(filepath.Join(again, "part")); e != nil || err != nil || again != dir {
		t.Errorf("held again: %s, %v, %v, want %s with what was in it", again, err, e, dir)
	}
	release()
	d.Forget("abc")
	if left, _ := os.ReadDir(d.downloads()); len(left) > 0 {
		t.Errorf("forgotten, the downloads have %v", left)
	}
	if _, _, err := d.Hold(ctx, "../x", nil); err == nil {
		t.Error("hold ../x: no error")
	}
}

func TestSpace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there")
	if err := Space(dir, 1); err != nil {
		t.Errorf("one byte: %v", err)
	}
	err := Space(dir, 1<<60)
	var no NoSpace
	if !errors.As(err, &no) || no.Dir != dir || no.Need != 1<<60 || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "1152921504.6 GB are needed") {
		t.Errorf("an exabyte: %v", err)
	}
}

// TestRoom: two folders on one disk need the sum.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	at, err := existing(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, free, err := diskOf(at)
	if err != nil {
		t.Fatal(err)
	}
	most := free / 3 * 2
	if err := Room(Need{dir, most}); err != nil {
		t.Errorf("two thirds of what is free: %v", err)
	}
	var no NoSpace
	if err := Room(Need{dir, most}, Need{dir, most}); !errors.As(err, &no) || no.Need != 2*most {
		t.Errorf("twice two thirds: %v", err)
	}
}
