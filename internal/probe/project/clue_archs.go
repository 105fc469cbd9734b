package project

import (
	"cmp"
	"slices"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/version"
)

// bound is one comparison of the toolkit's release: >= 12.8.
type bound struct {
	op string // >=, >, <=, <
	v  version.V
}

var negated = map[string]string{">=": "<", "<": ">=", ">": "<=", "<=": ">"}

// edge is a place between releases: at v, or just above it.
type edge struct {
	v     version.V
	above bool
}

func (e edge) compare(o edge) int {
	return cmp.Or(e.v.Compare(o.v), map[bool]int{true: 1}[e.above]-map[bool]int{true: 1}[o.above])
}

// holds says whether releases from the edge on, up to the next one, satisfy the bound.
func (b bound) holds(e edge) bool {
	c := e.v.Compare(b.v)
	if c == 0 && e.above {
		c = 1
	}
	return map[string]bool{">=": c >= 0, ">": c > 0, "<=": c <= 0, "<": c < 0}[b.op]
}

// edge is where the bound begins or stops to hold.
func (b bound) edge() edge { return edge{b.v, b.op == ">" || b.op == "<="} }

// condition is what must be true for a line of a build script to count.
type condition struct {
	releases []bound  // of the toolkit
	other    []string // anything else, in the script's words
}

// Limits of what is followed; people's scripts stay far below.
const (
	maxConditions = 48
	maxEvents     = 400
)

// with joins two conditions. Too many of them are followed no further, and then count as unknown.
func (c condition) with(d condition) condition {
	out := condition{slices.Concat(c.releases, d.releases), slices.Concat(c.other, d.other)}
	if len(out.releases) > maxConditions {
		out.releases, out.other = out.releases[:maxConditions], append(out.other, "many conditions hold")
	}
	out.other = out.other[:min(len(out.other), maxConditions)]
	return out
}

func (c condition) note() string {
	if len(c.other) == 0 {
		return ""
	}
	return "only when " + strings.Join(c.other, " and ")
}

func (c condition) holds(e edge) bool {
	return !slices.ContainsFunc(c.releases, func(b bound) bool { return !b.holds(e) })
}

// event is a line that changes a list of architectures, or that refuses to go on.
type event struct {
	list  string   // the name of the list
	items []string // its new entries; ${NAME} is another list
	set   bool     // they replace the old ones
	drop  bool     // they are taken out
	fatal bool     // the script ends here
	onto  bool     // they are added to a list that should be there
	told  bool     // the list counts by itself, not only where it is put into another
	when  condition
	line  int
}

// always says that nothing keeps the event from happening.
func (e event) always() bool { return len(e.when.releases)+len(e.when.other) == 0 }

// row is what a list holds for releases from one edge to the next.
type row struct {
	from, to *edge // nil: no bound
	items    []string
	fatal    bool
	line     int
	notes    []string
}

// rows runs the events for every stretch of releases that they tell apart.
func rows(events []event, list string) []row {
	edges := []edge{{}} // below every release
	for _, e := range events {
		for _, b := range e.when.releases {
			edges = append(edges, b.edge())
		}
	}
	slices.SortFunc(edges, edge.compare)
	edges = slices.Compact(edges)
	edges = edges[:min(len(edges), maxConditions)]
	var out []row
	for i := range edges {
		r := runEvents(events, list, edges[i])
		if i > 0 {
			r.from = &edges[i]
		}
		if i+1 < len(edges) {
			r.to = &edges[i+1]
		}
		if n := len(out); n > 0 && slices.Equal(out[n-1].items, r.items) && out[n-1].fatal == r.fatal {
			out[n-1].to = r.to
			continue
		}
		out = append(out, r)
	}
	return out
}

var listName = pattern.New(`^\$\{([A-Za-z0-9_]+)\}$`)

const maxItems = 64

func runEvents(events []event, list string, at edge) row {
	lists := map[string][]string{}
	r := row{}
	for _, e := range events {
		if !e.when.holds(at) {
			continue
		}
		if e.fatal {
			r.fatal = r.fatal || len(e.when.other) == 0
			continue
		}
		had, begun := lists[e.list]
		var items []string
		for _, item := range e.items {
			m := listName.FindStringSubmatch(item)
			if m == nil {
				items = append(items, item)
			} else if of, known := lists[m[1]]; known {
				items = append(items, of...)
			} else {
				items = append(items, item) // it stays in the list, and so shows that not all of it could be read
			}
		}
		switch {
		case e.drop:
			items = slices.DeleteFunc(slices.Clone(had), func(s string) bool { return slices.Contains(e.items, s) })
		case !e.set:
			items = slices.Concat(had, items)
		}
		lists[e.list] = unique(items[:min(len(items), maxItems)])
		if e.list == list && len(e.items) > 0 {
			if r.line == 0 || e.set {
				r.line = e.line
			}
			r.remark(e, had, begun)
		}
	}
	r.items = lists[list]
	return r
}

