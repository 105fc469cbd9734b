package stamp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/wire"
)

func known(t *testing.T, f *stamp.Files, path string) stamp.Known {
	t.Helper()
	k, err := f.Known(path)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKnown(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.h"), "one")
	age(t, path)
	f := stamp.New()
	k := known(t, f, path)
	if k.Digest != digest.Of([]byte("one")) || !k.Settled || k.Stamp != of(t, path) {
		t.Errorf("Known = %+v", k)
	}
	write(t, path, "another")
	if again := known(t, f, path); again != k {
		t.Errorf("asked for twice: %+v, want what was known, %+v", again, k)
	}
	f.Forget(path)
	if now := known(t, f, path); now.Digest != digest.Of([]byte("another")) || now.Settled {
		t.Errorf("after Forget: %+v, want the new content, not settled", now)
	}
	if folder := known(t, f, dir); !folder.Stamp.Dir || !folder.Digest.IsZero() {
		t.Errorf("a folder: %+v", folder)
	}
	if gone := known(t, f, filepath.Join(dir, "gone.h")); gone != (stamp.Known{}) {
		t.Errorf("a file that is not there: %+v", gone)
	}
}

// TestLargeAndEmpty: files of any size are read to their end.
func TestLargeAndEmpty(t *testing.T) {
	for _, size := range []int{0, 1, 128<<10 - 1, 128 << 10, 128<<10 + 1, 1_000_000} {
		text := string(make([]byte, size))
		path := write(t, filepath.Join(t.TempDir(), "a.h"), text)
		if k := known(t, stamp.New(), path); k.Digest != digest.Of([]byte(text)) || k.Stamp.Size != int64(size) {
			t.Errorf("%d bytes: %+v", size, k)
		}
	}
}

// TestLearn: what was written down is used for the same stamp, when it was settled; else the file is read.
func TestLearn(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.h"), "real")
	age(t, path)
	real, told := digest.Of([]byte("real")), digest.Of([]byte("told")) // a wrong one: it shows whether the file was read
	s := of(t, path)
	moved := s
	moved.Modified++
	for _, tt := range []struct {
		name  string
		learn stamp.Known
		want  digest.Digest
	}{
		{"same stamp", stamp.Known{Stamp: s, Digest: told, Settled: true}, told},
		{"not settled", stamp.Known{Stamp: s, Digest: told}, real},
		{"another stamp", stamp.Known{Stamp: moved, Digest: told, Settled: true}, real},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := stamp.New()
			f.Learn(path, tt.learn)
			if k := known(t, f, path); k.Digest != tt.want || k.Stamp != s || !k.Settled {
				t.Errorf("Known = %+v, want digest %v", k, tt.want)
			}
		})
	}
}

// TestManyAtOnce: all get the same answer, also about files that are written meanwhile.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	const n = 40
	paths := make([]string, n)
	for i := range paths {
		paths[i] = write(t, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprint(i))
	}
	f := stamp.New()
	var answers [n]sync.Map
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i, p := range paths {
				k, err := f.Known(p)
				if err != nil {
					t.Error(err)
				}
				answers[i].Store(k, true)
				_ = os.WriteFile(p, []byte("later"), 0o644)
			}
		})
	}
	all.Wait()
	for i := range answers {
		got := 0
		answers[i].Range(func(any, any) bool { got++; return true })
		if got != 1 {
			t.Errorf("file %d has %d answers, want 1", i, got)
		}
	}
}

// TestRestless: a file that grows while it is read gives what it was at one moment, or an error.
func TestRestless(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.h"), "")
	whole := make([]byte, 8<<20)
	for i := range whole {
		whole[i] = byte(i >> 10)
	}
	var size atomic.Int64
	var stop atomic.Bool
	var all sync.WaitGroup
	all.Go(func() {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		for rest := whole; len(rest) > 0 && !stop.Load(); rest = rest[1024:] {
			_, _ = f.Write(rest[:1024])
			size.Add(1024)
		}
	})
	right := func() {
		t.Helper()
		k, err := stamp.New().Known(path)
		if err == nil && k.Digest != digest.Of(whole[:k.Stamp.Size]) {
			t.Errorf("its first %d bytes have another digest", k.Stamp.Size)
		}
		if err != nil && !strings.Contains(err.Error(), "changes while it is read") {
			t.Error(err)
		}
	}
	for range 6 {
		right()
	}
	stop.Store(true)
	all.Wait()
	if k, err := stamp.New().Known(path); err != nil || k.Stamp.Size != size.Load() {
		t.Errorf("at rest: %+v, %v; want %d bytes", k, err, size.Load())
	}
	right()
}

func FuzzTake(f *testing.F) {
	for _, s := range []stamp.Stamp{
		{},
		{Size: 5, Modified: 1_700_000_000_123_456_789, Changed: 1_700_000_000_123_456_789, Device: 65024, Number: 1 << 33},
		{Dir: true, Number: 1, Modified: -1},
	} {
		f.Add(s.Append(nil))
	}
	f.Add([]byte{3})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, rest, ok := stamp.Take(b)
		r := wire.Read(string(b))
		if got := stamp.From(r); got != s || r.Bad == ok || r.Rest() != string(rest) {
			t.Errorf("%x is %+v, %t; off a reader it is %+v, torn %t, with %x left", b, s, ok, got, r.Bad, r.Rest())
		}
		if !ok {
			return
		}
		again, left, ok := stamp.Take(append(s.Append(nil), rest...))
		if !ok || again != s || string(left) != string(rest) {
			t.Errorf("%x is %+v; written again it is %+v, %t", b, s, again, ok)
		}
	})
}

func TestTakeShort(t *testing.T) {
	s := stamp.Stamp{Size: 300, Modified: 1, Changed: 2, Device: 300, Number: 300}
	b := s.Append(nil)
	if got, rest, ok := stamp.Take(append(b, 7)); got != s || len(rest) != 1 || !ok {
		t.Fatalf("Take = %+v, %x, %t", got, rest, ok)
	}
	for i := range b {
		if got, _, ok := stamp.Take(b[:i]); ok {
			t.Errorf("the first %d bytes of %d are taken for %+v", i, len(b), got)
		}
	}
}

// BenchmarkStamps: a thousand files, as a warm hit asks for them.
func BenchmarkStamps(b *testing.B) {
	dir := b.TempDir()
	paths := make([]string, 1000)
	for i := range paths {
		paths[i] = filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(paths[i], nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("Of", func(b *testing.B) {
		for b.Loop() {
			for _, p := range paths {
				if s, err := stamp.Of(p); err != nil || !s.Exists() {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("Files", func(b *testing.B) {
		for b.Loop() {
			f := stamp.New()
			for _, p := range paths {
				if s, err := f.Stamp(p); err != nil || !s.Exists() {
					b.Fatal(err)
				}
			}
		}
	})
}
