package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/call"
	"cupel/internal/filelock"
)

// Saved is a run that can be read.
type Saved struct {
	Dir  string
	Run  call.Run
	Live bool // it goes on
}

// Runs lists the runs, newest first. One that cannot be read is left out and told.
func (s Store) Runs(ctx context.Context) (runs []Saved, troubles []string, err error) {
	ids, err := s.ids()
	if err != nil {
		return nil, nil, fmt.Errorf("list runs: %w", err)
	}
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		r, err := s.read(id)
		switch {
		case err == nil:
			runs = append(runs, r)
		case !errors.Is(err, fs.ErrNotExist) || there(filepath.Join(s.Dir, id)): // else it was removed meanwhile
			troubles = append(troubles, fmt.Sprintf("run %s cannot be read: %v", id, err))
		}
	}
	slices.SortStableFunc(runs, func(a, b Saved) int {
		if c := b.Run.Began.Compare(a.Run.Began); c != 0 {
			return c
		}
		return strings.Compare(b.Run.ID, a.Run.ID)
	})
	return runs, troubles, nil
}

// ids are the names of the folders that are runs, sorted.
func (s Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if _, ok := idTime(e.Name()); ok && e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (s Store) read(id string) (Saved, error) {
	dir := filepath.Join(s.Dir, id)
	// Looked at before the file is read: a run that ends in between is then told as one that goes on, not as one that
	// ended with cupel itself.
	live := filelock.Held(s.beside(id, lockExt))
	text, err := readBounded(filepath.Join(dir, runFile))
	if err != nil {
		return Saved{}, err
	}
	var r call.Run
	if err := json.Unmarshal(text, &r); err != nil {
		return Saved{}, fmt.Errorf("%s: %w", runFile, err)
	}
	switch {
	case r.Format != call.Format:
		return Saved{}, fmt.Errorf("its format is %q, and this cupel reads %s", r.Format, call.Format)
	case r.ID != id:
		return Saved{}, fmt.Errorf("its folder was renamed: it was %q", r.ID)
	}
	return Saved{Dir: dir, Run: spellRun(r, unspell), Live: live && r.End == nil}, nil
}

// readBounded reads a small file of a run.
func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxWords {
		return nil, fmt.Errorf("%s is not as cupel wrote it", filepath.Base(path))
	}
	var text []byte
	err = patiently(300*time.Millisecond, func() error { // Windows opens no file that is just replaced
		text, err = os.ReadFile(path)
		return err
	})
	return text, err
}
