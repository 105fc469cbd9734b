package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/filelock"
)

// Trim removes the oldest runs until at most count are left and their files have at most size bytes. Runs that go on stay,
// and so does the newest, however large: it is the one that somebody wants to look at. It waits for nobody.
func (s Store) Trim(ctx context.Context, count int, size int64) error {
	s.sweep()
	all, err := s.aged()
	if err != nil {
		return fmt.Errorf("trim runs: %w", err)
	}
	left, bytes := len(all), int64(0)
	for _, r := range all {
		bytes += r.size
	}
	var troubles []error
	for _, r := range all[:max(0, len(all)-min(1, count))] {
		if ctx.Err() != nil || left <= count && bytes <= size {
			break
		}
		gone, err := s.remove(r.id)
		if gone {
			left, bytes = left-1, bytes-r.size
		}
		if err != nil {
			troubles = append(troubles, fmt.Errorf("trim runs: %w", err))
		}
	}
	return errors.Join(troubles...)
}

type aged struct {
	id    string
	began time.Time
	size  int64
}

// aged are the runs, oldest first, also those that cannot be read.
func (s Store) aged() ([]aged, error) {
	ids, err := s.ids()
	var out []aged
	for _, id := range ids {
		a := aged{id: id, size: sizeOf(filepath.Join(s.Dir, id))}
		a.began, _ = idTime(id)
		if r, err := s.read(id); err == nil {
			a.began = r.Run.Began
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b aged) int { return a.began.Compare(b.began) })
	return out, err
}

func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// remove takes a run away unless somebody has it. It is renamed first: a run is there whole or not at all.
func (s Store) remove(id string) (gone bool, err error) {
	release, err := lock(s.beside(id, lockExt))
	if err != nil {
		return false, unlessHeld(err)
	}
	defer release()
	old := s.beside(id, oldExt)
	if err := os.Rename(filepath.Join(s.Dir, id), old); err != nil {
		if heldOpen(err) { // a file of it is open: Windows moves it when that is closed
			err = nil
		}
		return errors.Is(err, fs.ErrNotExist), unlessGone(err)
	}
	if err = os.RemoveAll(old); err != nil && heldOpen(err) {
		err = nil // the next trimming sweeps it
	}
	return true, err
}

func unlessHeld(err error) error {
	if errors.Is(err, filelock.ErrHeld) {
		return nil
	}
	return err
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweep takes away what processes that were killed left half made or half removed.
func (s Store) sweep() {
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		id := strings.TrimSuffix(strings.TrimPrefix(e.Name(), "."), ext)
		if _, ok := idTime(id); !ok || ext != newExt && ext != oldExt && ext != lockExt || e.Name() != "."+id+ext {
			continue
		}
		if release, err := lock(s.beside(id, lockExt)); err == nil {
			if ext != lockExt {
				_ = os.RemoveAll(s.beside(id, ext))
			}
			release()
		}
	}
}
