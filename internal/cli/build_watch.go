package cli

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/build"
	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/watch"
)

// watch builds, and builds again whenever something changes, until it is interrupted. A failure is told and waited out.
func (b *building) watch() error {
	w, err := watch.New()
	if err != nil {
		return err
	}
	defer w.Close()
	b.say("watching; Ctrl-C ends it")
	first := true
	for {
		if err := b.again(w, first); err != nil {
			return err
		}
		first = false
		if err := w.Wait(b.ctx); err != nil {
			if errors.Is(err, context.Canceled) {
				return nil // asked to end: that is how it ends
			}
			return err
		}
	}
}

// again builds once more where something changed, and watches what the build depends on now.
func (b *building) again(w *watch.Watcher, first bool) error {
	if r, ok := b.unchanged(); ok && !first {
		w.Set(b.folders(r))
		return nil
	}
	before := b.looks()
	if !first && before == b.failed {
		return nil // something else changed: the log of this very program, perhaps
	}
	b.failed = digest.Digest{}
	a, err := b.build()
	if err != nil || !a.Result.OK() {
		b.failed = before
	}
	switch {
	case err != nil && (b.ctx.Err() != nil || first):
		return err
	case err != nil:
		if shown := codeError(0); !errors.As(err, &shown) {
			b.say("%v", err)
		}
		w.Set(b.below())
		return nil
	}
	dirs := b.folders(a.Result)
	if slices.ContainsFunc(a.Result.Steps, unread) {
		dirs = append(dirs, b.below()...)
	}
	w.Set(dirs)
	if !first && a.Result.OK() && a.Result.Calls+a.Result.Hits == 0 {
		return nil // a file changed that nothing reads
	}
	return b.show(a)
}

// looks is how the files of the project look that a build may read: after a failure it is tried again when one changed.
func (b *building) looks() digest.Digest {
	h := digest.NewHash()
	_ = filepath.WalkDir(b.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case path == b.out:
			return fs.SkipDir
		case err != nil:
			return nil
		}
		switch filepath.Ext(path) {
		case ".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".c", ".cc", ".cpp", ".cxx", ".toml", ".lock":
			s, _ := stamp.Of(path)
			h.Field(path, string(s.Append(nil)))
		}
		return nil
	})
	return h.Sum()
}

// folders are those of everything that a build reads, and those in which headers are looked for: one may come.
func (b *building) folders(r build.Result) []string {
	dirs := map[string]bool{b.root: true}
	for _, f := range r.Inputs {
		dirs[filepath.Dir(f)] = true
	}
	for _, s := range r.Steps {
		if s.Source != "" {
			dirs[filepath.Dir(b.place(s.Source))] = true
		}
		for _, word := range s.Argv {
			if dir, ok := strings.CutPrefix(word, "-I"); ok && dir != "" {
				dirs[b.place(dir)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// maxWatched bounds how many folders of a project are watched when it is not known which of them count.
const maxWatched = 2000

// unread: what the step read is not known. It failed, or a file was changed under its hands.
func unread(s build.Step) bool {
	return s.Source != "" && (s.Uncached != "" || s.How == build.Failed || s.How == build.Left)
}

// below are the project's own folders, for when the change that matters may come in any of them.
func (b *building) below() (dirs []string) {
	_ = filepath.WalkDir(b.root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
		case path == b.out, path != b.root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case len(dirs) == maxWatched:
			return filepath.SkipAll
		default:
			dirs = append(dirs, path)
		}
		return nil
	})
	return dirs
}
