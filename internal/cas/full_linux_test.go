package cas_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/testbed"
)

// TestStoreFull: what does not fit is told, nothing is left of it, and what was kept before is there.
func TestStoreFull(t *testing.T) {
	s := cas.Store{Dir: filepath.Join(testbed.SmallDisk(t), "store")}
	first := put(t, s, "first")
	large := write(t, filepath.Join(t.TempDir(), "large"), string(make([]byte, 500_000)))
	if _, _, err := s.PutFile(large); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("PutFile: %v, want %v", err, unix.ENOSPC)
	}
	if err := s.SetNote("manifest", first, make([]byte, 500_000)); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("SetNote: %v, want %v", err, unix.ENOSPC)
	}
	only(t, filepath.Join(s.Dir, "tmp"))
	if b, err := s.Get(first, 10); err != nil || string(b) != "first" {
		t.Errorf("Get: %q, %v", b, err)
	}
	for i := range 100 { // to the last page
		if _, err := s.Put(bytes.Repeat([]byte{byte(i)}, 4096)); err != nil {
			break
		}
	}
	for range 10_000 {
		s.Count("hit")
	}
	if _, err := s.Tally(); err != nil {
		t.Errorf("Tally: %v", err)
	}
	if got, err := s.Trim(ctx, 10_000); err != nil || got.Files == 0 {
		t.Errorf("Trim of a full disk: %+v, %v", got, err)
	}
	if _, err := s.Put(bytes.Repeat([]byte("x"), 4096)); err != nil {
		t.Errorf("after the trim: %v", err)
	}
}

// TestOutputFull: the destination stays as it was.
func TestOutputFull(t *testing.T) {
	s := newStore(t)
	d, err := s.Put(make([]byte, 500_000))
	if err != nil {
		t.Fatal(err)
	}
	dir := testbed.SmallDisk(t)
	to := write(t, filepath.Join(dir, "k.o"), "as it was")
	for _, hard := range []bool{false, true} { // a link to another disk is a copy
		s.Hard = hard
		if err := s.Place(d, to, 0o644); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("Place: %v, want %v", err, unix.ENOSPC)
		}
	}
	only(t, dir, "k.o")
	if got := read(t, to); got != "as it was" {
		t.Errorf("the destination became %.20q…", got)
	}
	s.Hard = true
	small := put(t, s, "small")
	if err := s.Place(small, to, 0o644); err != nil || read(t, to) != "small" {
		t.Errorf("a link to another disk: %v", err)
	}
	if _, err := s.Note("manifest", digest.Of(nil)); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("Note: %v", err)
	}
}
