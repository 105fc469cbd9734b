//go:build !linux

package apt

import (
	"errors"
	"runtime"
	"testing"

	"cupel/internal/source"
)

// TestNotOnWindows: the source says why, and starts nothing.
func TestNotOnWindows(t *testing.T) {
	var gone source.Unreachable
	if err := New(Config{}).Reach(t.Context()); !errors.As(err, &gone) {
		t.Errorf("Reach on %s = %v, want source.Unreachable", runtime.GOOS, err)
	}
}
