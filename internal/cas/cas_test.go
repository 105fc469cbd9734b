package cas_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/cas"
	"cupel/internal/digest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("CAS_TEST_WRITER"); dir != "" {
		writer(dir)
	}
	os.Exit(m.Run())
}

func newStore(t *testing.T) cas.Store {
	t.Helper()
	return cas.Store{Dir: filepath.Join(t.TempDir(), "a store")}
}

func blobPath(s cas.Store, d digest.Digest) string {
	return filepath.Join(s.Dir, "blobs", d.String()[:2], d.String()[2:])
}

func notePath(s cas.Store, kind string, d digest.Digest) string {
	return filepath.Join(s.Dir, "notes", kind, d.String()[:2], d.String()[2:])
}

func put(t *testing.T, s cas.Store, text string) digest.Digest {
	t.Helper()
	d, err := s.Put([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// only checks that a folder holds nothing but these names: no temporary file was left.
func only(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

// sizes around those of the pieces that are copied.
var sizes = []int{0, 1, 20_000, 64 << 10, 256<<10 - 1, 256 << 10, 256<<10 + 1, 700_000}

func TestPutAndGet(t *testing.T) {
	s := newStore(t)
	dir := t.TempDir()
	for _, size := range sizes {
		text := strings.Repeat("x", size)
		path := write(t, filepath.Join(dir, "in"), text)
		d, n, err := s.PutFile(path)
		if err != nil || d != digest.Of([]byte(text)) || n != int64(size) {
			t.Fatalf("PutFile of %d bytes = %v, %d, %v", size, d, n, err)
		}
		if again := put(t, s, text); again != d {
			t.Errorf("Put = %v, want %v", again, d)
		}
		got, err := s.Get(d, int64(size))
		if err != nil || string(got) != text {
			t.Errorf("Get of %d bytes: %d bytes, %v", size, len(got), err)
		}
		if size > 0 {
			if _, err := s.Get(d, int64(size)-1); err == nil || errors.Is(err, cas.ErrMissing) {
				t.Errorf("Get of %d bytes with a limit below: %v, want an error that is not ErrMissing", size, err)
			}
		}
		for mode, hard := range map[string]bool{"copied": false, "linked": true} {
			s := cas.Store{Dir: s.Dir, Hard: hard}
			to := filepath.Join(dir, mode)
			if err := s.Place(d, to, 0o644); err != nil || read(t, to) != text {
				t.Errorf("%d bytes %s: %v", size, mode, err)
			}
		}
	}
	only(t, dir, "copied", "in", "linked")
	only(t, filepath.Join(s.Dir, "tmp"))
}

func TestMissing(t *testing.T) {
	s := newStore(t)
	d := digest.Of([]byte("never kept"))
	to := write(t, filepath.Join(t.TempDir(), "out"), "as it was")
	if _, err := s.Get(d, 10); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("Get: %v, want %v", err, cas.ErrMissing)
	}
	if _, err := s.Note("manifest", d); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("Note: %v, want %v", err, cas.ErrMissing)
	}
	if err := s.Place(d, to, 0o644); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("Place: %v, want %v", err, cas.ErrMissing)
	}
	if got := read(t, to); got != "as it was" {
		t.Errorf("the destination is %q", got)
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("looking made the store: %v", err)
	}
	if _, _, err := s.PutFile(filepath.Join(filepath.Dir(to), "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("PutFile of nothing: %v", err)
	}
	if _, _, err := s.PutFile(filepath.Dir(to)); err == nil {
		t.Error("PutFile took a folder")
	}
}

// TestPlaced: the file is like one that a compiler just wrote.
func TestPlaced(t *testing.T) {
	s := newStore(t)
	d := put(t, s, "object")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(blobPath(s, d), old, old); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, tt := range []struct {
		name, path string
		hard       bool
	}{
		{"new", filepath.Join(dir, "new.o"), false},
		{"over an old one", write(t, filepath.Join(dir, "old.o"), "old"), false},
		{"linked", filepath.Join(dir, "linked.o"), true},
		{"linked again", filepath.Join(dir, "linked.o"), true},
		{"copied over a link", filepath.Join(dir, "linked.o"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := cas.Store{Dir: s.Dir, Hard: tt.hard}
			if err := s.Place(d, tt.path, 0o644); err != nil {
				if runtime.GOOS == "windows" && tt.name == "copied over a link" && strings.Contains(err.Error(), "read-only") {
					return
				}
				t.Fatal(err)
			}
			info, err := os.Stat(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if ago := time.Since(info.ModTime()); ago < -time.Minute || ago > time.Minute {
				t.Errorf("it was modified %v ago", ago)
			}
			if want := map[bool]fs.FileMode{false: 0o200, true: 0}[tt.hard]; info.Mode().Perm()&0o200 != want {
				t.Errorf("its mode is %v", info.Mode())
			}
			blob, err := os.Stat(blobPath(s, d))
			if err != nil || os.SameFile(blob, info) != tt.hard {
				t.Errorf("it is the blob itself: %t, want %t (%v)", os.SameFile(blob, info), tt.hard, err)
			}
		})
	}
	only(t, dir, "linked.o", "new.o", "old.o")
}

// TestPlaceTrouble: what stands in the way is told with the destination's name, and nothing is left.
func TestPlaceTrouble(t *testing.T) {
	s := newStore(t)
	d := put(t, s, "object")
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, to string }{
		{"no folder", filepath.Join(dir, "gone", "k.o")},
		{"a folder in its place", folder},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := s.Place(d, tt.to, 0o644)
			if err == nil || errors.Is(err, cas.ErrMissing) || !strings.Contains(err.Error(), tt.to) || strings.Contains(err.Error(), ".tmp") {
				t.Errorf("Place: %v, want an error about %s", err, tt.to)
			}
			if tt.name == "no folder" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Place: %v, want %v", err, fs.ErrNotExist)
			}
		})
	}
	only(t, dir, "folder")
	only(t, folder)
}

