package learned

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"cupel/internal/digest"
)

func key(i int) digest.Digest { return digest.Of(fmt.Append(nil, i)) }

func save(t *testing.T, b *Book) {
	t.Helper()
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, b *Book, i int, w Row, there bool) {
	t.Helper()
	if got, ok := b.Get(key(i)); got != w || ok != there {
		t.Errorf("row %d = %+v, %t; want %+v, %t", i, got, ok, w, there)
	}
}

func TestBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a folder", "learned")
	b := Open(path)
	want(t, b, 1, Row{}, false)
	save(t, b)
	if _, err := os.Stat(path); err == nil {
		t.Error("nothing was learned, and a file was written")
	}
	one, two := Row{3 * time.Second, 1 << 30}, Row{time.Millisecond, 0}
	b.Set(key(1), one)
	want(t, b, 1, one, true)
	save(t, b)
	other := Open(path)
	want(t, other, 1, one, true)
	b.Set(key(2), two)
	save(t, b)
	other.Set(key(1), two)
	save(t, other)
	for i := range 2 {
		want(t, Open(path), i+1, two, true)
	}
	b.Set(key(3), Row{-1, -1})
	want(t, b, 3, Row{}, true)
}

// TestDamaged: a book with any bit wrong, or any part missing, is empty, and the next Save makes it good.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "learned")
	b := Open(path)
	b.Set(key(1), Row{time.Second, 5})
	save(t, b)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(whole) {
		bad := append([]byte(nil), whole...)
		bad[i/8] ^= 1 << (i % 8)
		if rows := decode(bad); len(rows) != 0 {
			t.Errorf("with bit %d wrong it has %v", i, rows)
		}
	}
	for i := range whole {
		if rows := decode(whole[:i]); len(rows) != 0 {
			t.Errorf("the first %d bytes have %v", i, rows)
		}
	}
	if err := os.WriteFile(path, whole[:10], 0o644); err != nil {
		t.Fatal(err)
	}
	b.Set(key(2), Row{time.Minute, 6})
	save(t, b)
	want(t, Open(path), 2, Row{time.Minute, 6}, true)
	want(t, Open(t.TempDir()), 2, Row{}, false)
}

// TestNewest: the newest 20,000 rows stay.
func TestNewest(t *testing.T) {
	rows := map[name]entry{}
	for i := range maxRows + 10 {
		rows[nameOf(key(i))] = entry{Row{1, 1}, int64(i)}
	}
	b := encode(rows)
	if int64(len(b)) != maxFile {
		t.Errorf("the file has %d bytes, want %d", len(b), maxFile)
	}
	left := decode(b)
	if _, ok := left[nameOf(key(10))]; len(left) != maxRows || !ok {
		t.Errorf("%d rows stay, the first to stay %t", len(left), ok)
	}
	if _, ok := left[nameOf(key(9))]; ok {
		t.Error("an old row stays")
	}
}

// TestManySavers: nobody's rows are lost.
func TestManySavers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "learned")
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			b := Open(path)
			for i := range 10 {
				b.Set(key(100*g+i), Row{time.Second, int64(i)})
				if err := b.Save(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	b := Open(path)
	for g := range 8 {
		for i := range 10 {
			want(t, b, 100*g+i, Row{time.Second, int64(i)}, true)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left are %v, %v", entries, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(map[name]entry{nameOf(key(1)): {Row{time.Second, 5}, 1_700_000_000}}))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		rows := decode(b)
		again := decode(encode(rows))
		if len(again) != len(rows) {
			t.Errorf("%d rows, written again %d", len(rows), len(again))
		}
		for n, e := range rows {
			if again[n] != e || e.row.Time < 0 || e.row.Peak < 0 {
				t.Errorf("row %x is %+v, written again %+v", n, e, again[n])
			}
		}
	})
}
