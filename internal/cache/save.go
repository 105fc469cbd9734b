package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cupel/internal/closure"
	"cupel/internal/recipe"
)

// Save puts the result of a call that ended well into the store: what it wrote lies in its place, and its files on the way
// in theirs.
func (w *Work) Save(c closure.Closure, r Result) (Result, error) {
	q := w.q
	if len(r.Stdout)+len(r.Stderr) > MaxSaid {
		return r, fmt.Errorf("keep the result: %w", errSaid)
	}
	r.Outputs = nil
	for i, o := range q.Recipe.Outputs {
		d, size, err := q.cache.Store.PutFile(w.output(i))
		if err != nil {
			return r, fmt.Errorf("keep %s: %w", o.Path, err)
		}
		r.Outputs = append(r.Outputs, Made{Role: o.Role, Digest: d, Size: size})
	}
	own, shared := q.split(c)
	if err := q.cache.keepShared(shared); err != nil {
		return r, fmt.Errorf("keep what was read: %w", err)
	}
	v := variant{closure: own, shared: shared.id, result: r, made: made{nvcc: q.Call.Nvcc, dir: q.Call.Dir, args: q.Call.Args, variables: q.variables(), source: q.source()}, folder: w.private()}
	if err := q.cache.Store.SetNote(kindManifest, q.Key, q.with(v).append(nil)); err != nil {
		return r, fmt.Errorf("keep the manifest: %w", err)
	}
	return r, nil
}

// with is the manifest with a variant in front. Another process may write its own at the same time: the last one stays, and
// what is lost is a variant that can be made again.
func (q *Question) with(v variant) manifest {
	var m manifest
	if note, err := q.cache.Store.Note(kindManifest, q.Key); err == nil {
		m, _ = takeManifest(note)
	}
	old := -1
	want := identity(v.closure)
	for i, raw := range m {
		other, err := takeVariant(raw)
		if err == nil && other.shared == v.shared && identity(other.closure) == want && (!v.folder || other.made.source == v.made.source) {
			old = i
		}
	}
	return m.first(v, old)
}

// private: the result holds names that nvcc made of the source's whole path (recipe.Private). What cannot be read counts.
func (w *Work) private() bool {
	files := []string{w.Output()}
	entries, _ := os.ReadDir(w.Dir)
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".ptx" || ext == ".cubin" {
			files = append(files, filepath.Join(w.Dir, e.Name()))
		}
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil || w.q.Recipe.Private(text) {
			return true
		}
	}
	return false
}

func (q *Question) variables() (list []string) {
	for _, name := range q.Recipe.Variables {
		if v := q.cache.variable(name); v != "" {
			list = append(list, name+"="+v)
		}
	}
	return list
}

// Place writes the outputs of a result where the call would have, the one that was asked for last, as a call does (Work.Finish):
// make takes it for older than its dependencies otherwise, or for whole without them.
func (q *Question) Place(r Result) error {
	for _, o := range slices.Backward(q.Recipe.Outputs) {
		m, ok := r.output(o.Role)
		if !ok {
			return fmt.Errorf("place %s: the result has no %s", o.Path, o.Role)
		}
		path := q.place(o.Path)
		q.unlink(o)
		if err := q.cache.Store.Place(m.Digest, path, 0o666); err != nil {
			return fmt.Errorf("place %s: %w", o.Path, err)
		}
		q.cache.Files.Forget(path)
	}
	return nil
}

// unlink takes a link away that is in the place of an object, as the assembler does (nvcc -c and -dc, 12.4 and 13.0). PTX, cubins,
// fatbins and dependencies are written to where it leads.
func (q *Question) unlink(o recipe.Output) {
	path := q.place(o.Path)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 && q.Recipe.Kind == "object" && o.Role == "main" && !onWindows {
		_ = os.Remove(path)
	}
}

func (r Result) output(role string) (Made, bool) {
	for _, m := range r.Outputs {
		if m.Role == role {
			return m, true
		}
	}
	return Made{}, false
}

// Clear takes outputs away that are hard links into the store, or were until the store dropped its own: a compiler would
// write there through them, or could not.
func (q *Question) Clear() {
	for _, o := range q.Recipe.Outputs {
		path := q.place(o.Path)
		if info, err := os.Lstat(path); err == nil && taken(info, path) && !q.reads(info) {
			_ = os.Remove(path)
			q.cache.Files.Forget(path)
		}
	}
}

// reads: the file is the source itself.
func (q *Question) reads(info os.FileInfo) bool {
	source, err := os.Stat(q.place(q.Recipe.Source))
	return err != nil || os.SameFile(source, info)
}

// source is where the source really lies: nvcc makes names of that.
func (q *Question) source() string {
	path := q.place(q.Recipe.Source)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
