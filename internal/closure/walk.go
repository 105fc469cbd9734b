package closure

import (
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/include"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// walk is one reading.
type walk struct {
	r       *Reader
	q       Question
	keep    string
	files   []File                       // that were read
	asides  []File                       // that were not, and matter
	byPath  map[string]bool              // of both, as it is written
	byPlace map[string]bool              // cleaned and whole: gcc shortens the names of system headers
	same    map[look]bool                // what the files look like: one of the same looks may have been skipped as already read
	scanned []*include.Mentions          // of each of files
	told    map[string]*include.Mentions // the same by path
	dirs    map[string]*dir
	search  []searched
	project []*dir // folders of files that belong to no tool, for compilers that look in all of them
	asked   map[asking]flags
	order   []asking
	found   map[string]bool      // paths, or places, of files that were found by a name
	foundAs map[stamp.Stamp]bool // of those that are known by another path
	passed  map[string]bool      // files that have a name which was asked for, and do not matter
	ways    map[string]string    // by where: turnedAt
	noted   []missing            // what was just looked for in vain
	late    *recipe.Refusal
}

// look is by what gcc takes two files with #pragma once for one, before it compares them.
type look struct{ size, modified int64 }

func newWalk(r *Reader, q Question) *walk {
	w := &walk{
		r: r, q: q, byPath: map[string]bool{}, byPlace: map[string]bool{}, same: map[look]bool{},
		dirs: map[string]*dir{}, asked: map[asking]flags{}, passed: map[string]bool{}, found: map[string]bool{}, foundAs: map[stamp.Stamp]bool{},
		told: map[string]*include.Mentions{}, ways: map[string]string{},
	}
	w.keep = filepath.Clean(w.at(q.Keep))
	w.search = w.places()
	return w
}

// at is where a path leads from the working folder.
func (w *walk) at(path string) string { return place(w.q.Dir, path) }

func place(dir, path string) string {
	if whole(path) {
		return path
	}
	return inside(dir, path)
}

// all takes in every file, asks for every name and looks for each.
func (w *walk) all(left kept) *recipe.Refusal {
	if refusal := w.given(); refusal != nil {
		return refusal
	}
	for _, name := range append([]string{w.q.Recipe.Source}, left.entered...) {
		if refusal := w.enter(name); refusal != nil {
			return refusal
		}
	}
	entered := len(w.files)
	for i, f := range w.files {
		w.ask(f.Path, w.scanned[i])
	}
	w.project = w.projectDirs()
	if refusal := w.host(left); refusal != nil {
		return refusal
	}
	computed := w.computed()
	w.askForEntered(computed)
	w.askForIncluded()
	for _, a := range w.order {
		w.answer(a, w.asked[a])
	}
	switch {
	case w.late != nil:
		return w.late
	case left.dated != "" && !w.q.Epoch:
		return &recipe.Refusal{Reason: "uses-date", Detail: left.dated}
	case len(left.others) > 0 && w.q.Recipe.Lines:
		// ptxas puts its size and time into the table of lines, -src-in-ptx its text into the PTX.
		return &recipe.Refusal{Reason: "lines-of-another-file", Detail: left.others[0]}
	case left.takes != "":
		return &recipe.Refusal{Reason: "embeds-file", Detail: left.takes}
	}
	if refusal := w.nameless(w.files[:entered], computed); refusal != nil {
		return refusal
	}
	return w.unclear()
}

// enter takes in a file that was read.
func (w *walk) enter(path string) *recipe.Refusal {
	at := w.at(path)
	place := filepath.Clean(at)
	if _, ok := below(place, w.keep); ok || w.byPath[path] {
		return nil
	}
	k, refusal := w.known(path, at)
	if refusal != nil {
		return refusal
	}
	if k.Digest.IsZero() {
		return &recipe.Refusal{Reason: "vanished", Detail: path}
	}
	m, refusal := w.r.mentioned(at, k)
	if refusal == nil {
		refusal = w.declared(path, m)
	}
	if refusal != nil {
		return refusal
	}
	w.byPath[path] = true
	w.byPlace[fold(place)] = true
	w.same[look{k.Stamp.Size, k.Stamp.Modified}] = true
	w.files = append(w.files, File{Path: path, Known: k})
	w.scanned, w.told[path] = append(w.scanned, m), m
	return nil
}

// known is a file that did not change since the compilation began.
func (w *walk) known(path, at string) (stamp.Known, *recipe.Refusal) {
	k, err := w.r.files.Now(at)
	if err != nil {
		return k, &recipe.Refusal{Reason: "unreadable", Detail: err.Error()}
	}
	if k.Stamp.Exists() && !k.Stamp.Dir && !k.Stamp.Settled(w.q.Began) {
		return k, &recipe.Refusal{Reason: "changed-meanwhile", Detail: path}
	}
	return k, w.turned(path, at)
}

// declared: the text says nothing that makes the result depend on more than files.
func (w *walk) declared(path string, m *include.Mentions) *recipe.Refusal {
	switch {
	case m.Timestamp:
		return &recipe.Refusal{Reason: "uses-timestamp", Detail: path}
	case m.Date && !w.q.Epoch:
		return &recipe.Refusal{Reason: "uses-date", Detail: path}
	case m.Embeds != "":
		return &recipe.Refusal{Reason: "embeds-file", Detail: path + ": " + m.Embeds}
	case m.Asked != "":
		return &recipe.Refusal{Reason: "asks-for-macro", Detail: path + ": " + m.Asked}
	case m.Trigraph:
		return &recipe.Refusal{Reason: "trigraphs", Detail: path}
	}
	return nil
}

// given: the words of the command line say nothing of that either. A shell takes quotes off them.
func (w *walk) given() *recipe.Refusal {
	for _, word := range w.q.Recipe.Words {
		if strings.Contains(word, "__has_include") {
			return &recipe.Refusal{Reason: "asks-for-macro", Detail: word}
		}
		m := include.Word(word)
		if refusal := w.declared(word, &m); refusal != nil {
			return refusal
		}
	}
	return nil
}

// unclear: a macro that asks __has_include is given a word that may stand for any name.
func (w *walk) unclear() *recipe.Refusal {
	wrappers := map[string]bool{}
	for _, m := range w.scanned {
		for _, name := range m.Wrappers {
			wrappers[name] = true
		}
	}
	for more := len(wrappers) > 0; more; {
		more = false
		for i, m := range w.scanned {
			for _, p := range m.Passed {
				switch {
				case !wrappers[p.Macro]:
				case p.Into == "":
					return &recipe.Refusal{Reason: "asks-for-macro", Detail: w.files[i].Path + ": " + p.Line}
				case !wrappers[p.Into]:
					wrappers[p.Into], more = true, true
				}
			}
		}
	}
	return nil
}

// closure puts it in order: files of the project, other files, files of the tools.
func (w *walk) closure() Closure {
	c := Closure{Files: append(w.files, w.asides...)}
	rank := make(map[string]int, len(c.Files))
	for _, f := range c.Files {
		switch {
		case !whole(f.Path):
			rank[f.Path] = 0
		case w.ofTools(f.Path):
			rank[f.Path] = 2
		default:
			rank[f.Path] = 1
		}
	}
	slices.SortStableFunc(c.Files, func(a, b File) int { return rank[a.Path] - rank[b.Path] })
	for _, d := range w.dirs {
		if _, ok := below(d.clean, w.keep); ok || d.clean == w.keep || len(d.absent) == 0 {
			continue
		}
		a := Absent{Dir: d.path, Stamp: d.list.stamp, Settled: d.list.settled, Names: make([]string, 0, len(d.absent))}
		if a.Dir == "" {
			a.Dir = "."
		}
		for name := range d.absent {
			a.Names = append(a.Names, name)
		}
		slices.Sort(a.Names)
		c.Absent = append(c.Absent, a)
	}
	slices.SortFunc(c.Absent, func(a, b Absent) int { return strings.Compare(a.Dir, b.Dir) })
	return c
}

// ofTools: the file lies in a folder in which the tools look by themselves.
func (w *walk) ofTools(path string) bool {
	place := filepath.Clean(w.at(path))
	return slices.ContainsFunc(w.search, func(p searched) bool {
		_, ok := below(place, p.clean)
		return ok && p.tools
	})
}

// projectDirs are the folders of files that lie in none of the tools'.
func (w *walk) projectDirs() []*dir {
	var dirs []*dir
	for _, f := range w.files {
		dir, _ := split(f.Path)
		if d := w.dir(dir); !slices.Contains(dirs, d) && !w.ofTools(f.Path) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}