// TestModifiedHit: who writes to a placed file does not change the next hit.
func TestModifiedHit(t *testing.T) {
	for _, hard := range []bool{false, true} {
		t.Run(fmt.Sprintf("hard=%t", hard), func(t *testing.T) {
			s := newStore(t)
			s.Hard = hard
			d := put(t, s, "object")
			dir := t.TempDir()
			first, second := filepath.Join(dir, "1.o"), filepath.Join(dir, "2.o")
			if err := s.Place(d, first, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(first, 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(first, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.WriteString("OBJECT")
			_ = f.Close()
			err = s.Place(d, second, 0o644)
			switch {
			case hard && !errors.Is(err, cas.ErrMissing):
				t.Errorf("after the blob was changed through its link: %v, want %v", err, cas.ErrMissing)
			case !hard && (err != nil || read(t, second) != "object"):
				t.Errorf("the second hit: %v", err)
			}
			if put(t, s, "object"); s.Place(d, second, 0o644) != nil || read(t, second) != "object" {
				t.Error("kept again, it is not placed right")
			}
			if got := read(t, first); got != "OBJECT" {
				t.Errorf("the user's file became %q", got)
			}
		})
	}
}

// TestUsed: a use shows in the time of the file, once a day.
func TestUsed(t *testing.T) {
	s := newStore(t)
	d := put(t, s, "object")
	key := digest.Of([]byte("key"))
	if err := s.SetNote("manifest", key, []byte("note")); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "k.o")
	for _, tt := range []struct {
		name, path string
		use        func() error
	}{
		{"a blob placed", blobPath(s, d), func() error { return s.Place(d, to, 0o644) }},
		{"a blob read", blobPath(s, d), func() error { _, err := s.Get(d, 100); return err }},
		{"a note read", notePath(s, "manifest", key), func() error { _, err := s.Note("manifest", key); return err }},
	} {
		for ago, want := range map[time.Duration]bool{time.Hour: false, 25 * time.Hour: true} {
			old := time.Now().Add(-ago)
			if err := os.Chtimes(tt.path, old, old); err != nil {
				t.Fatal(err)
			}
			if err := tt.use(); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if moved := info.ModTime().Sub(old) > time.Minute; moved != want {
				t.Errorf("%s, last used %v ago: its time was set %t, want %t", tt.name, ago, moved, want)
			}
		}
	}
}

// TestManyAtOnce: everybody keeps, places and notes the same things.
func TestManyAtOnce(t *testing.T) {
	s := newStore(t)
	dir := t.TempDir()
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 50 {
				text := bytes.Repeat([]byte{byte(i % 10)}, 5_000*(i%10))
				key := digest.Of([]byte{byte(i % 10)})
				d, err := s.Put(text)
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.SetNote("manifest", key, text); err != nil && runtime.GOOS != "windows" {
					t.Error(err) // Windows: it is being read all the time
				}
				if got, err := s.Get(d, 1<<20); err != nil || !bytes.Equal(got, text) {
					t.Errorf("Get: %d bytes, %v; want %d", len(got), err, len(text))
				}
				to := filepath.Join(dir, fmt.Sprint(g%4))
				if err := s.Place(d, to, 0o644); err != nil && runtime.GOOS != "windows" {
					t.Error(err)
				}
				if got, err := s.Note("manifest", key); err == nil && !bytes.Equal(got, text) || err != nil && runtime.GOOS != "windows" {
					t.Errorf("Note: %d bytes, %v; want %d", len(got), err, len(text))
				}
			}
		})
	}
	all.Wait()
	only(t, dir, "0", "1", "2", "3")
	only(t, filepath.Join(s.Dir, "tmp"))
}

// BenchmarkPlace: a thousand outputs of a warm build.
func BenchmarkPlace(b *testing.B) {
	for _, hard := range []bool{false, true} {
		b.Run(fmt.Sprintf("hard=%t", hard), func(b *testing.B) {
			s := cas.Store{Dir: b.TempDir(), Hard: hard}
			var all []digest.Digest
			for i := range 1000 {
				d, err := s.Put(bytes.Repeat([]byte(fmt.Sprintf("%04d", i)), 5_000))
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, d)
			}
			dir := b.TempDir()
			for n := 0; b.Loop(); n++ {
				for i, d := range all {
					if err := s.Place(d, filepath.Join(dir, fmt.Sprint(n, i)), 0o644); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkNote(b *testing.B) {
	s := cas.Store{Dir: b.TempDir()}
	key := digest.Of(nil)
	if err := s.SetNote("manifest", key, make([]byte, 60_000)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Note("manifest", key); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	s := cas.Store{Dir: b.TempDir()}
	for b.Loop() {
		s.Count("miss new")
	}
}
