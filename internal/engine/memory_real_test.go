//go:build linux || windows

package engine

import "testing"

func TestFreeMemoryHere(t *testing.T) {
	// Between a megabyte and a pebibyte: a wrong unit or a field read from the wrong place would lie outside.
	if got := freeMemory(); got < 1<<20 || got > 1<<50 {
		t.Errorf("free memory here: %d bytes", got)
	} else {
		t.Logf("%d MiB free", got>>20)
	}
}
