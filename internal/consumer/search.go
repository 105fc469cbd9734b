package consumer

import (
	"slices"
	"strconv"
	"strings"

	"cupel/internal/pattern"
)

// hit is a candidate that a search took, with the step that led to it.
type hit struct {
	path    string
	step    string // in words
	decider string
}

// answer is how one search ended.
type answer struct {
	hits  []hit
	tried []string // variables that were set and did not fit: a person meant something by them
	why   string   // set when a step ended the search
	stop  Outcome
}

// run walks the steps of a search. With mode "all" it keeps every candidate that fits.
func (s Search) run(v *view, root string) answer {
	var a answer
	for _, step := range s.Steps {
		if !v.holds(step.OS) {
			continue
		}
		if step.Kind == "end-if-set" && anySet(v, step.Names) {
			a.why = step.Why
			return a
		}
		found := s.try(v, step, root, &a)
		a.hits = append(a.hits, found...)
		if len(a.hits) > 0 && s.Mode != "all" || a.why != "" {
			return a
		}
	}
	return a
}

func anySet(v *view, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, ok := v.getenv(n); return ok })
}

// try looks at one step's candidates and returns those that fit: one, or all in mode "all".
func (s Search) try(v *view, step Step, root string, a *answer) []hit {
	var fits []hit
	for _, c := range step.candidates(v, root) {
		path, ok := s.fit(v, step, c.path)
		if !ok {
			if strings.HasPrefix(step.Kind, "env") {
				a.tried = append(a.tried, c.decider+" ("+c.path+")")
			}
			continue
		}
		c.path = path
		fits = append(fits, c)
		if s.Mode != "all" {
			return fits
		}
	}
	if value, set := v.getenv(step.Name); step.Must && set && value != "" && len(fits) == 0 {
		a.why, a.stop = step.Why, Panics
	}
	return fits
}

// fit says whether a candidate is what the search wants, and which place below it was meant.
func (s Search) fit(v *view, step Step, base string) (string, bool) {
	kind := s.Kind
	if step.Accept != "" {
		kind = step.Accept
	}
	subs := step.Sub
	if len(subs) == 0 {
		subs = []string{""}
	}
	for _, sub := range subs {
		path := v.below(base, sub, kind)
		if step.Unchecked || s.there(v, path, kind) {
			return v.above(path, step.Above), true
		}
	}
	return "", false
}

// there asks for the marker files of a root, or for the place itself.
func (s Search) there(v *view, path, kind string) bool {
	if s.For == "root" && len(s.Need) > 0 {
		return slices.ContainsFunc(s.Need, func(n string) bool { return v.is(v.style.Join(path, n), kind) })
	}
	if s.For == "root" && s.Mode == "all" {
		return true // every root stands; what it gives is asked by the library rules
	}
	return v.is(path, kind)
}

// below joins, and gives a program its Windows ending.
func (v *view) below(base, sub, kind string) string {
	if base = v.style.Clean(base); sub != "" {
		base = v.style.Join(base, sub)
	}
	if kind == "program" && v.style.Windows() && !strings.Contains(v.style.Base(base), ".") {
		base += ".exe"
	}
	return base
}

func (v *view) above(path string, levels int) string {
	for range levels {
		path = v.style.Dir(path)
	}
	return path
}

// candidates are the places one step names, before any of them is looked at.
func (step Step) candidates(v *view, root string) []hit {
	switch step.Kind {
	case "env", "env-list", "env-program", "env-file":
		return step.fromEnv(v)
	case "path":
		return step.fromPath(v)
	case "beside":
		return step.besidePrograms(v)
	case "dir":
		path := v.style.Clean(step.Path)
		return []hit{{path, "the usual folder " + path, path}}
	case "list":
		return step.fromList(v)
	case "root":
		if root != "" {
			return []hit{{root, "the root's own", root}}
		}
	}
	return nil
}

func (step Step) fromPath(v *view) []hit {
	var out []hit
	for _, dir := range v.PathDirs {
		path := v.style.Clean(dir)
		if len(step.Sub) == 0 {
			path = v.style.Join(dir, v.style.Program(step.Name))
		}
		out = append(out, hit{path, step.Name + " on PATH", "PATH"})
	}
	return out
}

var releaseEnd = pattern.New(`[0-9][0-9]?\.[0-9]$`)

// fromList gives what a pattern matched. "newest" is CMake's way: only folders whose name ends in X.Y, highest
// first.
func (step Step) fromList(v *view) []hit {
	found := v.list(step.Path)
	if step.Order == "newest" {
		found = slices.DeleteFunc(found, func(p string) bool { return !releaseEnd.MatchString(p) || !v.is(p, "dir") })
		slices.SortStableFunc(found, func(a, b string) int { return compareEnd(b, a) })
	}
	var out []hit
	for _, path := range found {
		out = append(out, hit{path, "one of " + v.style.Clean(step.Path), path})
	}
	return out
}

func compareEnd(a, b string) int {
	x, _ := strconv.ParseFloat(releaseEnd.FindString(a), 64)
	y, _ := strconv.ParseFloat(releaseEnd.FindString(b), 64)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
