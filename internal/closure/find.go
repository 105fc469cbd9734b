package closure

import (
	"cmp"

	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// find looks for a name in all folders where a compiler might, and tells each place where it is.
func (w *walk) find(a asking, f flags, found func(from, in *dir, base string)) {
	try := func(d *dir) bool {
		in, base, ok := w.look(d, a.name)
		if ok {
			found(d, in, base)
		}
		return ok && f&everywhere == 0
	}
	if whole(a.name) {
		dir, base := split(a.name)
		if in, base, ok := w.look(w.dir(dir), base); ok {
			found(in, in, base)
		}
		return
	}
	if a.quoted && try(w.dir(a.dir)) {
		return
	}
	if a.quoted && windows { // cl looks in the folders of all files that are open
		for _, d := range w.project {
			try(d)
		}
	}
	for _, s := range w.search {
		if s.quote && !a.quoted && f&everywhere == 0 {
			continue
		}
		if try(s.dir) && s.sure {
			return
		}
	}
}

// answer looks for a name that was asked for. One that is nowhere may have been there while it was compiled: a file that was
// only asked for leaves no other trace. A folder that changed since then is no trouble when the name was not in it before
// either. What is not looked into: a header of the tools asks, and finds nothing in a folder of the project.
func (w *walk) answer(a asking, f flags) {
	w.noted = w.noted[:0]
	found := false
	w.find(a, f, func(from, in *dir, base string) {
		found = true
		w.hit(from, in, base, f)
	})
	if found || f&tested == 0 {
		return
	}
	for _, m := range w.noted {
		d, s := m.dir, w.listed(m.dir).stamp
		if w.late != nil || f&ours == 0 && !d.tools || w.q.Before.lacked(d.at, s, m.name) {
			continue
		}
		if s.Exists() && !s.Settled(w.q.Began) || w.turnedAt(d.at) != "" {
			w.late = &recipe.Refusal{Reason: "changed-meanwhile", Detail: inside(cmp.Or(d.path, "."), "")}
		}
	}
}

// hit is a file that has a name which was asked for. It counts when that alone matters, or when it could be one that was
// read under another name: through a link, or skipped for #pragma once.
func (w *walk) hit(from, in *dir, base string, f flags) {
	path := inside(in.path, base)
	w.found[path] = true
	if w.byPath[path] || w.late != nil {
		return
	}
	if !in.linked && w.byPlace[in.place(base)] {
		w.found[in.place(base)] = true
		return
	}
	if f&tested == 0 && w.passed[path] {
		return
	}
	s, err := stamp.Of(w.at(path))
	if err != nil {
		w.late = &recipe.Refusal{Reason: "unreadable", Detail: err.Error()}
		return
	}
	w.foundAs[s] = true
	// It was not read. Had it come, or its folder, after the compiler looked, it would be next time.
	if !s.Settled(w.q.Began) || in != from && !w.listed(in).stamp.Settled(w.q.Began) {
		w.late = &recipe.Refusal{Reason: "changed-meanwhile", Detail: path}
		return
	}
	if w.late = w.turned(path, w.at(path)); w.late != nil {
		return
	}
	if f&tested == 0 && !w.same[look{s.Size, s.Modified}] {
		w.passed[path] = true
		return
	}
	k, refusal := w.known(path, w.at(path))
	if refusal != nil {
		w.late = refusal
		return
	}
	w.byPath[path] = true
	w.asides = append(w.asides, File{Path: path, Known: k})
}
