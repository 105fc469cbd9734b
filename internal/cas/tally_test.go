package cas_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/cas"
)

func tally(t *testing.T, s cas.Store, want map[string]int64) {
	t.Helper()
	got, err := s.Tally()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tally differs (-want +got):\n%s", diff)
	}
}

func TestTally(t *testing.T) {
	s := newStore(t)
	tally(t, s, map[string]int64{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				s.Count("hit")
				s.Count("refused unknown-option")
			}
		})
	}
	all.Wait()
	s.Count("two\nlines;")
	s.Count(strings.Repeat("x", 500))
	want := map[string]int64{"hit": 800, "refused unknown-option": 800, "two-lines-": 1, strings.Repeat("x", 100): 1}
	if runtime.GOOS == "windows" { // wine looks for the end and writes in two steps, so that some lines are lost
		got, err := s.Tally()
		if err != nil || got["hit"] > 800 || got["hit"] < 400 || len(got) > len(want) {
			t.Errorf("the tally is %v, %v", got, err)
		}
		return
	}
	tally(t, s, want)
}

// TestTornTally: a line that was cut off by a full disk or a kill is left out, and the next one counts.
func TestTornTally(t *testing.T) {
	s := newStore(t)
	s.Count("hit")
	f, err := os.OpenFile(filepath.Join(s.Dir, "tally", "log"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("\nmis")
	_ = f.Close()
	s.Count("hit")
	tally(t, s, map[string]int64{"hit": 2})
}

// TestCompact: full logs are counted once, whenever the process is killed on the way.
func TestCompact(t *testing.T) {
	s := newStore(t)
	s.Count("hit")
	dir := filepath.Join(s.Dir, "tally")
	full := strings.Repeat("\nmiss new;", 120_000)
	write(t, filepath.Join(dir, "log"), full)
	names := func() (n int) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "log") {
				n++
			}
		}
		return n
	}
	tally(t, s, map[string]int64{"miss new": 120_000})
	if _, err := os.Stat(filepath.Join(dir, "log")); err == nil {
		t.Error("a full log goes on")
	}
	s.Count("hit")
	tally(t, s, map[string]int64{"miss new": 120_000, "hit": 1})
	if n := names(); n != 2 {
		t.Errorf("%d logs, want the new one and the one that is not quiet yet", n)
	}
	var old string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "log-") {
			old = filepath.Join(dir, e.Name())
		}
	}
	aged(t, old, 1)
	tally(t, s, map[string]int64{"miss new": 120_000, "hit": 1})
	if n := names(); n != 1 {
		t.Errorf("%d logs after the full one was quiet, want 1", n)
	}
	write(t, old, full) // killed before it was removed
	tally(t, s, map[string]int64{"miss new": 120_000, "hit": 1})
	tally(t, s, map[string]int64{"miss new": 120_000, "hit": 1})
	if n := names(); n != 1 {
		t.Errorf("%d logs after a kill, want 1", n)
	}
}

// FuzzTally: whatever stands in its files, the tally is bounded and written again the same.
func FuzzTally(f *testing.F) {
	f.Add("cupel-tally 1\n= log-1\n12 hit\n", "\nhit;\nmis")
	f.Add("", "")
	s := cas.Store{Dir: f.TempDir()}
	f.Fuzz(func(t *testing.T, sums, log string) {
		dir := filepath.Join(s.Dir, "tally")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "sums"), sums)
		write(t, filepath.Join(dir, "log-1"), log)
		got, err := s.Tally()
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > len(sums)+len(log) {
			t.Errorf("%d events out of %d bytes", len(got), len(sums)+len(log))
		}
		for e, n := range got {
			if n <= 0 || e == "" || len(e) > 100 {
				t.Errorf("%q was counted %d times", e, n)
			}
		}
	})
}
