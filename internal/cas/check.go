package cas

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bad is a file of the store that is not what its name says, or cannot be read.
type Bad struct {
	Path string
	Err  error
	Gone bool // it was taken away
}

// Check reads every blob and note, takes away what is torn or changed, and tells it. tell hears how far it is; it may be nil.
func (s Store) Check(ctx context.Context, tell func(done, total int)) ([]Bad, error) {
	var all []held
	if err := s.walk(ctx, func(h held) { all = append(all, h) }); err != nil {
		return nil, fmt.Errorf("check the store: %w", err)
	}
	var bad []Bad
	for i, h := range all {
		if err := ctx.Err(); err != nil {
			return bad, fmt.Errorf("check the store: %w", err)
		}
		path := s.path(h)
		err := s.check(path, h)
		if err != nil && !errors.Is(err, os.ErrNotExist) { // one that is gone was trimmed meanwhile
			bad = append(bad, Bad{path, err, errors.Is(err, errTorn) && os.Remove(path) == nil})
		}
		if tell != nil {
			tell(i+1, len(all))
		}
	}
	return bad, nil
}

func (s Store) check(path string, h held) error {
	if h.kind != "" {
		_, _, err := readNote(path, h.kind, h.key)
		return err
	}
	f, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if d, _, err := copyDigest(io.Discard, f); err != nil || d != h.key {
		return errors.Join(err, errTorn)
	}
	return nil
}
