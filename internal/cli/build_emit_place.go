package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// checkPlaces: every --emit can be written, as far as that can be known before a long build. The folder of outputs, and those on
// the way to it, are made by the build itself.
func (b *building) checkPlaces() error {
	by := map[string]emission{}
	for _, e := range b.emits {
		if e.file == "" {
			continue
		}
		whole, _ := filepath.Abs(e.file)
		if other, ok := by[whole]; ok {
			return usage("--emit %s=%s and --emit %s=%s would write one file: name two", other.format, other.file, e.format, e.file)
		}
		by[whole] = e
		if err := b.checkPlace(e); err != nil {
			return err
		}
	}
	return nil
}

func (b *building) checkPlace(e emission) error {
	file, err := filepath.Abs(e.file)
	if err != nil {
		return fmt.Errorf("find --emit %s: %w", e.file, err)
	}
	if info, err := os.Stat(file); err == nil {
		if info.IsDir() {
			return usage("--emit %s=%s: that is a folder, name a file", e.format, e.file)
		}
		return nil // in a folder that is read-only it may hold the right text already
	}
	dir := filepath.Dir(file)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (below(b.out, dir) || below(dir, b.out)):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return usage("--emit %s=%s: there is no folder %s", e.format, e.file, dir)
	case err == nil && !info.IsDir():
		return usage("--emit %s=%s: %s is no folder", e.format, e.file, dir)
	case err == nil:
		err = writableFolder(dir)
	}
	if err != nil {
		return fmt.Errorf("emit %s: write %s: %w", e.format, e.file, err)
	}
	return nil
}
