package depot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// List is everything of a kind that is visible, by name. It needs no right to write; with it, a name that a killed
// process left without a folder gets its folder back.
func (d Depot) List(kind string) ([]Installed, error) {
	if d.Home == "" {
		return nil, nil
	}
	parent := d.kind(kind)
	restore(parent)
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the installed %s: %w", kind, err)
	}
	var out []Installed
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, look(filepath.Join(parent, e.Name())))
		}
	}
	return out, nil
}

// look reads the head of a folder's manifest.
func look(dir string) Installed {
	i := Installed{Dir: dir}
	i.Manifest, i.Broken = readHead(dir)
	return i
}

// restore mends the names that have hidden folders and no visible one. One that is being replaced by another process is
// away for an instant, which is waited for.
func restore(parent string) {
	for _, name := range unfinished(parent) {
		for range 20 {
			if _, err := os.Lstat(filepath.Join(parent, name)); err == nil || !vanished(parent, name) {
				break
			}
			release, err := TryLock(filepath.Join(parent, partLock+name))
			if err == nil {
				_ = mend(parent, name)
				release()
				break
			}
			if !errors.Is(err, ErrHeld) {
				break
			}
			time.Sleep(lockStep / 5)
		}
	}
}

// vanished says that a name had a folder, which a change moved away, or was about to get one.
func vanished(parent, name string) bool {
	for _, dir := range leftovers(parent, name, partNew) {
		if _, err := os.Lstat(filepath.Join(dir, ManifestName)); err == nil {
			return true
		}
	}
	return len(leftovers(parent, name, partOld)) > 0
}
