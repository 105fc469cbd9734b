package infer

import (
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// archList is one list of architectures with every place that gives it.
type archList struct {
	targets, ptx []item
	from         string
}

// lists are the different lists that files give, those that are certain first. The order and the spelling of a list
// make no difference.
func (d *drafter) lists() []archList {
	var out []archList
	for _, c := range d.clues["arch.targets"] {
		targets, ptx := listOf(c)
		i := slices.IndexFunc(out, func(l archList) bool { return sameValues(l.targets, targets) })
		switch {
		case len(targets) == 0:
		case i < 0:
			out = append(out, archList{targets, ptx, from(c)})
		default:
			out[i].join(targets, ptx, c)
		}
	}
	slices.SortStableFunc(out, func(a, b archList) int { return rank(a.targets) - rank(b.targets) })
	return out[:min(len(out), maxLists)]
}

// maxLists bounds the lists that are shown for one key.
const maxLists = 12

// join adds a place that gives the same list. PTX that only one of them asks for is uncertain.
func (l *archList) join(targets, ptx []item, c fact.Clue) {
	for i := range l.targets {
		l.targets[i] = both(l.targets[i], c)
	}
	l.from = l.targets[0].from
	if len(ptx) == 0 || len(l.ptx) == 0 {
		l.ptx = append(l.ptx, ptx...)
		for i := range l.ptx {
			l.ptx[i].maybe, l.ptx[i].note = true, "not every place that gives the list asks for it"
		}
		return
	}
	l.ptx[0] = both(l.ptx[0], c)
}

func rank(items []item) int {
	return map[bool]int{true: 1}[slices.ContainsFunc(items, func(i item) bool { return i.maybe })]
}

func sameValues(a, b []item) bool { return slices.Equal(sorted(a), sorted(b)) }

func sorted(items []item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = it.value
	}
	slices.Sort(out)
	return out
}

const quarrelNote = "sources differ: "

// quarrel: where files give different lists, none of them is certain, and each says what the others are. Which of
// them the project is built for is a person's to say.
func (d *drafter) quarrel(lists []archList, rows []*table, detect []item) {
	for i := range lists {
		var others []string
		for j, o := range lists {
			if j != i {
				others = append(others, o.from+" says "+strings.Join(sorted(o.targets), " "))
			}
		}
		if len(detect) > 0 {
			others = append(others, detect[0].from+" builds for the GPUs found")
		}
		doubt(lists[i].targets, others)
		doubt(lists[i].ptx, others)
	}
	var told []string
	for _, l := range lists {
		told = append(told, l.from+" says "+strings.Join(sorted(l.targets), " "))
	}
	for _, t := range rows {
		told = append(told, t.row()[0].from+" has a list for CUDA "+t.entries[0].items[0].value)
	}
	doubt(detect, told)
	why := rowsDiffer(rows, lists)
	if len(detect) > 0 {
		why = quarrelNote + detect[0].from + " builds for the GPUs found"
	}
	if why != "" {
		for _, t := range rows {
			t.maybe, t.why = true, why
		}
	}
}

// doubt makes items uncertain when others say something else.
func doubt(items []item, others []string) {
	if len(others) == 0 {
		return
	}
	for i := range items {
		own := items[i].note
		items[i].maybe = true
		items[i].note = plain(strings.TrimPrefix(own+"; "+quarrelNote+strings.Join(others, "; "), "; "))
	}
}

// rowsDiffer says why rows cannot all be right: two of them for one release, or a list beside them that none has.
func rowsDiffer(rows []*table, lists []archList) string {
	for i, t := range rows {
		for _, o := range rows[:i] {
			if overlap(t.entries[0].items[0].value, o.entries[0].items[0].value) && !sameValues(t.row(), o.row()) {
				return quarrelNote + t.row()[0].from + " and " + o.row()[0].from + " give other lists for the same releases"
			}
		}
	}
	for _, l := range lists {
		if len(rows) > 0 && !slices.ContainsFunc(rows, func(t *table) bool { return sameValues(t.row(), l.targets) }) {
			return quarrelNote + l.from + " says " + strings.Join(sorted(l.targets), " ")
		}
	}
	return ""
}

// row is the list of a row by toolkit.
func (t *table) row() []item { return t.entries[1].items }

// overlap says that some release is in both ranges: then one of them begins inside the other.
func overlap(a, b string) bool {
	r, _ := contract.ParseRange(a)
	q, _ := contract.ParseRange(b)
	return slices.ContainsFunc([]version.V{version.Of(0), r.Low(), q.Low()}, func(v version.V) bool { return r.Has(v) && q.Has(v) })
}

// targets writes the one list there is, or every list as a comment.
func (t *table) targets(lists []archList, rows bool) {
	if len(lists) == 0 && !rows {
		t.orHint("targets", true, nil, `["sm_80", "sm_90"]`, "the architectures it is built for")
	}
	for _, l := range lists {
		for i := range l.targets {
			if rows && !l.targets[i].maybe {
				l.targets[i].maybe, l.targets[i].note = true, "the rows by toolkit say more"
			}
		}
		t.put("targets", true, l.targets...)
		t.put("ptx", false, l.ptx...)
	}
}

// byToolkit: newer releases first, as the contract reads its rows. The same row from two places is one.
func (d *drafter) byToolkit() []*table {
	var out []*table
	for _, c := range d.clues["arch.by-toolkit"] {
		releases, list, ok := strings.Cut(c.Value, ": ")
		if !ok || span(releases) != nil || len(out) == maxTables {
			continue
		}
		targets, _ := listOf(fact.Clue{Value: list, File: c.File, Line: c.Line, Note: c.Note})
		again := func(t *table) bool { return t.entries[0].items[0].value == releases && sameValues(t.row(), targets) }
		if len(targets) == 0 || slices.ContainsFunc(out, again) {
			continue
		}
		t := &table{head: "[[arch.by-toolkit]]", path: "arch.by-toolkit", label: "arch.by-toolkit[" + releases + "]", maybe: c.Note != ""}
		t.put("toolkit", false, item{value: releases})
		t.put("targets", true, targets...)
		t.maybe = t.maybe || !t.entries[1].active()
		out = append(out, t)
	}
	slices.Reverse(out)
	return out
}