// remark notes what makes the list uncertain after an event. What a condition replaces is named: it holds otherwise.
func (r *row) remark(e event, had []string, begun bool) {
	note := e.when.note()
	if note != "" && e.set && len(had) > 0 {
		note += ", else " + strings.Join(had, " ")
	}
	if e.onto && !begun {
		note = joined(note, "added to a list that begins in another place")
	}
	if note != "" && !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// unique keeps the first of equal entries.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// span is the row's releases as a range of the contract.
func (r row) span() string {
	var out []string
	if r.from != nil {
		out = append(out, map[bool]string{false: ">=", true: ">"}[r.from.above]+r.from.v.String())
	}
	if r.to != nil {
		out = append(out, map[bool]string{false: "<", true: "<="}[r.to.above]+r.to.v.String())
	}
	return strings.Join(out, ", ")
}

var target = pattern.New(`^(sm_|compute_)?[0-9]{1,2}\.?[0-9][af]?(-real|-virtual|\+PTX)?$`)

// tellArchs turns events into clues: the releases the script refuses, and what each list that counts holds. Lists
// that differ are for a person to choose from.
func (f *clueFile) tellArchs(events []event) {
	events = events[:min(len(events), maxEvents)]
	f.tellRefused(events)
	lists := []string{archList}
	for _, e := range events {
		if e.told && !slices.Contains(lists, e.list) && len(lists) < maxLists {
			lists = append(lists, e.list)
		}
	}
	for _, list := range lists {
		f.tellList(events, list)
	}
}

// maxLists bounds the lists of one file.
const maxLists = 16

// tellList is one clue for all releases, or one per stretch of them.
func (f *clueFile) tellList(events []event, list string) {
	var told []row
	for _, r := range rows(events, list) {
		if !r.fatal && len(r.items) > 0 {
			told = append(told, r)
		}
	}
	for _, r := range told {
		if len(told) > 1 && (r.from != nil && r.from.above || r.to != nil && r.to.above) {
			r.notes = append(r.notes, "the script compares with the whole version, which has more numbers than a release: where one ends is uncertain")
		}
		note := strings.Join(r.notes, "; ")
		items := slices.DeleteFunc(slices.Clone(r.items), func(s string) bool { return !target.MatchString(s) })
		switch {
		case len(items) == 0:
			f.tellWord(r, note)
		case len(told) == 1:
			f.add("arch.targets", strings.Join(items, " "), r.line, partly(note, items, r.items))
		default:
			f.add("arch.by-toolkit", r.span()+": "+strings.Join(items, " "), r.line, partly(note, items, r.items))
		}
	}
}

// partly adds to the note that some entries could not be read.
func partly(note string, read, all []string) string {
	if len(read) == len(all) {
		return note
	}
	if note != "" {
		note += "; "
	}
	return note + "not all of the list could be read: " + strings.Join(all, " ")
}

// tellWord: CMake's native, all and all-major are no targets.
func (f *clueFile) tellWord(r row, note string) {
	if slices.Equal(r.items, []string{"native"}) || slices.Equal(r.items, []string{"NATIVE"}) {
		f.add("arch.detect", "true", r.line, note)
	}
}

// tellRefused: the releases at which the script ends are below the minimum, or out.
func (f *clueFile) tellRefused(events []event) {
	var fatal []event
	for _, e := range events {
		if e.fatal && len(e.when.releases) > 0 {
			fatal = append(fatal, e)
		}
	}
	for i, r := range rows(fatal, "") {
		line := 0
		if len(fatal) > 0 {
			line = fatal[0].line
		}
		switch {
		case !r.fatal:
		case i == 0 && r.to != nil && !r.to.above:
			f.add("toolkit.min", r.to.v.String(), line, "")
		case r.from != nil || r.to != nil:
			f.add("toolkit.exclude", r.span(), line, "")
		}
	}
	for _, e := range fatal {
		if n := e.when.note(); n != "" && len(e.when.releases) == 1 && e.when.releases[0].op == "<" {
			f.add("toolkit.min", e.when.releases[0].v.String(), e.line, n)
		}
	}
}
