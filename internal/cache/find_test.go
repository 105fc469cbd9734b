package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/cas"
)

// TestPresent: a name that a folder has is found whether few are asked for, many at once, or few again and again.
func TestPresent(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "here.h"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	few := []string{"a.h", "b.h", "c.h"}
	var many []string
	for i := range fewNames {
		many = append(many, fmt.Sprintf("%d.h", i))
	}
	for _, tt := range []struct {
		name  string
		names []string
		times int
	}{{"few", few, 1}, {"many", many, 1}, {"few, often", few, 2 * fewNames}} {
		c := New(cas.Store{Dir: t.TempDir()}, nil)
		for range tt.times {
			if got := c.present(dir, tt.names); got != "" {
				t.Errorf("%s: %q is not there", tt.name, got)
			}
			if got := c.present(filepath.Join(dir, "gone"), tt.names); got != "" {
				t.Errorf("%s: %q is not in a folder that is not there", tt.name, got)
			}
		}
		if got := c.present(dir, append(tt.names[:len(tt.names):len(tt.names)], "here.h")); got != "here.h" {
			t.Errorf("%s: found %q, want here.h", tt.name, got)
		}
		if got := Present(dir, append(tt.names[:len(tt.names):len(tt.names)], "here.h")); got != "here.h" {
			t.Errorf("%s, without a cache: found %q, want here.h", tt.name, got)
		}
	}
}
