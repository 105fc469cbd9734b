package contract

import (
	"path"
	"slices"
	"strings"
)

// Tree is a project's folder as a pattern sees it. Paths are relative to it, with slashes; "" is the folder itself.
type Tree interface {
	Names(dir string) []string // what a wildcard may mean in a folder
	Kind(path string) Kind     // what a path leads to
	Enters(dir string) bool    // whether ** goes on into this entry
}

// Kind is what a path leads to, links followed.
type Kind int

const (
	Nothing Kind = iota
	File
	Folder
)

// Reach bounds the walk of one pattern.
type Reach struct {
	Files    int // that are enough
	Listings int // of folders; the same one counts again for each ** that meets there
}

// maxLevels is how deep ** goes.
const maxLevels = 24

// Has says that a pattern matches a path, element by element; ** stands for any number of them. It keeps the set of
// places that the pattern can have reached, so that many stars cost no more than few.
func (g Glob) Has(file string) bool {
	elements := strings.Split(file, "/")
	reached := make([]bool, len(elements)+1)
	reached[0] = true
	for part := range strings.SplitSeq(string(g), "/") {
		next := make([]bool, len(reached))
		for i, here := range reached {
			switch {
			case part == "**":
				next[i] = here || i > 0 && next[i-1]
			case here && i < len(elements):
				ok, err := path.Match(part, elements[i])
				next[i+1] = err == nil && ok
			}
		}
		reached = next
	}
	return reached[len(elements)]
}

// Folder is the one that a pattern with wildcards spells out before the first; empty: there is none.
func (g Glob) Folder() string {
	parts := strings.Split(string(g), "/")
	at := slices.IndexFunc(parts, func(p string) bool { return strings.ContainsAny(p, `*?[\`) })
	return path.Join(parts[:max(at, 0)]...)
}

// Reaches says that a pattern may match files below a folder. enters tells of a name whether ** goes into such a folder.
func (g Glob) Reaches(dir string, enters func(name string) bool) bool {
	parts := strings.Split(string(g), "/")
	at := make([]bool, len(parts)+1)
	at[0] = true
	for name := range strings.SplitSeq(dir, "/") {
		next := make([]bool, len(at))
		for i, part := range parts {
			if part == "**" {
				at[i+1] = at[i+1] || at[i]
				next[i] = next[i] || at[i] && enters(name)
				continue
			}
			ok, err := path.Match(part, name)
			next[i+1] = next[i+1] || at[i] && err == nil && ok
		}
		at = next
	}
	return slices.Contains(at[:len(parts)], true)
}

// Files are those of a tree that the pattern matches. cut: there may be more, the walk ended at its bounds.
func (g Glob) Files(t Tree, most Reach) (files []string, cut bool) {
	parts := strings.Split(string(g), "/")
	if parts[len(parts)-1] == "**" { // every file below
		parts = append(parts, "*")
	}
	w := globWalk{Tree: t, most: most, parts: parts, seen: map[globSpot]bool{}}
	w.walk("", 0)
	return w.files, w.cut
}

// globWalk expands one pattern.
type globWalk struct {
	Tree
	most     Reach
	parts    []string
	seen     map[globSpot]bool
	files    []string
	listings int
	cut      bool
}

// globSpot is a folder with how far the pattern has come: several ** meet in the same ones.
type globSpot struct {
	dir string
	at  int
}

func (w *globWalk) walk(dir string, at int) {
	if at == len(w.parts) || w.seen[globSpot{dir, at}] || w.ends() {
		return
	}
	w.seen[globSpot{dir, at}] = true
	part := w.parts[at]
	switch {
	case part == "**":
		w.deep(dir, at)
	case strings.ContainsAny(part, `*?[\`):
		w.each(dir, func(name string) {
			if ok, err := path.Match(part, name); err == nil && ok {
				w.take(path.Join(dir, name), at+1)
			}
		})
	default:
		w.take(path.Join(dir, part), at+1)
	}
}

// ends says that the walk has come to its bounds.
func (w *globWalk) ends() bool {
	over := len(w.files) >= w.most.Files || w.listings >= w.most.Listings
	w.cut = w.cut || over
	return over
}

// deep is ** : nothing, or any folder below.
func (w *globWalk) deep(dir string, at int) {
	w.walk(dir, at+1)
	if strings.Count(dir, "/") >= maxLevels {
		w.cut = true
		return
	}
	w.each(dir, func(name string) {
		if below := path.Join(dir, name); w.Enters(below) {
			w.walk(below, at)
		}
	})
}

func (w *globWalk) each(dir string, do func(name string)) {
	if w.ends() {
		return
	}
	w.listings++
	for _, name := range w.Names(dir) {
		if len(w.files) >= w.most.Files {
			w.cut = true
			return
		}
		do(name)
	}
}

// take goes on with one path: a folder is walked, a file counts when nothing of the pattern is left.
func (w *globWalk) take(p string, at int) {
	switch kind, last := w.Kind(p), at == len(w.parts); {
	case kind == Folder && !last:
		w.walk(p, at)
	case kind == File && last:
		w.files = append(w.files, p)
	}
}
