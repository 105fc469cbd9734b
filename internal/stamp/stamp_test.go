package stamp_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"cupel/internal/stamp"
	"cupel/internal/testbed"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// age gives a file times that lie long ago. The time of change cannot be set: it is waited for.
func age(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-time.Hour).Truncate(time.Second).Add(time.Millisecond)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	time.Sleep(30 * time.Millisecond)
}

func of(t *testing.T, path string) stamp.Stamp {
	t.Helper()
	s, err := stamp.Of(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOf(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.h"), "12345")
	for _, tt := range []struct {
		name, path string
		there, dir bool
		size       int64
	}{
		{"a file", file, true, false, 5},
		{"a folder", dir, true, true, -1},
		{"nothing", filepath.Join(dir, "b.h"), false, false, 0},
		{"in a folder that is not there", filepath.Join(dir, "no", "b.h"), false, false, 0},
		{"below a file", filepath.Join(file, "b.h"), false, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := of(t, tt.path)
			if s.Exists() != tt.there || s.Dir != tt.dir || tt.size >= 0 && s.Size != tt.size {
				t.Errorf("Of(%s) = %+v, want there %t, folder %t, size %d", tt.path, s, tt.there, tt.dir, tt.size)
			}
			if since := time.Since(time.Unix(0, s.Modified)); tt.there && (since < -time.Minute || since > time.Hour) {
				t.Errorf("Of(%s) says it was modified %v ago", tt.path, since)
			}
		})
	}
}

// TestLinks: a stamp is that of what a link leads to; one that leads nowhere is a file that is not there.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.h"), "12345")
	link, dangling := filepath.Join(dir, "link.h"), filepath.Join(dir, "dangling.h")
	testbed.Link(t, file, link)
	if err := os.Symlink(filepath.Join(dir, "gone.h"), dangling); err != nil {
		t.Fatal(err)
	}
	if got, want := of(t, link), of(t, file); got.Size != want.Size || got.Modified != want.Modified || got.Number != want.Number {
		t.Errorf("through a link %+v, want %+v", got, want)
	}
	if got := of(t, dangling); got.Exists() {
		t.Errorf("a link to nothing: %+v", got)
	}
}

func TestErrors(t *testing.T) {
	if s, err := stamp.Of("a\x00b"); err == nil {
		t.Errorf("Of a name with a zero byte = %+v, want an error", s)
	}
}

// TestChanges: what must give another stamp. Windows tells no time of change, so what sets the write time back is not seen.
func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		name   string
		unix   bool
		change func(t *testing.T, path string, was time.Time)
	}{
		{"another size", false, func(t *testing.T, path string, was time.Time) {
			write(t, path, "123456")
			setTime(t, path, was)
		}},
		{"another time", false, func(t *testing.T, path string, _ time.Time) { write(t, path, "54321") }},
		{"the time set back", true, func(t *testing.T, path string, was time.Time) {
			write(t, path, "54321")
			setTime(t, path, was)
		}},
		{"another file in its place", true, func(t *testing.T, path string, was time.Time) {
			other := write(t, path+".new", "54321")
			setTime(t, other, was)
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
		}},
		{"gone", false, func(t *testing.T, path string, _ time.Time) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		if tt.unix && runtime.GOOS == "windows" {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, filepath.Join(t.TempDir(), "a.h"), "12345")
			age(t, path)
			was := of(t, path)
			if again := of(t, path); again != was {
				t.Fatalf("unchanged, the stamp went from %+v to %+v", was, again)
			}
			tt.change(t, path, time.Unix(0, was.Modified))
			if now := of(t, path); now == was {
				t.Errorf("the stamp is still %+v", now)
			}
		})
	}
}

func setTime(t *testing.T, path string, to time.Time) {
	t.Helper()
	if err := os.Chtimes(path, to, to); err != nil {
		t.Fatal(err)
	}
}

func TestSettled(t *testing.T) {
	now := time.Unix(1_700_000_000, 500)
	at := func(ago time.Duration) int64 { return now.Add(-ago).UnixNano() }
	for _, tt := range []struct {
		name              string
		modified, changed int64
		want              bool
	}{
		{"an old file", at(time.Hour), at(time.Hour), true},
		{"an hour old, replaced just now", at(time.Hour), at(time.Millisecond), false},
		{"written just now, its change not told", at(time.Millisecond), 0, false},
		{"older than a tick", at(21 * time.Millisecond), at(21 * time.Millisecond), true},
		{"as old as a tick", at(20 * time.Millisecond), 0, false},
		{"a second ago in whole seconds", at(time.Second + 500), at(time.Second + 500), false},
		{"three seconds ago in whole seconds", at(3*time.Second + 500), 0, true},
		{"now", at(0), at(0), false},
		{"the future", at(-time.Hour), at(time.Hour), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := stamp.Stamp{Size: 1, Number: 1, Modified: tt.modified, Changed: tt.changed}
			if got := s.Settled(now); got != tt.want {
				t.Errorf("Settled = %t, want %t", got, tt.want)
			}
		})
	}
	if (stamp.Stamp{}).Settled(now) {
		t.Error("a file that is not there is settled")
	}
}
