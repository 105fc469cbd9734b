package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cupel/internal/cas"
	"cupel/internal/nvcc"
)

// aside lets nvcc write into the folder of the call, and gives the arguments for that: what is kept is then what this call
// wrote, whoever writes to the same place at the same time, and a call that is killed leaves half a file there and nowhere
// else. A file for make goes along, with the target that it would have had. Not where the name of an output gets into one in
// another way (a cubin of -G), nor where nvcc itself would say that it cannot write there.
func (w *Work) aside() []string {
	q := w.q
	if q.Recipe.OwnName && !q.Recipe.TargetName || q.cache.variable("NVCC_PREPEND_FLAGS")+q.cache.variable("NVCC_APPEND_FLAGS") != "" {
		return q.Call.Args
	}
	for _, o := range q.Recipe.Outputs {
		if info, err := os.Stat(filepath.Dir(q.place(o.Path))); err != nil || !info.IsDir() {
			return q.Call.Args
		}
		if info, err := os.Stat(q.place(o.Path)); err == nil && info.IsDir() {
			return q.Call.Args
		}
	}
	args, lost := nvcc.Expand(q.Call.Args, ResponseFile(q.Call.Dir))
	if len(lost) > 0 {
		return q.Call.Args
	}
	main := q.Recipe.Outputs[0].Path
	w.outs = []string{filepath.Join(w.Dir, "out"+filepath.Ext(main))}
	args = redirected(args, w.outs[0])
	if q.Recipe.TargetName {
		w.outs = append(w.outs, filepath.Join(w.Dir, "out.depfile"))
		if args = append(args, "-MF", w.outs[1]); !nvcc.Parse(args).Has("dependency-target-name") {
			args = append(args, "-MT", main)
		}
	}
	return args
}

// Output is where the call writes what it was asked for.
func (w *Work) Output() string { return w.output(0) }

// output is where the call writes one of its outputs.
func (w *Work) output(i int) string {
	if len(w.outs) > 0 {
		return w.outs[i]
	}
	return w.q.place(w.q.Recipe.Outputs[i].Path)
}

// ErrGone: the folder of a call went before its output was in its place.
var ErrGone = errors.New("the store was deleted or moved meanwhile")

// Finish puts the outputs of a call that ended well in their place, where they were not written there. That it wrote none is for
// its caller to see. The one that was asked for comes last: who sees it may read the others.
func (w *Work) Finish() error {
	for i := range slices.Backward(w.outs) {
		if err := w.finish(i); err != nil {
			return err
		}
	}
	return nil
}

// Failed does what is left to do of a call that failed by itself: nvcc writes the file for make first, and leaves it.
func (w *Work) Failed() error {
	if len(w.outs) < 2 || w.Gone() {
		return nil
	}
	return w.finish(1)
}

func (w *Work) finish(i int) error {
	from, o := w.outs[i], w.q.Recipe.Outputs[i]
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		if w.Gone() {
			return fmt.Errorf("write %s: %w", o.Path, ErrGone)
		}
		return nil
	}
	to := w.q.place(o.Path)
	w.q.cache.Files.Forget(to)
	w.q.unlink(o)
	if err := move(from, to); err != nil {
		return fmt.Errorf("write %s: %w", o.Path, err)
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
		inherit(to)
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
