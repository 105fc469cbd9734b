package cas_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/filelock"
)

var ctx = context.Background()

// aged sets the time of a file's last use, in days ago.
func aged(t *testing.T, path string, days int) {
	t.Helper()
	at := time.Now().AddDate(0, 0, -days)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// filled is a store with ten blobs and ten notes of 1,000 bytes, the first used ten days ago, the next nine days ago.
func filled(t *testing.T) (s cas.Store, paths []string) {
	t.Helper()
	s = newStore(t)
	for i := range 10 {
		d := put(t, s, strings.Repeat(fmt.Sprint(i), 1000))
		key := digest.Of([]byte{byte(i)})
		if err := s.SetNote("manifest", key, make([]byte, 1000-8)); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{blobPath(s, d), notePath(s, "manifest", key)} {
			aged(t, p, 10-i)
			paths = append(paths, p)
		}
	}
	return s, paths
}

func TestUsage(t *testing.T) {
	s, _ := filled(t)
	u, err := s.Usage()
	if want := (cas.Usage{Bytes: 20_000, Blobs: 10, Notes: 10}); err != nil || u != want {
		t.Errorf("Usage = %+v, %v; want %+v", u, err, want)
	}
	if u, err := newStore(t).Usage(); err != nil || u != (cas.Usage{}) {
		t.Errorf("of no store: %+v, %v", u, err)
	}
}

func TestTrim(t *testing.T) {
	for _, tt := range []struct {
		name         string
		limit, store int64
		gone         int
	}{
		{"below the limit", 20_000, 0, 0},
		{"above it", 10_000, 0, 12},
		{"the store's own", 0, 15_000, 8},
		{"the default", 0, 0, 0},
		{"nearly nothing", 1, 0, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, paths := filled(t)
			s.Limit = tt.store
			got, err := s.Trim(ctx, tt.limit)
			want := cas.Trimmed{Files: int64(tt.gone), Bytes: int64(tt.gone) * 1000, Left: int64(20-tt.gone) * 1000}
			if err != nil || got != want {
				t.Errorf("Trim = %+v, %v; want %+v", got, err, want)
			}
			for i, p := range paths {
				if _, err := os.Stat(p); (err != nil) != (i < tt.gone) {
					t.Errorf("file %d, oldest first: %v; want the first %d gone", i, err, tt.gone)
				}
			}
		})
	}
	if got, err := newStore(t).Trim(ctx, 1); err != nil || got != (cas.Trimmed{}) {
		t.Errorf("Trim of no store = %+v, %v", got, err)
	}
}

// TestTrimLeaves: who cannot have the lock leaves, who is stopped stops.
func TestTrimLeaves(t *testing.T) {
	s, _ := filled(t)
	release, err := filelock.Try(filepath.Join(s.Dir, ".trim"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Trim(ctx, 1); err != nil || !got.Held || got.Files != 0 {
		t.Errorf("while another trims: %+v, %v", got, err)
	}
	release()
	stopped, stop := context.WithCancel(ctx)
	stop()
	if got, err := s.Trim(stopped, 1); !errors.Is(err, context.Canceled) || got.Files != 0 {
		t.Errorf("stopped: %+v, %v", got, err)
	}
	if got, err := s.Trim(ctx, 1); err != nil || got.Files != 20 {
		t.Errorf("afterwards: %+v, %v", got, err)
	}
}

// TestSweep: what killed processes left goes after an hour; what others left in the folder stays.
func TestSweep(t *testing.T) {
	s, _ := filled(t)
	tmp := filepath.Join(s.Dir, "tmp")
	for _, name := range []string{".cupel-0.tmp", ".cupel-1.tmp", "notes.txt"} {
		write(t, filepath.Join(tmp, name), "")
	}
	aged(t, filepath.Join(tmp, ".cupel-0.tmp"), 1)
	aged(t, filepath.Join(tmp, "notes.txt"), 1)
	if _, err := s.Trim(ctx, 0); err != nil {
		t.Fatal(err)
	}
	only(t, tmp, ".cupel-1.tmp", "notes.txt")
}

func TestTrimSometimes(t *testing.T) {
	s, _ := filled(t)
	s.Limit = 10_000
	blobs := func() int64 {
		t.Helper()
		u, err := s.Usage()
		if err != nil {
			t.Fatal(err)
		}
		return u.Bytes
	}
	s.TrimSometimes()
	if got := blobs(); got != 8_000 {
		t.Errorf("the first time: %d bytes are left, want 8000", got)
	}
	s.Limit = 1_000
	s.TrimSometimes()
	if got := blobs(); got != 8_000 {
		t.Errorf("right after it: %d bytes are left, want 8000", got)
	}
	aged(t, filepath.Join(s.Dir, "trimmed"), 1)
	s.TrimSometimes()
	if got := blobs(); got != 0 {
		t.Errorf("a day later: %d bytes are left, want 0", got)
	}
	none := newStore(t)
	none.TrimSometimes()
	if _, err := os.Stat(none.Dir); err == nil {
		t.Error("trimming made a store")
	}
}

// TestTrimWhileUsed: files and folders that vanish under its users cost them misses, never an error or a wrong file.
func TestTrimWhileUsed(t *testing.T) {
	s := newStore(t)
	dir := t.TempDir()
	var stop atomic.Bool
	var users, trimmers sync.WaitGroup
	trimmers.Go(func() {
		for i := 0; !stop.Load(); i++ {
			if _, err := s.Trim(ctx, 50_000); err != nil {
				t.Error(err)
			}
			if i%20 == 0 {
				_ = os.RemoveAll(filepath.Join(s.Dir, "blobs"))
			}
		}
	})
	var hits, misses atomic.Int64
	for g := range 4 {
		users.Go(func() {
			for i := range 60 {
				text := content(i%10, 20_000)
				d, err := s.Put(text)
				if err != nil {
					misses.Add(1)
					continue // its folder went between two steps
				}
				to := filepath.Join(dir, fmt.Sprint(g))
				switch err := s.Place(d, to, 0o644); {
				case err == nil && read(t, to) == string(text):
					hits.Add(1)
				case errors.Is(err, cas.ErrMissing):
					misses.Add(1)
				default:
					t.Errorf("Place: %v", err)
				}
			}
		})
	}
	users.Wait()
	stop.Store(true)
	trimmers.Wait()
	if hits.Load() == 0 {
		t.Errorf("%d hits, %d misses: nothing was proved", hits.Load(), misses.Load())
	}
}

func TestNotes(t *testing.T) {
	s, _ := filled(t)
	if err := s.SetNote("compiler", digest.Of(nil), []byte("gcc")); err != nil {
		t.Fatal(err)
	}
	n := 0
	for key, b := range s.Notes("manifest") {
		if want, err := s.Note("manifest", key); err != nil || string(b) != string(want) {
			t.Errorf("note %v: %d bytes, want %d (%v)", key, len(b), len(want), err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d notes, want 10", n)
	}
	for range s.Notes("manifest") {
		n++
		break
	}
	if n != 11 {
		t.Errorf("after a break %d more came, want 1", n-10)
	}
	for key := range s.Notes("nothing") {
		t.Errorf("a kind without notes has %v", key)
	}
}
