package closure

import (
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/include"
	"cupel/internal/recipe"
)

// searched is a folder in which headers are looked for.
type searched struct {
	dir   *dir
	clean string
	real  string // where links lead; gcc names headers of -isystem so where that is shorter
	quote bool   // for names in quotes only
	sure  bool   // its place in the order is known: what is found there hides what stands behind
	tools bool   // the tools look there by themselves
}

// places are all of them in order.
func (w *walk) places() []searched {
	var all []searched
	add := func(path string, quote, sure, tools bool) {
		d := w.dir(path)
		clean := filepath.Clean(d.at)
		real, err := filepath.EvalSymlinks(d.at)
		if err != nil {
			real = clean
		}
		d.linked = d.linked || fold(real) != fold(clean)
		d.tools = d.tools || tools
		all = append(all, searched{dir: d, clean: clean, real: real, quote: quote, sure: sure, tools: tools})
	}
	for _, f := range w.q.Recipe.Search {
		add(f.Path, f.Kind == "quote", f.Kind == "quote" || f.Kind == "user", false)
	}
	for _, path := range w.q.Includes {
		add(path, false, false, true)
	}
	// gcc drops a folder of -I that is also one of the system: its place is then a later one.
	for i := range all {
		for _, other := range all {
			if all[i].sure && !other.sure && w.sameDir(all[i].dir, other.dir) {
				all[i].sure = false
			}
		}
	}
	return all
}

func (w *walk) sameDir(a, b *dir) bool {
	s, t := w.listed(a).stamp, w.listed(b).stamp
	return fold(a.clean) == fold(b.clean) || s.Exists() && s.Device == t.Device && s.Number == t.Number
}

// asking is one name that files mention, from a folder where that counts.
type asking struct {
	dir    string // of the file that mentions it, for names in quotes
	name   string
	quoted bool
}

// flags are how a name is asked for.
type flags uint8

const (
	tested     flags = 1 << iota // whether it is there is enough to matter
	everywhere                   // no folder hides what stands behind it
	ours                         // a file asks that is not one of the tools'
)

// want notes a name, once for all who ask alike.
func (w *walk) want(a asking, f flags) {
	old, ok := w.asked[a]
	if !ok {
		w.order = append(w.order, a)
	}
	w.asked[a] = old | f
}

// ask notes the names that a file mentions.
func (w *walk) ask(path string, m *include.Mentions) {
	dir, _ := split(path)
	for _, name := range m.Quoted {
		w.want(asking{dir, name, true}, 0)
	}
	for _, name := range m.Angled {
		w.want(asking{name: name}, 0)
	}
	f := tested
	if len(m.Tested) > 0 && !w.ofTools(path) {
		f |= ours
	}
	for _, name := range m.Tested {
		w.mark(dir, name, f)
	}
	for _, name := range m.Next {
		w.mark(dir, name, everywhere)
	}
}

// mark adds to what is known of a name, in both forms: which one it was is not kept.
func (w *walk) mark(dir, name string, f flags) {
	for _, a := range []asking{{dir, name, true}, {name: name}} {
		if old, ok := w.asked[a]; ok {
			w.asked[a] = old | f
		}
	}
}

// askForEntered notes the files that were read by the names under which they were found: what a macro stood for, and what
// the compiler includes by itself. computed are the folders of files that include macros.
func (w *walk) askForEntered(computed []string) {
	names := map[string]bool{}
	for _, f := range w.files {
		clean := filepath.Clean(w.at(f.Path))
		for _, s := range w.search {
			for _, way := range [][2]string{{f.Path, s.dir.path}, {clean, s.clean}, {clean, s.real}} {
				if rest, ok := below(way[0], way[1]); ok && !names[rest] {
					names[rest] = true
					w.want(asking{name: rest}, 0)
					w.lookQuoted(computed, rest)
				}
			}
		}
	}
}

// computed are the folders of files that include macros.
func (w *walk) computed() (dirs []string) {
	for i, m := range w.scanned {
		if dir, _ := split(w.files[i].Path); m.Computed && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// nameless: where a macro is included, each file that was read must have been found by a name that was asked for, or lie where
// names in quotes are looked for first, or be named whole on the command line. One that lies elsewhere (it was a link, which
// gcc followed) came by a name that is not known. cl names files as it found them, and looks in folders that nobody told.
func (w *walk) nameless(entered []File, computed []string) *recipe.Refusal {
	if windows || len(computed) == 0 {
		return nil
	}
	for _, f := range entered {
		place := fold(filepath.Clean(w.at(f.Path)))
		beside := func(dir string) bool {
			_, ok := below(f.Path, dir)
			return ok || dir == "" && !whole(f.Path)
		}
		named := func(word string) bool { return whole(f.Path) && strings.Contains(word, f.Path) }
		if f.Path == w.q.Recipe.Source || w.found[f.Path] || w.found[place] || w.foundAs[f.Known.Stamp] ||
			slices.ContainsFunc(computed, beside) || slices.ContainsFunc(w.q.Recipe.Words, named) {
			continue
		}
		return &recipe.Refusal{Reason: "included-name-unknown", Detail: f.Path}
	}
	return nil
}

// lookQuoted looks where only names in quotes are looked for: in the folders of files that mention them, and those of -iquote.
func (w *walk) lookQuoted(dirs []string, name string) {
	for _, dir := range dirs {
		from := w.dir(dir)
		if in, base, ok := w.look(from, name); ok {
			w.hit(from, in, base, 0)
		}
	}
	for _, s := range w.search {
		if !s.quote || len(dirs) == 0 {
			continue
		}
		if in, base, ok := w.look(s.dir, name); ok {
			w.hit(s.dir, in, base, 0)
		}
	}
}

// askForIncluded notes what is included before the source: looked for in the working folder first. Compilers take what was
// made of such a header in its stead (clang x.pch or x.gch; gcc x.gch, when it compiles what nvcc wrote, of the header that
// it includes by itself).
func (w *walk) askForIncluded() {
	w.want(asking{name: "stdc-predef.h"}, 0)
	w.want(asking{name: "stdc-predef.h.gch"}, tested)
	for _, name := range w.q.Recipe.Included {
		w.want(asking{quoted: true, name: name}, 0)
		w.want(asking{quoted: true, name: name + ".gch"}, tested)
		w.want(asking{quoted: true, name: name + ".pch"}, tested)
	}
}
