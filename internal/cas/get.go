package cas

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"cupel/internal/digest"
)

var errTooLarge = errors.New("larger than it may be")

// Get gives bytes that were kept, at most limit.
func (s Store) Get(d digest.Digest, limit int64) ([]byte, error) {
	f, info, err := s.openBlob(d)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, fmt.Errorf("read blob %s: %d bytes: %w", d, info.Size(), errTooLarge)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()))
	if err := s.copy(name{Digest: d}, &b, f, info.Size()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// openBlob opens a blob and notes that it is used.
func (s Store) openBlob(d digest.Digest) (*os.File, os.FileInfo, error) {
	path := s.blob(d)
	f, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, nil, missing(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, missing(err)
	}
	used(path, info.ModTime())
	return f, info, nil
}

// copy gives a blob's bytes on. What does not have the blob's name is taken away, and what was written must not be used.
func (s Store) copy(n name, to io.Writer, blob *os.File, size int64) error {
	if n.sum != 0 {
		return s.bySum(n, to, blob, size)
	}
	got, _, err := copyDigest(to, io.LimitReader(blob, size+1)) // one more: a longer one has another digest
	if err != nil {
		return unread(err)
	}
	if got != n.Digest {
		_ = blob.Close() // Windows removes no open file
		_ = os.Remove(s.blob(n.Digest))
		return fmt.Errorf("%w: the blob is torn or was changed: it is taken away", ErrMissing)
	}
	return nil
}

// unread: a blob that cannot be read is one that is not there.
func unread(err error) error {
	var read readError
	if errors.As(err, &read) {
		return missing(err)
	}
	return err
}
