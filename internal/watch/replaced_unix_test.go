//go:build !windows

package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReplaced: a folder that was deleted and made again, as a checkout does, is another one, and is watched again. (Windows
// lets a watched folder go only when nobody watches it any more; wine never says so.)
func TestReplaced(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "dir")
	for _, tt := range []struct {
		name  string
		added bool
		does  func() error
	}{
		{"first", true, func() error { return errors.Join(os.Remove(dir), os.Mkdir(dir, 0o755)) }},
		{"another one", true, func() error { return os.WriteFile(filepath.Join(dir, "k.cu"), nil, 0o644) }},
		{"a file came there", false, func() error { return os.RemoveAll(dir) }},
		{"it is gone", false, func() error { return nil }}, // it is looked at now and then
	} {
		if tt.name == "first" {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if added := w.Set([]string{dir}); added != tt.added {
			t.Errorf("%s: added %t, want %t", tt.name, added, tt.added)
		}
		if err := tt.does(); err != nil {
			t.Fatal(err)
		}
		if err := w.Wait(ctx); err != nil {
			t.Fatalf("%s: what comes then is not told: %v", tt.name, err)
		}
	}
}
