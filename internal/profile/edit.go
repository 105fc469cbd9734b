package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// edit reads the file, has it changed, and writes it back when it differs. made tells the change how much had
// to be created: 0 for a file that was there.
func edit(target Target, change func(text string, made int) (string, error)) (Report, error) {
	report := Report{Path: target.Place()}
	f, err := open(target.Path)
	if err != nil {
		return report, err
	}
	text, err := change(f.text, f.made)
	if err != nil || text == f.text {
		return report, err
	}
	if err := f.write(text); err != nil {
		return report, err
	}
	report.Changed = true
	report.Done = []string{"wrote the marked block"}
	return report, nil
}

// take removes the block, and the file when it was made for it and holds nothing else.
func take(target Target) (Report, error) {
	report := Report{Path: target.Place()}
	f, err := open(target.Path)
	if err != nil {
		return report, err
	}
	b, err := find(f.text)
	switch {
	case err != nil:
		return report, err
	case b == nil:
		return report, ErrNothing
	case b.edited() && !target.Force:
		return report, ErrEdited
	}
	text := b.cut(f.text)
	if target.Kind == Cargo {
		text = releaseLines(text)
	}
	report.Changed = true
	if text == "" && b.made > 0 {
		report.Done = []string{"removed the file, which held nothing else"}
		return report, f.remove(b.made - 1)
	}
	report.Done = []string{"took the marked block out"}
	return report, f.write(text)
}

// file is a text file to be replaced as a whole.
type file struct {
	path string // where it really lies: a link is followed, so that it stays one
	text string
	mode fs.FileMode
	made int // how many things must be created: the file, and folders above it
}

// open reads a file; one that is not there is empty.
func open(path string) (*file, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &file{path: path, mode: 0o644, made: 1 + missingFolders(path)}, nil
	}
	if err != nil {
		return nil, err
	}
	f := &file{path: path}
	if info.Mode()&fs.ModeSymlink != 0 {
		if f.path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, fmt.Errorf("follow the link: %w", err)
		}
		if info, err = os.Stat(f.path); err != nil {
			return nil, err
		}
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a plain file")
	}
	text, err := os.ReadFile(f.path)
	f.text, f.mode = string(text), info.Mode()
	return f, err
}

func missingFolders(path string) int {
	n := 0
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		n++
	}
	return n
}

// write replaces the file. One that is read-only stays so: a rename would get around that without a word.
func (f *file) write(text string) error {
	if f.mode.Perm()&0o200 == 0 {
		return errors.New("the file is read-only; nothing was changed")
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	temp, err := f.beside(text)
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	if now, err := os.ReadFile(f.path); (err == nil && string(now) != f.text) || (err != nil && f.made == 0) {
		return errors.New("the file was changed by somebody else meanwhile; nothing was changed")
	}
	return os.Rename(temp, f.path)
}

// beside writes the new text under another name in the same folder, with the old file's owner and mode.
func (f *file) beside(text string) (name string, err error) {
	temp, err := os.CreateTemp(filepath.Dir(f.path), "."+strings.TrimPrefix(filepath.Base(f.path), ".")+".cupel-*")
	if err != nil {
		return "", fmt.Errorf("write beside it: %w", err)
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = errors.Join(os.Chmod(temp.Name(), f.mode.Perm()), sameOwner(f.path, temp.Name()))
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return temp.Name(), err
}

// remove takes the file away, and the folders made for it when they are empty.
func (f *file) remove(folders int) error {
	if err := os.Remove(f.path); err != nil {
		return err
	}
	for dir := filepath.Dir(f.path); folders > 0; dir, folders = filepath.Dir(dir), folders-1 {
		if os.Remove(dir) != nil {
			break // somebody put something in
		}
	}
	return nil
}
