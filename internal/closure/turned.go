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
	node              node // of Unix
}

func (w *walk) settled(time int64) bool {
	return stamp.Stamp{Number: 1, Modified: time}.Settled(w.q.Began)
}

// turnedAt is the first part of a path that may have been turned to lead elsewhere since the compilation began; empty: none.
// What lies there now may be old, and still not be what was read: a link was turned, a folder renamed.
func (w *walk) turnedAt(at string) string {
	if where, known := w.ways[at]; known {
		return where
	}
	w.ways[at] = "" // links that lead in a circle end here
	where := ""
	if dir, base := split(at); dir != "" && dir != at {
		where = w.turnedAt(dir)
		if where == "" && base != "" && base != "." && base != ".." { // empty: it ends in a slash
			where = w.turnedLast(at, dir)
		}
	}
	w.ways[at] = where
	return where
}

// turnedLast looks at the last part of a path alone, and where that leads if it is a link.
func (w *walk) turnedLast(at, dir string) string {
	e, ok := entryOf(at)
	turned := false
	switch {
	case !ok || w.settled(e.changed): // that it is gone, or cannot be read, is seen elsewhere
	case e.kind == file:
		// On Windows a hard link made elsewhere (a mirror root does) is a change too, and nothing tells it from a rename.
		turned = !windows
	case e.kind == folder:
		turned = w.renamed(at, dir, e)
	default:
		turned = true
	}
	if turned {
		return at
	}
	if e.kind == link {
		if target, err := leads(at, dir); err == nil { // else something of Windows that leads nowhere
			return w.turnedAt(target)
		}
	}
	return ""
}

// leads is where a link in a folder leads to.
func leads(at, dir string) (string, error) {
	target, err := os.Readlink(at)
	if err == nil && !whole(target) {
		target = inside(dir, target)
	}
	return target, err
}

// renamed: a folder may have come by a new name. Its time of change is new after that, and after a file came in it; but
// then its own folder need not have changed. Both change for many reasons: when a file came last, it counts only if it was
// another folder before, or was not looked at. (One that was renamed, renamed back and then written into passes.)
func (w *walk) renamed(at, dir string, e entry) bool {
	if windows {
		return false // a folder's time of change tells little there, and one with open files cannot be renamed
	}
	parent, ok := entryOf(inside(dir, ".")) // of a link where it leads to
	if !ok || w.settled(parent.modified) {
		return false
	}
	return e.changed != e.modified || !w.q.Before.led(at, e.node)
}

// turned refuses a path that may have led elsewhere.
func (w *walk) turned(path, at string) *recipe.Refusal {
	where := w.turnedAt(at)
	switch where {
	case "":
		return nil
	case at:
	default:
		path += ", through " + where
	}
	return &recipe.Refusal{Reason: "changed-meanwhile", Detail: path}
}
