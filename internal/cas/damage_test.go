package cas_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/cas"
	"cupel/internal/digest"
)

// damages are what disks, power cuts and people do to a file.
var damages = []struct {
	name string
	do   func(b []byte) []byte
}{
	{"first bit", func(b []byte) []byte { b[0] ^= 1; return b }},
	{"middle bit", func(b []byte) []byte { b[len(b)/2] ^= 0x10; return b }},
	{"last bit", func(b []byte) []byte { b[len(b)-1] ^= 0x80; return b }},
	{"cut off", func(b []byte) []byte { return b[:len(b)/2] }},
	{"empty", func([]byte) []byte { return nil }},
	{"longer", func(b []byte) []byte { return append(b, 0) }},
	{"zeros at the end", func(b []byte) []byte { clear(b[len(b)*3/4:]); return b }},
}

func damage(t *testing.T, path string, do func([]byte) []byte) {
	t.Helper()
	b := []byte(read(t, path))
	_ = os.Chmod(path, 0o644)
	if err := os.WriteFile(path, do(b), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedBlob(t *testing.T) {
	for _, text := range []string{strings.Repeat("small ", 100), strings.Repeat("large enough to be cloned ", 10_000)} {
		for _, d := range damages {
			for _, use := range []string{"get", "place", "link", "place by sum"} {
				t.Run(d.name+" "+use, func(t *testing.T) {
					s := newStore(t)
					s.Hard = use == "link"
					name := put(t, s, text)
					sum := cas.SumOf(blobPath(s, name))
					damage(t, blobPath(s, name), d.do)
					to := write(t, filepath.Join(t.TempDir(), "k.o"), "as it was")
					var err error
					switch use {
					case "get":
						_, err = s.Get(name, 1<<20)
					case "place by sum":
						err = s.PlaceBySum(name, sum, to, 0o644)
					default:
						err = s.Place(name, to, 0o644)
					}
					if !errors.Is(err, cas.ErrMissing) {
						t.Errorf("%s: %v, want %v", use, err, cas.ErrMissing)
					}
					if got := read(t, to); got != "as it was" {
						t.Errorf("the destination became %.20q…", got)
					}
					only(t, filepath.Dir(to), "k.o")
					only(t, filepath.Dir(blobPath(s, name)))
					put(t, s, text)
					if err := s.Place(name, to, 0o644); err != nil || read(t, to) != text {
						t.Errorf("kept again: %v", err)
					}
				})
			}
		}
	}
}

// TestHealed: what is kept again replaces a damaged blob, also when nobody noticed the damage.
func TestHealed(t *testing.T) {
	for _, d := range damages {
		s := newStore(t)
		text := strings.Repeat("text ", 100)
		name := put(t, s, text)
		damage(t, blobPath(s, name), d.do)
		put(t, s, text)
		if got, err := s.Get(name, 1000); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", d.name, len(got), err)
		}
	}
}

// TestDamagedNote: every bit of a note and every length is looked after.
func TestDamagedNote(t *testing.T) {
	s := newStore(t)
	key, other := digest.Of([]byte("key")), digest.Of([]byte("other"))
	const body = "a manifest"
	set := func() {
		t.Helper()
		if err := s.SetNote("manifest", key, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	set()
	path := notePath(s, "manifest", key)
	whole := read(t, path)
	gone := func(what string) {
		t.Helper()
		if b, err := s.Note("manifest", key); !errors.Is(err, cas.ErrMissing) {
			t.Errorf("%s: %q, %v; want %v", what, b, err, cas.ErrMissing)
		}
		only(t, filepath.Dir(path))
	}
	for i := range 8 * len(whole) {
		b := []byte(whole)
		b[i/8] ^= 1 << (i % 8)
		write(t, path, string(b))
		gone("a bit flipped")
	}
	for i := range len(whole) {
		write(t, path, whole[:i])
		gone("cut off")
	}
	write(t, path, whole+"\x00")
	gone("longer")
	for _, elsewhere := range []string{notePath(s, "manifest", other), notePath(s, "compiler", key)} {
		if err := os.MkdirAll(filepath.Dir(elsewhere), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, elsewhere, whole)
	}
	if b, err := s.Note("manifest", other); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("under another key: %q, %v", b, err)
	}
	if b, err := s.Note("compiler", key); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("under another kind: %q, %v", b, err)
	}
	set()
	if b, err := s.Note("manifest", key); err != nil || string(b) != body {
		t.Errorf("written again: %q, %v", b, err)
	}
}

func TestCheck(t *testing.T) {
	s := newStore(t)
	good, bad := put(t, s, "good"), put(t, s, "bad")
	key, torn := digest.Of([]byte("key")), digest.Of([]byte("torn"))
	for _, k := range []digest.Digest{key, torn} {
		if err := s.SetNote("manifest", k, []byte("note")); err != nil {
			t.Fatal(err)
		}
	}
	damage(t, blobPath(s, bad), damages[0].do)
	damage(t, notePath(s, "manifest", torn), damages[3].do)
	var last, total int
	found, err := s.Check(context.Background(), func(d, of int) { last, total = d, of })
	if err != nil || last != 4 || total != 4 {
		t.Errorf("Check looked at %d of %d, %v; want 4", last, total, err)
	}
	want := []string{blobPath(s, bad), notePath(s, "manifest", torn)}
	if len(found) != 2 || found[0].Path != want[0] || found[1].Path != want[1] || !found[0].Gone || !found[1].Gone {
		t.Errorf("Check found %+v, want %q", found, want)
	}
	if found, err := s.Check(context.Background(), func(int, int) {}); err != nil || len(found) != 0 {
		t.Errorf("a second Check found %+v, %v", found, err)
	}
	if _, err := s.Get(good, 10); err != nil {
		t.Errorf("the good blob: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.Check(stopped, func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped, Check says %v", err)
	}
}

// FuzzNote: whatever stands in a note's file is a whole note or none.
func FuzzNote(f *testing.F) {
	f.Add([]byte("cpn1\x00\x00\x00\x00body"))
	f.Add([]byte{})
	s := cas.Store{Dir: f.TempDir()}
	key := digest.Of(nil)
	path := notePath(s, "manifest", key)
	if err := s.SetNote("manifest", key, []byte("x")); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		body, err := s.Note("manifest", key)
		if err != nil {
			if !errors.Is(err, cas.ErrMissing) {
				t.Errorf("%q: %v", b, err)
			}
			return
		}
		if err := s.SetNote("manifest", key, body); err != nil || read(t, path) != string(b) {
			t.Errorf("%q is taken for a note that is written differently: %v", b, err)
		}
	})
}
