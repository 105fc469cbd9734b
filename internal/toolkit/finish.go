package toolkit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cupel/internal/depot"
	"cupel/internal/resolve"
)

// root is a CUDA root that is being finished. Its files may be hard links of an older one, so a file is replaced and
// never written in place.
type root struct {
	dir        string
	plan       resolve.Plan
	components []depot.Component
	made       []string // what no parcel brought, with forward slashes
}

// step mends one thing that a source's layout may lack; it leaves alone what is there.
type step struct {
	what string
	do   func(*root) error
}

var linuxSteps = []step{
	{"make the folders of the target", (*root).makeTarget},
	{"name the libraries", (*root).nameLibraries},
	{"write the stub of the driver library", (*root).makeStub},
	{"write nvcc.profile", (*root).makeProfile},
	{"write version.json", (*root).makeVersion},
}

// A Windows root has no links: names without a version are import libraries there, which the parcels bring.
var windowsSteps = []step{
	{"write version.json", (*root).makeVersion},
}

func (r *root) finish() error {
	steps := linuxSteps
	if r.plan.Platform.Windows() {
		steps = windowsSteps
	}
	for _, s := range steps {
		if err := s.do(r); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	slices.Sort(r.made)
	return nil
}

func (r *root) path(rel string) string { return filepath.Join(r.dir, filepath.FromSlash(rel)) }

func (r *root) has(rel string) bool {
	_, err := os.Lstat(r.path(rel))
	return err == nil
}

func (r *root) isDir(rel string) bool {
	info, err := os.Stat(r.path(rel))
	return err == nil && info.IsDir()
}

// link makes a symbolic link; target is relative to the folder of the link.
func (r *root) link(rel, target string) error {
	if err := os.MkdirAll(filepath.Dir(r.path(rel)), 0o777); err != nil {
		return err
	}
	r.made = append(r.made, rel)
	return os.Symlink(filepath.FromSlash(target), r.path(rel))
}

// make writes a file that no parcel brought.
func (r *root) make(rel string, data []byte, mode fs.FileMode) error {
	r.made = append(r.made, rel)
	return r.replace(rel, data, mode)
}

// replace puts a new file in the place of an old one, whose bytes may belong to another root too.
func (r *root) replace(rel string, data []byte, mode fs.FileMode) error {
	path := r.path(rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".cupel-*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close(), os.Chmod(temp.Name(), mode)); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// unmake takes away what was made for an older root.
func (r *root) unmake(made []string) error {
	for _, rel := range made {
		if !filepath.IsLocal(filepath.FromSlash(rel)) {
			return fmt.Errorf("the manifest names %q, which is no path below the root", rel)
		}
		if err := os.Remove(r.path(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// mended are the files of parcels that finishing may change. A parcel that is unpacked over an adopted root brings them
// as they were.
var mended = []string{profileName}

// asideSuffix is a name that no parcel has.
const asideSuffix = ".cupel-aside"

// setAside makes room for files that may come again.
func (r *root) setAside(files []string) error {
	for _, rel := range files {
		if err := os.Rename(r.path(rel), r.path(rel)+asideSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// putBack is its end: what came again stays, the rest is as it was.
func (r *root) putBack(files []string) error {
	for _, rel := range files {
		aside := r.path(rel) + asideSuffix
		_, err := os.Lstat(aside)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil && r.has(rel):
			err = os.Remove(aside)
		case err == nil:
			err = os.Rename(aside, r.path(rel))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
