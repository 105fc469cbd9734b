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
	if err := s.copy(d, &b, f, info.Size()); err != nil {
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
func (s Store) copy(d digest.Digest, to io.Writer, blob *os.File, size int64) error {
	got, _, err := copyDigest(to, io.LimitReader(blob, size+1)) // one more: a longer one has another digest
	var read readError
	if errors.As(err, &read) {
		return missing(err)
	}
	if err != nil {
		return err
	}
	if got != d {
		_ = blob.Close() // Windows removes no open file
		_ = os.Remove(s.blob(d))
		return fmt.Errorf("%w: the blob is torn or was changed: it is taken away", ErrMissing)
	}
	return nil
}
