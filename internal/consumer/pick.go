package consumer

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/version"
)

// Pick answers for this row alone.
func (r Row) Pick(w World) Pick { return r.pick(newView(w)) }

func (r Row) pick(v *view) Pick {
	p := Pick{
		Consumer: r.Name, Versions: r.Versions(), What: r.What, Outcome: Found,
		Source: r.Source, Proved: r.Proved[v.OS],
	}
	if r.TorchLibrary != "" {
		return r.torchLibrary(v, p)
	}
	roots := r.search(v, &p)
	r.derive(v, &p, roots)
	r.checkRelease(v, &p)
	r.addNotes(v, &p)
	return p
}

// search runs the row's searches and fills root and nvcc. It returns every root that mode "all" keeps.
func (r Row) search(v *view, p *Pick) []hit {
	var roots []hit
	var tried []string
	for _, s := range r.Searches {
		if !v.holds(s.OS) || (s.Unless == "nvcc" && p.Nvcc != "") {
			continue
		}
		a := s.run(v, p.Root)
		tried = append(tried, a.tried...)
		if s.Mode == "all" {
			roots = a.hits
		}
		r.take(p, s, a)
	}
	if p.Outcome == Found && len(tried) > 0 {
		p.Why = "passed over: " + strings.Join(slices.Compact(tried), ", ")
	}
	return roots
}

// take puts one search's answer into the pick. The first search to fail decides the outcome; a search that is
// asked only because an earlier one found nothing decides in its place.
func (r Row) take(p *Pick, s Search, a answer) {
	if len(a.hits) == 0 {
		if p.Outcome == Found || s.Unless != "" {
			p.Outcome, p.Why = s.None, cmpOr(a.why, s.Why)
			if a.stop != "" {
				p.Outcome = a.stop
			}
		}
		return
	}
	if s.Unless != "" {
		p.Outcome, p.Why = Found, ""
	}
	h := a.hits[0]
	switch {
	case s.For == "root":
		p.Root, p.Step, p.Decider = h.path, h.step, h.decider
	case p.Root == "":
		p.Nvcc, p.Step, p.Decider = h.path, h.step, h.decider
	default:
		p.Nvcc, p.Step = h.path, p.Step+"; nvcc: "+h.step
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// derive fills what follows from the root or from nvcc: root, headers, libraries.
func (r Row) derive(v *view, p *Pick, roots []hit) {
	if r.RootAbove && p.Nvcc != "" {
		p.Root = v.above(p.Nvcc, 2)
		if top := v.Tops[p.Nvcc]; r.AskNvcc && top != "" {
			p.Root = v.style.Clean(top)
		}
	}
	if len(roots) > 0 {
		r.joinRoots(v, p, roots)
	} else if p.Root != "" {
		p.Libs = r.libs(v, p.Root)
	}
	if r.NeedLibs && len(p.Libs) == 0 && p.Outcome == Found {
		p.Outcome, p.Why = Panics, r.Searches[0].Why
	}
	r.include(v, p)
}

// joinRoots is for consumers that link against several roots at once: those count that have a library folder.
func (r Row) joinRoots(v *view, p *Pick, roots []hit) {
	var from []string
	p.Root, p.Step, p.Decider = "", "", ""
	for _, h := range roots {
		libs := r.libs(v, h.path)
		if len(libs) == 0 {
			continue
		}
		if p.Root == "" {
			p.Root, p.Step, p.Decider = h.path, h.step, h.decider
		}
		p.Libs = append(p.Libs, libs...)
		if !slices.Contains(from, v.real(h.path)) {
			from = append(from, v.real(h.path))
		}
	}
	switch s := r.lastSearch(v); {
	case p.Root == "":
		p.Outcome, p.Why = s.None, s.Why
	case len(from) > 1:
		p.Outcome = Ambiguous
		p.Why = "it names the libraries of all of these, first wins at link time: " + strings.Join(from, ", ")
	default:
		p.Why = ""
	}
}

func (r Row) lastSearch(v *view) Search {
	for _, s := range slices.Backward(r.Searches) {
		if v.holds(s.OS) {
			return s
		}
	}
	return Search{}
}

func (r Row) libs(v *view, root string) []string {
	var out []string
	for _, rule := range r.Libs {
		if !v.holds(rule.OS) {
			continue
		}
		for _, each := range rule.Each {
			if path := v.style.Join(root, each); v.is(path, rule.Kind) {
				out = append(out, path)
			}
		}
		for _, target := range v.expand(append([]string{rule.Need}, rule.Add...)) {
			if need := target[0]; need == "" || v.is(v.style.Join(root, need), rule.Kind) {
				for _, add := range target[1:] {
					out = append(out, v.style.Join(root, add))
				}
			}
		}
	}
	return out
}

// expand writes {target} out, once per name of this architecture; without it there is one set.
func (v *view) expand(paths []string) [][]string {
	if !slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(p, "{target}") }) {
		return [][]string{paths}
	}
	var out [][]string
	for _, target := range v.targets() {
		set := make([]string, len(paths))
		for i, p := range paths {
			set[i] = strings.ReplaceAll(p, "{target}", target)
		}
		out = append(out, set)
	}
	return out
}

func (r Row) include(v *view, p *Pick) {
	if p.Root == "" || len(r.Include) == 0 {
		return
	}
	for _, include := range r.Include {
		for _, set := range v.expand([]string{include}) {
			dir := v.style.Join(p.Root, set[0])
			if r.IncludeNeed == "" || v.is(v.style.Join(dir, r.IncludeNeed), "file") {
				p.Include = dir
				return
			}
		}
	}
	p.Outcome, p.Why = Panics, r.NoneInclude
}

// pick answers with the row of a version. A version newer than the code that was read gets the newest row and
// says so; one older than every row is unknown.
func (g group) pick(v *view, project string) Pick {
	newest := g[len(g)-1]
	if project == "" {
		return newest.pick(v)
	}
	at, err := version.Parse(project)
	row, ok := g.row(at)
	if err != nil || !ok {
		return Pick{
			Consumer: newest.Name, Project: project, Outcome: Unknown, Versions: g[0].Versions(),
			Why: fmt.Sprintf("the code of version %s was not read", project),
		}
	}
	p := row.forVersion(at).pick(v)
	p.Project = project
	if !row.Covers(at) {
		p.Notes = append(p.Notes, fmt.Sprintf("the code of version %s was not read; this is how %s searches", project, newest.Last))
	}
	return p
}

func (g group) row(at version.V) (Row, bool) {
	for _, r := range g {
		if r.Covers(at) {
			return r, true
		}
	}
	newest := g[len(g)-1]
	last, err := version.Parse(newest.Last)
	return newest, err == nil && last.Less(at)
}
