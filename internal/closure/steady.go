package closure

import (
	"os"

	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// entry is what a folder says of a name itself, links not followed.
type entry struct {
	kind              kind
	modified, changed int64
}

func (w *walk) settled(time int64) bool {
	return stamp.Stamp{Number: 1, Modified: time}.Settled(w.q.Began)
}

// steady: no part of a path was turned to lead elsewhere since the compilation began. What lies there now may be old, and
// still not be what was read: a link was turned, a folder renamed.
func (w *walk) steady(at string) bool {
	if ok, known := w.ways[at]; known {
		return ok
	}
	w.ways[at] = true // links that lead in a circle end here
	dir, base := split(at)
	ok := true
	if base != "" && dir != "" {
		ok = w.steady(dir) && (base == "." || base == ".." || w.stays(at, dir))
	}
	w.ways[at] = ok
	return ok
}

// stays: the last part of a path is what it was.
func (w *walk) stays(at, dir string) bool {
	e, ok := entryOf(at)
	switch {
	case !ok:
		return true // that it is gone, or cannot be read, is seen elsewhere
	case e.kind == file:
		// On Windows a hard link made elsewhere (a mirror root does) is a change too, and nothing tells it from a rename.
		return windows || w.settled(e.changed)
	case e.kind == folder:
		return w.settled(e.changed) || !w.renamed(at, dir, e)
	case !w.settled(e.changed):
		return false
	}
	target, err := os.Readlink(at)
	if err != nil {
		return true // something else of Windows that leads nowhere
	}
	if !whole(target) {
		target = inside(dir, target)
	}
	return w.steady(target)
}

// renamed: a folder may have come by a new name. Its time of change is new after that, and after a file came in it; but
// then its own folder need not have changed. Results are written into the working folder all the time, and what lies above
// it changes for many reasons: there it counts only when no file came last.
func (w *walk) renamed(at, dir string, e entry) bool {
	if windows {
		return false // a folder's time of change tells little there, and one with open files cannot be renamed
	}
	parent, ok := entryOf(inside(dir, ".")) // of a link where it leads to
	if !ok || w.settled(parent.modified) {
		return false
	}
	_, above := below(w.q.Dir, at)
	return e.changed != e.modified || !above && fold(at) != fold(w.q.Dir)
}

// turned refuses a path that is not steady.
func (w *walk) turned(path, at string) *recipe.Refusal {
	if w.steady(at) {
		return nil
	}
	return &recipe.Refusal{Reason: "changed-meanwhile", Detail: path}
}
