package depot

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cupel/internal/progress"
)

// Change is one install, replacement or removal under way. It holds the lock of its name.
type Change struct {
	Dir string     // the folder to fill; nobody sees it yet
	Old *Installed // what is there under the name; nil: nothing

	parent, name string
	release      func()
	move, swap   func(from, to string) error // of this system
}

// Begin takes the lock of a name, waiting for another process that has it (which is reported), and sweeps what killed
// processes left of it.
func (d Depot) Begin(ctx context.Context, kind, name string, report progress.Report) (*Change, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if d.Home == "" {
		return nil, errNoHome
	}
	parent := d.kind(kind)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, notWritable(parent, err)
	}
	release, err := take(ctx, parent, name, report)
	if err != nil {
		return nil, err
	}
	c := &Change{parent: parent, name: name, release: release, move: rename, swap: exchange}
	if err := c.prepare(); err != nil {
		c.End()
		return nil, err
	}
	return c, nil
}

func (c *Change) prepare() error {
	if c.release != nil { // without a lock it may not be left, but in use
		if err := mend(c.parent, c.name); err != nil {
			return fmt.Errorf("mend what a killed process left of %s: %w", c.name, notWritable(c.parent, err))
		}
		sweep(c.parent, c.name)
		sweepOthers(c.parent, c.name)
	}
	switch info, err := os.Lstat(c.target()); {
	case err == nil && !info.IsDir():
		return NoFolder{c.target()}
	case err == nil:
		old := look(c.target())
		c.Old = &old
	}
	dir := c.hidden(partNew)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return notWritable(c.parent, err)
	}
	c.Dir = dir
	return nil
}

// NoFolder is a name that something else has, such as a link that a person made. List does not show it, and nothing is
// written through it.
type NoFolder struct{ Path string }

func (e NoFolder) Error() string {
	return e.Path + " is no folder but a file or a link, which cupel did not make: move it away and try again"
}

func (c *Change) target() string { return filepath.Join(c.parent, c.name) }

// hidden is a new name for a folder that is not seen.
func (c *Change) hidden(part string) string {
	random := make([]byte, 4)
	_, _ = rand.Read(random) // it never fails
	return filepath.Join(c.parent, part+c.name+"-"+hex.EncodeToString(random))
}

// Commit writes the manifest and makes the folder visible under its name, in the place of the old one.
func (c *Change) Commit(m Manifest) (Installed, error) {
	m.Format, m.Name, m.Kind = ManifestFormat, c.name, filepath.Base(c.parent)
	text, err := encode(m)
	if err != nil {
		return Installed{}, err
	}
	// From here on the folder counts as committed: who finds it finishes it.
	if err := write(filepath.Join(c.Dir, ManifestName), text); err != nil {
		return Installed{}, fmt.Errorf("write the manifest: %w", notWritable(c.parent, err))
	}
	if err := c.show(); err != nil {
		return Installed{}, fmt.Errorf("make %s visible: %w", c.name, notWritable(c.parent, err))
	}
	c.Dir = ""
	return Installed{Dir: c.target(), Manifest: m}, errorOf(syncDir(c.parent), "bring the folder onto the disk")
}

func errorOf(err error, doing string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// show puts the new folder in the place of the old one: in one step where the system can, else in two, between which
// mend knows what to do.
func (c *Change) show() error {
	if c.Old == nil {
		return c.move(c.Dir, c.target())
	}
	if c.swap(c.Dir, c.target()) == nil {
		discard(c.Dir)
		return nil
	}
	old := c.hidden(partOld)
	if err := c.move(c.target(), old); err != nil {
		return fmt.Errorf("move the old folder out of the way: %w", err)
	}
	if err := c.move(c.Dir, c.target()); err != nil {
		return errors.Join(err, c.move(old, c.target()))
	}
	discard(old)
	return nil
}

// Remove takes the old folder away.
func (c *Change) Remove() error {
	if c.Old == nil {
		return fmt.Errorf("remove %s: %w", c.name, fs.ErrNotExist)
	}
	gone := c.hidden(partGone)
	if err := c.move(c.target(), gone); err != nil {
		return notWritable(c.parent, err)
	}
	c.Old = nil
	discard(gone)
	return errorOf(syncDir(c.parent), "bring the removal onto the disk")
}

// End gives the lock back and removes what was not committed. It may be called after Commit.
func (c *Change) End() {
	if c.Dir != "" {
		discard(c.Dir)
		c.Dir = ""
	}
	if c.release != nil {
		c.release()
		c.release = nil
	}
}

// discard removes a hidden folder, its manifest first: half of a folder must not look whole. What cannot be removed,
// because somebody has it open, is swept later.
func discard(dir string) {
	_ = os.Remove(filepath.Join(dir, ManifestName))
	_ = os.RemoveAll(dir)
}
