package testbed

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestRootOfFetchedPart(t *testing.T) {
	bed := t.TempDir()
	t.Setenv("CUPEL_TESTBED", bed)
	for _, dir := range []string{".state", "cuda-12.4/bin", "cuda-13.0/nvidia/cu13"} {
		if err := os.MkdirAll(filepath.Join(bed, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"cuda-12.4", "cuda-13.0"} {
		if err := os.WriteFile(filepath.Join(bed, ".state", part), []byte("1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := Root(t, "cuda-13.0"), filepath.Join(bed, "cuda-13.0"); got != want {
		t.Errorf("Root = %q, want %q", got, want)
	}
	if got, want := Toolkit(t, "cuda-13.0"), filepath.Join(bed, "cuda-13.0", "nvidia", "cu13"); got != want {
		t.Errorf("Toolkit of pip's layout = %q, want %q", got, want)
	}
	if got, want := Toolkit(t, "cuda-12.4"), filepath.Join(bed, "cuda-12.4"); got != want {
		t.Errorf("Toolkit of a plain root = %q, want %q", got, want)
	}
}

// skipper stands for a test that meets a missing part; Skipf ends the goroutine as testing's own does.
type skipper struct {
	testing.TB
	skipped bool
}

func (s *skipper) Helper()              {}
func (s *skipper) Skipf(string, ...any) { s.skipped = true; runtime.Goexit() }

func TestMissingPartSkips(t *testing.T) {
	t.Setenv("CUPEL_TESTBED", t.TempDir())
	s := &skipper{TB: t}
	done := make(chan struct{})
	go func() { defer close(done); Root(s, "cuda-13.0") }()
	<-done
	if !s.skipped {
		t.Error("Root of a part that is not fetched did not skip")
	}
}
