package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cupel/internal/cas"
	"cupel/internal/nvcc"
)

// aside lets nvcc write into the folder of the call, and gives the arguments for that: what is kept is then what this call
// wrote, whoever writes to the same place at the same time, and a call that is killed leaves half a file there and nowhere
// else. Not where the name of an output gets into one (a file of dependencies names it), nor where nvcc itself would say that
// it cannot write there.
func (w *Work) aside() []string {
	q := w.q
	main := q.Recipe.Outputs[0].Path
	if q.Recipe.OwnName || q.cache.variable("NVCC_PREPEND_FLAGS")+q.cache.variable("NVCC_APPEND_FLAGS") != "" {
		return q.Call.Args
	}
	if info, err := os.Stat(filepath.Dir(q.place(main))); err != nil || !info.IsDir() {
		return q.Call.Args
	}
	if info, err := os.Stat(q.place(main)); err == nil && info.IsDir() {
		return q.Call.Args
	}
	args, lost := nvcc.Expand(q.Call.Args, ResponseFile(q.Call.Dir))
	if len(lost) > 0 {
		return q.Call.Args
	}
	w.out = filepath.Join(w.Dir, "out"+filepath.Ext(main))
	return redirected(args, w.out)
}

// Output is where the call writes what it was asked for.
func (w *Work) Output() string {
	if w.out != "" {
		return w.out
	}
	return w.q.place(w.q.Recipe.Outputs[0].Path)
}

// ErrGone: the folder of a call went before its output was in its place.
var ErrGone = errors.New("the store was deleted or moved meanwhile")

// Finish puts the output of a call that ended well in its place, where it was not written there.
func (w *Work) Finish() error {
	if _, err := os.Lstat(w.out); w.out == "" || errors.Is(err, fs.ErrNotExist) {
		if w.out != "" && w.Gone() {
			return fmt.Errorf("write %s: %w", w.q.Recipe.Outputs[0].Path, ErrGone)
		}
		return nil // it ended well and wrote nothing: that is for its caller to see
	}
	to := w.q.place(w.q.Recipe.Outputs[0].Path)
	w.q.cache.Files.Forget(to)
	w.q.unlink(w.q.Recipe.Outputs[0])
	if err := move(w.out, to); err != nil {
		return fmt.Errorf("write %s: %w", w.q.Recipe.Outputs[0].Path, err)
	}
	return nil
}

// move puts a file in the place of another. What is no plain file there (a link, /dev/null) is written through, as compilers
// do.
func move(from, to string) error {
	info, err := os.Lstat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o666)
	}
	if os.Rename(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from) // another file system
	if err != nil {
		return err
	}
	return replace(to, text)
}

// replace writes a file anew: readers see the old one or the new one. Where that cannot be, it is what the compilers do.
func replace(to string, text []byte) error {
	info, there := os.Lstat(to)
	err := cas.Replace(to, text, 0o666)
	if err == nil || there != nil {
		return err
	}
	if onWindows && linked(info) { // Windows replaces nothing that is read-only
		_ = os.Remove(to)
		return cas.Replace(to, text, 0o666)
	}
	if errors.Is(err, fs.ErrPermission) && os.WriteFile(to, text, 0o666) == nil {
		return nil // the folder may not be written, the file in it may
	}
	return err
}
