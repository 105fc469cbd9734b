package cas

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"cupel/internal/digest"
)

var errNotRegular = errors.New("not a regular file")

// PutFile keeps the bytes of a file.
func (s Store) PutFile(path string) (digest.Digest, int64, error) {
	d, size, err := s.putFile(path)
	if err != nil {
		return digest.Digest{}, 0, fmt.Errorf("keep %s: %w", path, err)
	}
	return d, size, nil
}

func (s Store) putFile(path string) (digest.Digest, int64, error) {
	info, err := os.Stat(path) // before it is opened: a pipe would be waited for
	if err != nil {
		return digest.Digest{}, 0, err
	}
	if !info.Mode().IsRegular() {
		return digest.Digest{}, 0, errNotRegular
	}
	from, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return digest.Digest{}, 0, err
	}
	defer from.Close()
	return s.put(from, info.Size())
}

// put names what was written, not what was to be: the file may change meanwhile.
func (s Store) put(from io.Reader, size int64) (d digest.Digest, n int64, err error) {
	tmp, err := s.temp(blobMode)
	if err != nil {
		return d, 0, err
	}
	defer tmp.drop()
	if source, ok := from.(*os.File); ok && clone(tmp.File, source) == nil {
		d, n, err = copyDigest(io.Discard, tmp.File)
	} else {
		d, n, err = copyDigest(tmp.File, from)
	}
	if err != nil {
		return digest.Digest{}, 0, err
	}
	if s.right(d, n) {
		return d, n, nil
	}
	// Windows replaces no file that another process has open: it was not there a moment ago and then is right.
	if err := tmp.become(s.blob(d)); err != nil && !s.right(d, n) {
		return digest.Digest{}, 0, err
	}
	return d, n, nil
}

// right: the blob is there and whole. It is read for that: one that a power cut tore would stay for ever.
func (s Store) right(d digest.Digest, size int64) bool {
	f, info, err := s.openBlob(d)
	if err != nil {
		return false
	}
	defer f.Close()
	return info.Size() == size && s.copy(name{Digest: d}, io.Discard, f, size) == nil
}

// pieces are what is copied at once. Of a new one only as much takes memory as is used.
var pieces = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// readError sets trouble with the source apart from trouble with the target.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// copyDigest copies and names what it copied.
func copyDigest(to io.Writer, from io.Reader) (digest.Digest, int64, error) {
	h := sha256.New()
	n, err := copyInto(to, from, h)
	if err != nil {
		return digest.Digest{}, n, err
	}
	return digest.Digest(h.Sum(nil)), n, nil
}

// copyInto copies, and shows what it copied to a hash.
func copyInto(to io.Writer, from io.Reader, h io.Writer) (total int64, err error) {
	whole := pieces.Get().(*[64 << 10]byte)
	defer pieces.Put(whole)
	piece := whole[:]
	for {
		n, err := from.Read(piece)
		if n > 0 {
			_, _ = h.Write(piece[:n])
			if _, err := to.Write(piece[:n]); err != nil {
				return total, err
			}
			total += int64(n)
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, readError{err}
		}
	}
}
