package cas

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"cupel/internal/digest"
)

// held is one file of the store. A store can have a million: no path is kept.
type held struct {
	key  digest.Digest
	kind string // of a note; empty: a blob
	size int64
	last int64 // use, in nanoseconds since 1970
}

func (s Store) path(h held) string {
	if h.kind == "" {
		return s.blob(h.key)
	}
	return s.note(h.kind, h.key)
}

// walk finds every blob and note. Files that vanish meanwhile, and names that are none of the store's, are passed over.
func (s Store) walk(ctx context.Context, found func(held)) error {
	if err := walkKind(ctx, filepath.Join(s.Dir, "blobs"), "", found); err != nil {
		return err
	}
	kinds, err := s.kinds()
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		if err := walkKind(ctx, filepath.Join(s.Dir, "notes", kind), kind, found); err != nil {
			return err
		}
	}
	return nil
}

func (s Store) kinds() ([]string, error) {
	entries, err := readDir(filepath.Join(s.Dir, "notes"))
	if err != nil {
		return nil, err
	}
	var kinds []string
	for _, e := range entries {
		if e.IsDir() {
			kinds = append(kinds, e.Name())
		}
	}
	return kinds, nil
}

func walkKind(ctx context.Context, dir, kind string, found func(held)) error {
	firsts, err := readDir(dir)
	if err != nil {
		return err
	}
	for _, first := range firsts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(first.Name()) != 2 || !first.IsDir() {
			continue
		}
		rests, err := readDir(filepath.Join(dir, first.Name()))
		if err != nil {
			return err
		}
		for _, rest := range rests {
			key, err := digest.Parse(first.Name() + rest.Name())
			if err != nil {
				continue
			}
			if info, err := rest.Info(); err == nil && info.Mode().IsRegular() {
				found(held{key, kind, info.Size(), info.ModTime().UnixNano()})
			}
		}
	}
	return nil
}

// readDir: a folder that is not there is empty.
func readDir(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// Notes are all whole notes of a kind. Looking through them is no use of them.
func (s Store) Notes(kind string) iter.Seq2[digest.Digest, []byte] {
	return func(yield func(digest.Digest, []byte) bool) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		_ = walkKind(ctx, filepath.Join(s.Dir, "notes", kind), kind, func(h held) {
			if ctx.Err() != nil {
				return
			}
			if b, _, err := readNote(s.path(h), kind, h.key); err == nil && !yield(h.key, b) {
				stop()
			}
		})
	}
}

// Usage is what a store takes.
type Usage struct {
	Bytes        int64
	Blobs, Notes int64
}

// Usage looks at every file.
func (s Store) Usage() (Usage, error) {
	var u Usage
	err := s.walk(context.Background(), func(h held) {
		u.Bytes += h.size
		if h.kind == "" {
			u.Blobs++
		} else {
			u.Notes++
		}
	})
	if err != nil {
		return u, fmt.Errorf("measure the store: %w", err)
	}
	return u, nil
}
