package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// writeWhole puts data in the place of a file in one step, so that nobody ever sees half of it: a kill or a full
// disk leaves what was there. A link is followed.
func writeWhole(path string, data []byte, mode fs.FileMode) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeInto(path, data) // a device or a pipe keeps its place
	}
	temp, err := writeBeside(path, data, mode)
	if err != nil {
		return err
	}
	defer os.Remove(temp) // after the renaming there is nothing of that name
	return os.Rename(temp, path)
}

// writeInto hands data to what is there already.
func writeInto(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// inside refuses a file that links lead out of the project: a clone could aim what is written anywhere.
func inside(root, path string) error {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		at, err := filepath.EvalSymlinks(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			continue // it is yet to be made
		}
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(real, at); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return fmt.Errorf("%s lies outside the project by a link: name the place with --out", path)
		}
		return nil
	}
}

// tempFiles are the names of what is not in its place yet.
const tempFiles = ".cupel-*.tmp"

// sweep takes away what a run that was killed left; a younger file may belong to one that is at work.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		ours, _ := filepath.Match(tempFiles, e.Name())
		if info, err := e.Info(); ours && err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// writeBeside writes data under a name of its own in the folder of path; the caller moves it to its place.
func writeBeside(path string, data []byte, mode fs.FileMode) (string, error) {
	sweep(filepath.Dir(path))
	temp, err := os.CreateTemp(filepath.Dir(path), tempFiles)
	if err != nil {
		return "", err
	}
	_, err = temp.Write(data)
	// The mode is set by name: Windows has no such call on an open file.
	if err = errors.Join(err, temp.Sync(), temp.Close(), os.Chmod(temp.Name(), mode)); err != nil {
		return "", errors.Join(err, os.Remove(temp.Name()))
	}
	return temp.Name(), nil
}
