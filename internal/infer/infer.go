// Package infer drafts a contract from the clues a project's files hold. Every line of the draft says which file and
// line it was read from; what is uncertain is commented out, and what nothing tells stays a comment with a hint. It
// is pure: the clues were gathered before, and nothing is written.
package infer

import (
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
)

// Answer is a draft with its reasons. Text always parses as a contract.
type Answer struct {
	Text     []byte
	Inferred []Line
	Unknown  []string // keys that nothing tells, with what they mean
}

// Line is one thing that was read.
type Line struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from,omitempty"` // CMakeLists.txt:12, and others with the same or a weaker demand
	Note  string `json:"note,omitempty"`
	Maybe bool   `json:"maybe,omitempty"` // uncertain: it stands in the draft as a comment
}

// Draft writes the contract that the clues tell of. A name that is given wins over those the files show.
func Draft(name string, clues []fact.Clue) Answer {
	d := &drafter{clues: map[string][]fact.Clue{}}
	for _, c := range clues {
		d.clues[c.Key] = append(d.clues[c.Key], clean(c))
		d.order = append(d.order, c.Key)
	}
	for _, step := range []func(){func() { d.project(name) }, d.toolkit, d.driver, d.host, d.arch, d.env, d.components, d.kernels, d.link, d.configs} {
		step()
	}
	d.settle()
	return Answer{Text: d.text(), Inferred: d.inferred(), Unknown: d.unknown()}
}

// drafter is a contract while it is drafted.
type drafter struct {
	clues  map[string][]fact.Clue
	order  []string // keys as they came
	tables []*table
}

// table is one table of the draft.
type table struct {
	head    string // [toolkit] or [[kernels]]
	path    string // toolkit, kernels
	label   string // how it is named to people, when it is one of several: kernels[ptx]
	from    string // where the table itself comes from, when it has no entry that says so
	maybe   bool   // the whole table is uncertain
	why     string // why it is
	entries []*entry
}

// entry is one key: a plain value, a list, or a hint at what could be said.
type entry struct {
	name  string
	items []item
	list  bool
	raw   bool // the value is no text: true
	hint  *hint
}

// item is one value with where it was read.
type item struct {
	value string
	from  string
	note  string
	maybe bool
}

// hint is a key that nothing told.
type hint struct {
	example, what string
	quiet         bool // it is not worth a word outside the draft
}

func (e *entry) active() bool {
	for _, i := range e.items {
		if !i.maybe {
			return true
		}
	}
	return false
}

// active: a table that was not read from anywhere counts when one of its entries does.
func (t *table) active() bool {
	if t.maybe {
		return false
	}
	if t.from != "" {
		return true
	}
	for _, e := range t.entries {
		if e.active() {
			return true
		}
	}
	return false
}

func (d *drafter) table(head string) *table {
	t := &table{head: head, path: strings.Trim(head, "[]")}
	d.tables = append(d.tables, t)
	return t
}

// put adds an entry, if there is anything to add.
func (t *table) put(name string, list bool, items ...item) {
	if len(items) > 0 {
		t.entries = append(t.entries, &entry{name: name, list: list, items: items[:min(len(items), maxList)]})
	}
}

// maxList bounds a list of the draft; maxTables the rows of one kind.
const (
	maxList   = 200
	maxTables = 32
)

// orHint adds the entry, or what could stand there.
func (t *table) orHint(name string, list bool, items []item, example, what string) {
	if t.put(name, list, items...); len(items) == 0 {
		t.entries = append(t.entries, &entry{name: name, hint: &hint{example: example, what: what}})
	}
}

// quietHint shows what can be said, without a word about it elsewhere.
func (t *table) quietHint(name, example, what string) {
	t.entries = append(t.entries, &entry{name: name, hint: &hint{example: example, what: what, quiet: true}})
}

// settle makes sure that the draft is a contract. Where the parts that were read contradict one another, the later
// one becomes a comment that says why.
func (d *drafter) settle() {
	if d.why() == "" {
		return
	}
	var off []*table
	for _, t := range d.tables {
		if t.path != "project" && !t.maybe {
			t.maybe = true
			off = append(off, t)
		}
	}
	for _, e := range d.tables[0].entries {
		if why := d.why(); why != "" && e.name != "name" {
			e.demote(why)
		}
	}
	for _, t := range off {
		d.promote(t)
	}
}

// promote makes a table count again: whole, else without the one entry that stands in the way, else not at all.
func (d *drafter) promote(t *table) {
	t.maybe = false
	why := d.why()
	if why == "" {
		return
	}
	for _, e := range t.entries {
		was := slices.Clone(e.items)
		if e.demote(why); d.why() == "" {
			return
		}
		e.items = was
	}
	t.maybe, t.why = true, why
}

func (e *entry) demote(why string) {
	for i := range e.items {
		if !e.items[i].maybe {
			e.items[i].maybe = true
			e.items[i].note = strings.TrimPrefix(e.items[i].note+"; "+why, "; ")
		}
	}
}

// why is the first thing wrong with the draft, "" when it is a contract.
func (d *drafter) why() string {
	_, found := contract.Parse("cupel.toml", d.text())
	if len(found) == 0 {
		return ""
	}
	return plain("left out: " + found[0].What)
}
