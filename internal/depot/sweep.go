package depot

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// mend finishes or undoes a change that was killed between two steps. The lock of the name is held. A new folder with a
// manifest was whole and proved: it takes the empty place. Else the old one goes back, if it is whole.
func mend(parent, name string) error {
	_, err := os.Lstat(filepath.Join(parent, name))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, part := range []string{partNew, partOld} {
		for _, dir := range leftovers(parent, name, part) {
			if whole(dir) {
				return rename(dir, filepath.Join(parent, name))
			}
		}
	}
	return nil
}

// whole says that a folder has a manifest and all that stands in it.
func whole(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, ManifestName)); err != nil {
		return false
	}
	faults, err := Glance(context.Background(), Installed{Dir: dir})
	return err == nil && len(faults) == 0
}

// leftovers are the hidden folders of a name.
func leftovers(parent, name, part string) []string {
	entries, _ := os.ReadDir(parent)
	var out []string
	for _, e := range entries {
		if p, n, ok := leftover(e.Name()); ok && n == name && p == part {
			out = append(out, filepath.Join(parent, e.Name()))
		}
	}
	return out
}

// sweep removes the hidden folders of a name whose lock is held.
func sweep(parent, name string) {
	for _, part := range parts {
		for _, dir := range leftovers(parent, name, part) {
			discard(dir)
		}
	}
}

// sweepOthers does the same for every other name that nobody works on.
func sweepOthers(parent, but string) {
	for _, name := range unfinished(parent) {
		if name == but {
			continue
		}
		if release, err := TryLock(filepath.Join(parent, partLock+name)); err == nil {
			if mend(parent, name) == nil {
				sweep(parent, name)
			}
			release()
		}
	}
}

// unfinished are the names with hidden folders.
func unfinished(parent string) []string {
	entries, _ := os.ReadDir(parent)
	var out []string
	for _, e := range entries {
		if _, name, ok := leftover(e.Name()); ok {
			out = append(out, name)
		}
	}
	return out
}
