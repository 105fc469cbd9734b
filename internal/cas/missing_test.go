package cas

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"cupel/internal/digest"
)

// stale reads like a file over a network that was replaced meanwhile.
type stale struct{ left int }

func (s *stale) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, &fs.PathError{Op: "read", Path: "blob", Err: errStale}
	}
	n := min(s.left, len(p))
	s.left -= n
	return n, nil
}

var errStale = errors.New("stale file handle")

// TestVanished: a file that cannot be read on is missing, with the reason; trouble with the target is not.
func TestVanished(t *testing.T) {
	_, n, err := copyDigest(io.Discard, &stale{left: 1000})
	var read readError
	if n != 1000 || !errors.As(err, &read) {
		t.Errorf("copyDigest = %d, %v; want a readError after 1000 bytes", n, err)
	}
	for _, tt := range []struct {
		name string
		err  error
		tell bool // the reason is worth telling
	}{
		{"not there", fs.ErrNotExist, false},
		{"below a file", syscall.ENOTDIR, false},
		{"vanished while read", err, true},
		{"may not be read", fs.ErrPermission, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := missing(tt.err); !errors.Is(got, ErrMissing) || errors.Is(got, tt.err) != tt.tell {
				t.Errorf("missing(%v) = %v", tt.err, got)
			}
		})
	}
}

// TestFolderInPlace: a folder under a blob's or a note's name is no blob and no note.
func TestFolderInPlace(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	d := digest.Of([]byte("x"))
	for _, path := range []string{s.blob(d), s.note("manifest", d)} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(d, 10); !errors.Is(err, ErrMissing) {
		t.Errorf("Get: %v", err)
	}
	if _, err := s.Note("manifest", d); !errors.Is(err, ErrMissing) {
		t.Errorf("Note: %v", err)
	}
	if err := s.Place(d, filepath.Join(s.Dir, "out"), 0o644); !errors.Is(err, ErrMissing) {
		t.Errorf("Place: %v", err)
	}
}
