package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestGuard(t *testing.T) {
	file := filepath.Join(t.TempDir(), lockFile)
	var said []string
	g := guard{patience: 100 * time.Millisecond, tell: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
	release, err := g.take(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.take(context.Background(), file); !errors.Is(err, errGuarded) {
		t.Errorf("take while it is held: %v, want %v", err, errGuarded)
	}
	if len(said) != 1 || !strings.Contains(said[0], "waiting for another cupel") {
		t.Errorf("it said %q, want one word about the waiting", said)
	}
	ended, stop := context.WithCancel(context.Background())
	stop()
	if _, err := g.take(ended, file); !errors.Is(err, errInterrupted) {
		t.Errorf("take of one who gives up: %v, want %v", err, errInterrupted)
	}
	release()
	again, err := g.take(context.Background(), file)
	if err != nil {
		t.Fatalf("take after it was let go: %v", err)
	}
	again()
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) > 0 {
		t.Errorf("the guard left %v", left)
	}
	if _, err := g.take(context.Background(), filepath.Join(file, "gone", lockFile)); err == nil {
		t.Error("take in a folder that is not there: no error")
	}
}

// TestGuardOneByOne: many that read, wait and write lose nothing.
func TestGuardOneByOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "count")
	g := guard{patience: time.Minute, quiet: time.Minute, tell: t.Logf}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			release, err := g.take(context.Background(), file)
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			b, _ := os.ReadFile(file)
			time.Sleep(2 * time.Millisecond)
			if err := writeWhole(file, append(b, 'x'), 0o644); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if b, err := os.ReadFile(file); len(b) != 16 {
		t.Errorf("%d of 16 writers are left: %v", len(b), err)
	}
}
