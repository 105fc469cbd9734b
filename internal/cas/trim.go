package cas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cupel/internal/filelock"
)

// Trimmed is what Trim did.
type Trimmed struct {
	Files, Bytes int64 // taken away
	Left         int64 // bytes that stay
	Held         bool  // another process is at it: nothing was done
}

const (
	trimTo    = 0.8 // of the limit: the next build does not start another trim
	trimEvery = 10 * time.Minute
	tempAge   = time.Hour // no file is written for so long
)

// Trim takes away what was not used for longest when the store is over its limit (0: its own), and what killed processes
// left. It stands in nobody's way: who loses a file meanwhile has a miss.
func (s Store) Trim(ctx context.Context, limit int64) (Trimmed, error) {
	release, err := filelock.Try(filepath.Join(s.Dir, ".trim"), noteMode)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Trimmed{}, nil // no store
	case errors.Is(err, filelock.ErrHeld):
		return Trimmed{Held: true}, nil
	case errors.Is(err, filelock.ErrNoLocks): // two that trim take the same files away
	case err != nil:
		return Trimmed{}, fmt.Errorf("trim the store: %w", err)
	default:
		defer release()
	}
	t, err := s.trim(ctx, cmp.Or(limit, s.Limit, DefaultLimit))
	if err != nil {
		return t, fmt.Errorf("trim the store: %w", err)
	}
	return t, nil
}

func (s Store) trim(ctx context.Context, limit int64) (t Trimmed, err error) {
	s.sweep()
	if err := s.compact(); err != nil {
		return t, err
	}
	var all []held
	if err := s.walk(ctx, func(h held) { all, t.Left = append(all, h), t.Left+h.size }); err != nil {
		return t, err
	}
	if t.Left <= limit {
		return t, nil
	}
	slices.SortFunc(all, func(a, b held) int { return cmp.Compare(a.last, b.last) })
	for _, h := range all {
		if t.Left <= int64(trimTo*float64(limit)) {
			break
		}
		if err := ctx.Err(); err != nil {
			return t, err
		}
		// On Windows a file that is being read stays.
		if err := os.Remove(s.path(h)); err == nil || errors.Is(err, os.ErrNotExist) {
			t.Files, t.Bytes, t.Left = t.Files+1, t.Bytes+h.size, t.Left-h.size
		}
	}
	return t, nil
}

// sweep takes away the temporary files of killed processes.
func (s Store) sweep() {
	dir := filepath.Join(s.Dir, "tmp")
	entries, err := readDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && IsTemp(e.Name()) && time.Since(info.ModTime()) > tempAge {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// TrimSometimes trims when nobody did for a while. To find that out takes one look at a file; the trim itself looks at the
// whole store, so it is called beside the work. One that is cut short does not count.
func (s Store) TrimSometimes() {
	mark := filepath.Join(s.Dir, "trimmed")
	if info, err := os.Stat(mark); err == nil && time.Since(info.ModTime()).Abs() < trimEvery {
		return
	}
	if _, err := os.Stat(s.Dir); err != nil {
		return
	}
	if t, _ := s.Trim(context.Background(), 0); !t.Held {
		_ = Replace(mark, nil, noteMode)
	}
}
