package cas

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cupel/internal/digest"
)

// Place makes a file of a blob: a reflink, else a copy, checked against its name before it takes its place. It has the mode
// as the user's mask cuts it, and is new, like a compiler's. What is no regular file (a link, /dev/null, a pipe) is written
// through, as compilers do. Its folder must be there. On ErrMissing and on trouble the destination is as it was.
func (s Store) Place(d digest.Digest, to string, mode fs.FileMode) error {
	return s.PlaceBySum(d, 0, to, mode)
}

func (s Store) place(n name, to string, mode fs.FileMode) error {
	blob, info, err := s.openBlob(n.Digest)
	if err != nil {
		return err
	}
	defer blob.Close()
	there, err := os.Lstat(to)
	if err == nil && !there.Mode().IsRegular() {
		return s.through(n, blob, info.Size(), to, mode)
	}
	if s.Hard {
		err := s.link(n, blob, info.Size(), to)
		if err == nil || errors.Is(err, ErrMissing) {
			return err
		}
		// Another disk, too many links: a copy is always possible.
		if blob, info, err = s.openBlob(n.Digest); err != nil {
			return err
		}
		defer blob.Close()
	}
	return s.fresh(n, blob, info.Size(), to, mode)
}

// cloneFrom: to check and then share a file beats copying it only when it is large.
const cloneFrom = 64 << 10

// fresh puts a new file in place: where it can be, one that has no name before it is whole, so that a killed process leaves
// nothing in the user's folder.
func (s Store) fresh(n name, blob *os.File, size int64, to string, mode fs.FileMode) error {
	if f, err := unnamed(filepath.Dir(to), mode); err == nil {
		defer f.Close()
		if err := s.fill(f, n, blob, size); err != nil {
			return err
		}
		if nameIt(f, to) == nil {
			return nil
		}
		if _, err := blob.Seek(0, io.SeekStart); err != nil {
			return missing(err)
		}
	}
	tmp, err := tempIn(filepath.Dir(to), mode)
	if err != nil {
		return err
	}
	defer tmp.drop()
	if err := s.fill(tmp.File, n, blob, size); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	makeWay(to)
	return tmp.replace(to)
}

// fill gives a file the blob's bytes and checks them.
func (s Store) fill(f *os.File, n name, blob *os.File, size int64) error {
	if size >= cloneFrom && clone(f, blob) == nil {
		return s.copy(n, io.Discard, blob, size) // shared already: the check is left
	}
	return s.copy(n, f, blob, size)
}

// through checks first: what a link or a pipe leads to cannot be taken back.
func (s Store) through(n name, blob *os.File, size int64, to string, mode fs.FileMode) error {
	if err := s.copy(n, io.Discard, blob, size); err != nil {
		return err
	}
	if _, err := blob.Seek(0, io.SeekStart); err != nil {
		return missing(err)
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, blob); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// link puts the blob itself in place, under a second name. It is read-only, and checked before each use: who writes to it
// all the same changes the blob, which then is a blob no more. The blob is closed: Windows renames no open file.
func (s Store) link(n name, blob *os.File, size int64, to string) error {
	if err := s.copy(n, io.Discard, blob, size); err != nil {
		return err
	}
	_ = blob.Close()
	tmp := tempName(filepath.Dir(to))
	if err := os.Link(s.blob(n.Digest), tmp); err != nil {
		return err
	}
	// Two names of one file: rename has nothing to do and leaves both.
	defer os.Remove(tmp)
	if err := renameLink(tmp, to); err != nil {
		return err
	}
	now := time.Now() // builders compare times; all names of the file share this one
	return os.Chtimes(to, now, now)
}
