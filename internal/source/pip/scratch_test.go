package pip

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/depot"
	"cupel/internal/resolve"
)

// sum is the checksum of a file; "" when it cannot be read.
func sum(path string) string {
	s, _ := depot.Sum(path)
	return s
}

// TestScratch: what killed runs left is taken away, what a run beside us has just made stays, and a folder's odd name is no
// pattern.
func TestScratch(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "[cache]", "pip")
	for _, name := range []string{scratchPrefix + "1", scratchPrefix + "2", "other"} {
		if err := os.MkdirAll(filepath.Join(parent, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * old)
	if err := errors.Join(os.Chtimes(filepath.Join(parent, scratchPrefix+"1"), long, long), os.Chtimes(filepath.Join(parent, "other"), long, long)); err != nil {
		t.Fatal(err)
	}
	s, err := newScratch(parent)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := filesIn(parent, ""), []string{filepath.Base(s.dir), scratchPrefix + "2", "other"}; len(got) != 3 || slices.ContainsFunc(want, func(n string) bool { return !slices.Contains(got, n) }) {
		t.Errorf("%s holds %q, want %q", parent, got, want)
	}
	if got := filesIn(s.dir, "p"); !slices.Equal(got, []string{"tmp"}) {
		t.Errorf("filesIn = %q", got)
	}
	s.remove()
	if got := filesIn(parent, ""); len(got) != 2 {
		t.Errorf("after remove: %q", got)
	}
}

// TestNoImportLibraries: what the wheels of a platform hold no library for is not offered, and the answer says why.
func TestNoImportLibraries(t *testing.T) {
	for _, tt := range []struct {
		word     string
		platform resolve.Platform
		why      string // empty: it is there
	}{
		{"cublas", windows, "no import libraries"}, {"cublas", linux, ""}, {"cublas", winARM, "no import libraries"},
		{"cudnn", windows, "no import libraries"}, {"nvjitlink", windows, ""}, {"nvml", windows, ""},
		{"nvml", linux, "nvml.h alone"}, {"nvml", arm, "nvml.h alone"},
		{"cuxxfilt", linux, "no program cu++filt"}, {"cuxxfilt", windows, "no program cu++filt"},
		{"tileiras", windows, ""}, {"cudla", arm, ""},
	} {
		_, err := resolve.Closure(sourceName, request("13.4", tt.platform, tt.word))
		var not resolve.NotOffered
		if (tt.why != "") != errors.As(err, &not) || !strings.Contains(not.Why, tt.why) {
			t.Errorf("%s on %s: %v, want %q", tt.word, tt.platform, err, tt.why)
		}
		all, err := resolve.Closure(sourceName, full("13.4", tt.platform))
		if tt.word != "cudnn" && (err != nil || slices.Contains(all, tt.word) != (tt.why == "")) {
			t.Errorf("everything on %s: %v, %v; %s must be there: %t", tt.platform, all, err, tt.word, tt.why == "")
		}
	}
}
