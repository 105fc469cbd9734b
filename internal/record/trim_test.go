package record

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/filelock"
)

// aRun is a finished run of some bytes that began a number of minutes ago.
func aRun(t *testing.T, s Store, ago int, size int) *Live {
	t.Helper()
	l, err := s.New(call.Run{Began: time.Now().Add(-time.Duration(ago) * time.Minute), Command: []string{"make"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.Dir, callsDir, "filler"), make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

func ended(t *testing.T, l *Live) *Live {
	t.Helper()
	if err := l.Finish(call.RunEnd{}); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTrim(t *testing.T) {
	const size = 100_000
	for _, tt := range []struct {
		name  string
		count int
		size  int64
		live  []int // of 6 runs, 0 the newest
		want  []int
	}{
		{"nothing to do", 6, 1 << 30, nil, []int{0, 1, 2, 3, 4, 5}},
		{"by count", 2, 1 << 30, nil, []int{0, 1}},
		{"by size", 100, 3*size + size/2, nil, []int{0, 1, 2}},
		{"the newest stays however large", 100, 1, nil, []int{0}},
		{"unless none may", 0, 1, nil, nil},
		{"live runs stay and count", 2, 1 << 30, []int{4, 5}, []int{0, 4, 5}},
		{"all live", 1, 1, []int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := store(t)
			ids := make([]string, 6)
			for i := range 6 {
				l := aRun(t, s, i, size)
				if ids[i] = l.Run.ID; slices.Contains(tt.live, i) {
					t.Cleanup(l.release)
				} else {
					ended(t, l)
				}
			}
			if err := s.Trim(ctx, tt.count, tt.size); err != nil {
				t.Fatal(err)
			}
			runs, troubles, err := s.Runs(ctx)
			if err != nil || len(troubles) > 0 {
				t.Fatal(err, troubles)
			}
			var got []int
			for _, r := range runs {
				i := slices.Index(ids, r.Run.ID)
				if got = append(got, i); r.Live != slices.Contains(tt.live, i) {
					t.Errorf("run %d: live %t", i, r.Live)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("left are %v, want %v", got, tt.want)
			}
			entries, _ := os.ReadDir(s.Dir)
			if hidden := len(entries) - len(runs) - len(tt.live); hidden != 0 {
				t.Errorf("%d entries are left behind: %v", hidden, entries)
			}
		})
	}
}

// TestTrimUnreadable: a run that nobody can read any more is trimmed with the others, and so is what a kill left.
func TestTrimUnreadable(t *testing.T) {
	s := store(t)
	keep := ended(t, aRun(t, s, 0, 10))
	for _, name := range []string{"250101-000000-aaa", ".250101-000000-aab" + newExt, ".250101-000000-aac" + oldExt, "mine", ".mine.old"} {
		if err := os.MkdirAll(filepath.Join(s.Dir, name, callsDir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.beside("250101-000000-aad", lockExt), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Trim(ctx, 1, 1<<30); err != nil {
		t.Fatal(err)
	}
	var got []string
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if want := []string{".mine.old", keep.Run.ID, "mine"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
}

// TestTrimWhileRead: a file that somebody has open is in nobody's way: the run goes now or the next time, and whole.
func TestTrimWhileRead(t *testing.T) {
	s := store(t)
	ended(t, aRun(t, s, 1, 10))
	old := found(t, s, "last")
	ended(t, aRun(t, s, 0, 10))
	f, err := os.Open(filepath.Join(old.Dir, callsDir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Trim(ctx, 1, 1<<30); err != nil {
		t.Error(err)
	}
	if runs, troubles, _ := s.Runs(ctx); len(troubles) > 0 || len(runs) == 0 {
		t.Errorf("%d runs, %q", len(runs), troubles)
	}
	_ = f.Close()
	if err := s.Trim(ctx, 1, 1<<30); err != nil {
		t.Error(err)
	}
	if runs, _, _ := s.Runs(ctx); len(runs) != 1 {
		t.Errorf("%d runs are left, want 1", len(runs))
	}
}

func TestFind(t *testing.T) {
	s := store(t)
	var ids []string
	began := time.Date(2026, 1, 15, 14, 30, 15, 0, time.UTC)
	for i := range 3 { // in one second, so that only their moment tells which is the newest
		l, err := s.New(call.Run{Began: began.Add(time.Duration(i) * time.Millisecond)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, ended(t, l).Run.ID)
	}
	if !strings.HasPrefix(ids[0], "260115-143015-") {
		t.Errorf("an ID is %q", ids[0])
	}
	for _, tt := range []struct{ in, want string }{
		{ids[0], ids[0]}, {strings.ToUpper(ids[1]), ids[1]}, {"last", ids[2]}, {"", ids[2]},
	} {
		if got := found(t, s, tt.in); got.Run.ID != tt.want {
			t.Errorf("Find(%q) = %s, want %s", tt.in, got.Run.ID, tt.want)
		}
	}
	for _, tt := range []struct {
		in   string
		like int
	}{{"260115", 3}, {"zz", 0}, {"..", 0}, {ids[0] + "x", 0}} {
		_, err := s.Find(ctx, tt.in)
		var u Unknown
		if !errors.As(err, &u) || len(u.Like) != tt.like {
			t.Errorf("Find(%q): %v, want %d that it could be", tt.in, err, tt.like)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		in, run string
		number  int
		bad     bool
	}{
		{in: "last", run: "last"}, {in: "260115-143015-abc.12", run: "260115-143015-abc", number: 12}, {in: "last.1", run: "last", number: 1},
		{in: ".3", number: 3}, {in: "a.0", bad: true}, {in: "a.x", bad: true}, {in: "a.", bad: true}, {in: "a.1.2", bad: true},
	} {
		run, number, err := Split(tt.in)
		if run != tt.run || number != tt.number || (err != nil) != tt.bad {
			t.Errorf("Split(%q) = %q, %d, %v", tt.in, run, number, err)
		}
	}
}

// TestClash: an ID that is taken, by a folder or by a run that is just made, is not taken again.
func TestClash(t *testing.T) {
	s := store(t)
	first := begun(t, s)
	if _, err := s.begin(first.Run, nil); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("the ID of a run that goes on: %v, want %v", err, filelock.ErrHeld)
	}
	ended(t, first)
	if _, err := s.begin(first.Run, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("the ID of a run that ended: %v, want %v", err, os.ErrExist)
	}
	if found(t, s, first.Run.ID).Run.End == nil {
		t.Error("the run lost its end")
	}
}
