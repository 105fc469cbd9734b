package cas_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/cas"
)

// TestPlaceBySum: the sum decides, the right one as well as a wrong one; a blob that is right stays.
func TestPlaceBySum(t *testing.T) {
	for _, tt := range []struct {
		name string
		sum  func(right cas.Sum) cas.Sum
		ok   bool
	}{
		{"right", func(s cas.Sum) cas.Sum { return s }, true},
		{"not known", func(cas.Sum) cas.Sum { return 0 }, true},
		{"another", func(s cas.Sum) cas.Sum { return s ^ 1 }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			d := put(t, s, "object")
			right := cas.SumOf(blobPath(s, d))
			if right != 0x4c29ddd0 { // by another program
				t.Fatalf("the sum is %#x", right)
			}
			to := filepath.Join(t.TempDir(), "k.o")
			err := s.PlaceBySum(d, tt.sum(right), to, 0o644)
			if tt.ok && (err != nil || read(t, to) != "object") {
				t.Errorf("PlaceBySum: %v", err)
			}
			if _, there := os.Lstat(to); !tt.ok && (!errors.Is(err, cas.ErrMissing) || there == nil) {
				t.Errorf("PlaceBySum: %v, and the file is there: %v", err, there == nil)
			}
			if read(t, blobPath(s, d)) != "object" {
				t.Error("the blob is gone")
			}
		})
	}
	hard := newStore(t)
	hard.Hard = true
	d := put(t, hard, "object")
	damage(t, blobPath(hard, d), func([]byte) []byte { return []byte("edited") })
	if err := hard.PlaceBySum(d, cas.SumOf(blobPath(hard, d)), filepath.Join(t.TempDir(), "k.o"), 0o644); !errors.Is(err, cas.ErrMissing) {
		t.Errorf("a blob that was changed through a hard link: %v", err)
	}
	if s := cas.SumOf(t.TempDir()); s != 0 {
		t.Errorf("a folder has the sum %#x", s)
	}
}
