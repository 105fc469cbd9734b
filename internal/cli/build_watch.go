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
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
	"cupel/internal/render"
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
	turn := firstTurn
	for {
		added, err := b.again(w, turn)
		if err != nil {
			return err
		}
		if turn = toldTurn; added {
			turn = missedTurn // what changed while the build went on was not told by folders that nobody watched
			continue
		}
		if err := w.Wait(b.ctx); err != nil {
			if errors.Is(err, context.Canceled) {
				return nil // asked to end: that is how it ends
			}
			return err
		}
	}
}

// Why a watched build looks at everything.
const (
	firstTurn  = iota // it begins
	toldTurn          // something changed
	missedTurn        // something may have changed unseen
)

// again builds once more where something changed, and watches what the build depends on now. added: in folders that were
// not watched before.
func (b *building) again(w *watch.Watcher, turn int) (added bool, err error) {
	first := turn == firstTurn
	if !first {
		if r, ok := b.unchanged(); ok {
			added := w.Set(b.folders(r))
			if r.Hits == 0 && !b.untold {
				return added, nil
			}
			return added, b.tell(b.answer(r)) // somebody deleted outputs, and perhaps what --emit wrote
		}
	}
	before := b.looks()
	if !first && before == b.failed || turn == missedTurn && before == b.eachTime {
		return false, nil // something else changed: the log of this very program, perhaps
	}
	b.failed, b.eachTime = digest.Digest{}, digest.Digest{}
	a, err := b.build()
	switch {
	case b.roomless(err) || slices.ContainsFunc(a.Result.Steps, b.undermined): // the next look is to try it again
	case err != nil || !a.Result.OK():
		b.failed = before
	case slices.ContainsFunc(a.Result.Steps, uncached) && !slices.ContainsFunc(a.Result.Steps, meanwhile):
		b.eachTime = before
	}
	switch {
	case err != nil && (b.ctx.Err() != nil || first):
		return false, err
	case err != nil:
		if shown := codeError(0); !errors.As(err, &shown) {
			b.say("%v", err)
		}
		return w.Set(slices.Concat(b.below(), b.planning())), nil
	}
	dirs := b.folders(a.Result)
	if slices.ContainsFunc(a.Result.Steps, unread) {
		dirs = append(dirs, b.below()...)
	}
	added = w.Set(dirs)
	if !first && a.Result.OK() && a.Result.Calls+a.Result.Hits == 0 && !b.untold {
		return added, nil // a file changed that nothing reads
	}
	return added, b.tell(a)
}

// tell shows a watched build. A file that cannot be written is no end of it: somebody may have deleted its folder meanwhile, and at
// the next change it is tried again.
func (b *building) tell(a render.Build) error {
	stdout, err := b.record(a.Result)
	if b.untold = err != nil; b.untold {
		b.say("%v", err)
	}
	return b.print(a, stdout)
}

// uncached: it is made each time that one looks.
func uncached(s build.Step) bool { return s.Uncached != "" }

// roomless: somebody deleted the folder of outputs, or one on the way to it or in it, while things were put there. That was noticed
// as a change too.
func (b *building) roomless(err error) bool {
	path := ""
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		path = at.Path
	} else if at := (*os.LinkError)(nil); errors.As(err, &at) {
		path = at.New
	}
	return errors.Is(err, fs.ErrNotExist) && path != "" && (below(b.out, path) || below(path, b.out))
}

// undermined: somebody deleted the folder of its output while it was made. That was noticed as a change.
func (b *building) undermined(s build.Step) bool {
	_, err := os.Stat(filepath.Dir(b.place(s.Out)))
	return s.How == build.Failed && errors.Is(err, fs.ErrNotExist)
}

// meanwhile: a file was edited or went while the step read it.
func meanwhile(s build.Step) bool {
	reason, _, _ := strings.Cut(s.Uncached, ":")
	return reason == "changed-meanwhile" || reason == "vanished"
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

// folders are those of everything that a build reads, and those in which sources and headers are looked for: one may come.
func (b *building) folders(r build.Result) []string {
	dirs := map[string]bool{b.root: true}
	for _, dir := range b.planning() {
		dirs[dir] = true
	}
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

// planning are the folders in which planning looks for sources, and those of the files in which a project chooses its toolkit. It is
// made to look once more: a build with nothing to do did not.
func (b *building) planning() (dirs []string) {
	noting := host.Note(host.Here())
	w, err := openWorkspace(noting, "", shown)
	if err == nil && w.contract != nil && !b.named() {
		project.Ask(b.ctx, look.New(noting), b.root, w.contract, &fact.Project{})
	}
	read, seen := noting.Paths()
	for _, path := range slices.Concat(read, seen) {
		for _, dir := range []string{path, filepath.Dir(path)} {
			chooses := filepath.Base(dir) == filepath.Dir(filepath.FromSlash(choiceFile))
			if (chooses || below(b.root, dir)) && !below(b.out, dir) && isFolder(dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if w.root != "" {
		dirs = append(dirs, w.root)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
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
