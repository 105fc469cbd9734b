package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWait: a change in a watched folder is told, one in another is not.
func TestWait(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	seen, other := t.TempDir(), t.TempDir()
	w.Set([]string{seen})
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = os.WriteFile(filepath.Join(seen, "k.cu"), []byte("x"), 0o644)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.Wait(ctx); err != nil {
		t.Fatalf("a change is not told: %v", err)
	}
	short, stop := context.WithTimeout(t.Context(), 400*time.Millisecond)
	defer stop()
	if err := os.WriteFile(filepath.Join(other, "k.cu"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a folder that is not watched was told: %v", err)
	}
}

// TestGone: a folder that is not there is looked at now and then.
func TestGone(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Set([]string{filepath.Join(t.TempDir(), "none")})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := w.Wait(ctx); err != nil {
		t.Errorf("it is not looked at again: %v", err)
	}
}

// TestSet: it says when folders are new, so that their past can be looked at.
func TestSet(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	one, two, none := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "none")
	for _, tt := range []struct {
		name  string
		dirs  []string
		added bool
	}{
		{"first", []string{one}, true},
		{"the same", []string{one}, false},
		{"one that is not there", []string{one, none}, false},
		{"one more", []string{one, two}, true},
		{"one less", []string{two}, false},
		{"it came back", []string{one, two}, true},
	} {
		if added := w.Set(tt.dirs); added != tt.added {
			t.Errorf("%s: added %t, want %t", tt.name, added, tt.added)
		}
	}
}
