package closure

import (
	"path/filepath"
	"strings"

	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// dir is a folder as one reading sees it: its content is asked for once.
type dir struct {
	path   string // as File.Path; "" is the working folder
	at     string
	clean  string
	tools  bool // the tools look there by themselves
	linked bool // a link was followed on the way from the folder in which the search began, or to that
	list   *listing
	subs   map[string]*dir
	absent map[string]bool // names that were looked for and are not there
}

func (w *walk) dir(path string) *dir {
	if path == "." {
		path = ""
	}
	d := w.dirs[path]
	if d == nil {
		at := w.at(path)
		d = &dir{path: path, at: at, clean: filepath.Clean(at), subs: map[string]*dir{}, absent: map[string]bool{}}
		w.dirs[path] = d
	}
	return d
}

// place is that of a name in the folder, as walk.byPlace knows it.
func (d *dir) place(base string) string { return fold(filepath.Join(d.clean, base)) }

func (w *walk) listed(d *dir) *listing {
	if d.list == nil {
		d.list = w.r.list(d.at)
	}
	return d.list
}

func (w *walk) sub(d *dir, part string, k kind) *dir {
	s := d.subs[part]
	if s == nil {
		s = w.dir(inside(d.path, part))
		s.linked = s.linked || d.linked || k == link
		s.tools = s.tools || d.tools
		d.subs[part] = s
	}
	return s
}

// look looks for a name from a folder on. It gives the folder that holds the file; what is not there is noted.
func (w *walk) look(d *dir, name string) (in *dir, base string, ok bool) {
	for {
		part, rest := cut(name)
		switch {
		case part == "" || part == ".":
			if rest == "" {
				return nil, "", false
			}
			name = rest
			continue
		case part == "..":
			if rest == "" || w.none(d, part) {
				return nil, "", false
			}
			d, name = w.sub(d, part, folder), rest
			continue
		}
		k := w.kind(d, part)
		switch {
		case k == gone:
			return nil, "", false
		case rest == "":
			return d, part, w.isFile(d, part, k)
		}
		d, name = w.sub(d, part, k), rest
	}
}

// none: there is no such folder to go up from.
func (w *walk) none(d *dir, part string) bool {
	if w.listed(d).folder {
		return false
	}
	w.kind(d, part)
	return true
}

// kind is what a folder holds under a name. When nothing, the first part of the path that is missing is noted.
func (w *walk) kind(d *dir, name string) kind {
	l := w.listed(d)
	if l.folder {
		k := l.kind(d.at, name)
		if k == gone {
			w.note(d, name)
		}
		return k
	}
	parent, base := split(d.path)
	if base != "" && base != "." && base != ".." && w.kind(w.dir(parent), base) == gone {
		return gone
	}
	w.note(d, name) // a file, or a link to nothing, is where a folder could be
	return gone
}

func (w *walk) note(d *dir, name string) {
	d.absent[name] = true
	w.noted = append(w.noted, missing{d, name})
}

// missing is a name that is not in a folder.
type missing struct {
	dir  *dir
	name string
}

// isFile tells a file from a folder or a link to something else, which a compiler passes over. Such a thing is kept: a file
// could take its place.
func (w *walk) isFile(d *dir, base string, k kind) bool {
	if k == file {
		return true
	}
	path := inside(d.path, base)
	s, err := stamp.Of(w.at(path))
	if k == link && err == nil && s.Exists() && !s.Dir {
		return true
	}
	if s.Dir && w.late == nil && (strings.HasSuffix(base, ".gch") || strings.HasSuffix(base, ".pch")) {
		w.late = &recipe.Refusal{Reason: "precompiled-folder", Detail: path} // gcc takes one of the files in it that fits
	}
	if !w.byPath[path] && err == nil {
		if w.late == nil {
			w.late = w.turned(path, w.at(path))
		}
		w.byPath[path] = true
		w.asides = append(w.asides, File{Path: path, Known: stamp.Known{Stamp: s, Settled: !s.Exists() || s.Settled(w.q.Began)}})
	}
	return false
}
