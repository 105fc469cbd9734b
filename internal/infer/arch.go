package infer

import (
	"errors"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/pattern"
)

var errNotPlain = errors.New("it has characters that a name cannot have")

func (d *drafter) arch() {
	t := d.table("[arch]")
	rows := d.byToolkit()
	lists := d.lists()
	detect := best(d.clues["arch.detect"], oneOf("true"), firstWins)
	d.quarrel(lists, rows, detect)
	t.targets(lists, len(rows) > 0)
	cc := func(s string) error { return new(contract.CC).UnmarshalText([]byte(s)) }
	t.orHint("min", false, best(d.clues["arch.min"], cc, byCC), `"7.0"`, "the lowest compute capability that works")
	if len(detect) > 0 {
		t.entries = append(t.entries, &entry{name: "detect", raw: true, items: detect})
	}
	d.archEnv(t)
	d.tables = append(d.tables, rows...)
}

// listOf reads a list in any spelling. Virtual targets are PTX, for which the contract has a word of its own.
func listOf(c fact.Clue) (targets, ptx []item) {
	var virtual, seen []gpu.Arch
	for _, word := range strings.Fields(c.Value) {
		var t contract.Target
		if err := t.UnmarshalText([]byte(word)); err != nil {
			targets = append(targets, item{value: word, from: from(c), note: plain(err.Error()), maybe: true})
			continue
		}
		if strings.HasSuffix(word, "+PTX") || t.Virtual {
			virtual = append(virtual, t.Arch)
		}
		a := t.Arch
		a.Virtual = false
		if !slices.Contains(seen, a) {
			seen = append(seen, a)
			targets = append(targets, item{value: a.String(), from: from(c), note: c.Note, maybe: c.Note != ""})
		}
	}
	if len(virtual) == 1 && len(seen) > 0 {
		top := slices.MaxFunc(seen, gpu.Arch.Compare)
		if virtual[0].CC == top.CC {
			ptx = []item{{value: "highest", from: from(c), note: c.Note, maybe: c.Note != ""}}
		}
	}
	return targets, ptx
}

// archEnv names the variables that carry the list, with the spelling they want. Two spellings do not go together.
func (d *drafter) archEnv(t *table) {
	clues := slices.Clone(d.clues["arch.env"])
	for _, c := range d.clues["env"] {
		if v, ok := data.VariableByName(c.Value, "linux"); ok && v.Kind == "arch" {
			clues = append(clues, c)
		}
	}
	items := each(clues, variable)
	if len(items) == 0 {
		return
	}
	slices.SortStableFunc(items, func(a, b item) int { return map[bool]int{true: 1}[a.maybe] - map[bool]int{true: 1}[b.maybe] })
	first, known := data.VariableByName(items[0].value, "linux")
	for i := range items[1:] {
		if v, _ := data.VariableByName(items[i+1].value, "linux"); v.Spelling != first.Spelling && !items[i+1].maybe {
			items[i+1].maybe, items[i+1].note = true, "it wants another spelling than "+items[0].value
		}
	}
	t.put("env", true, items...)
	how := item{from: "cupel's table of variables", maybe: items[0].maybe}
	if known && wordOf("arch.spelling")(first.Spelling) == nil {
		how.value = first.Spelling
		t.put("spelling", false, how)
	}
	if known && first.Separator != "" {
		how.value = first.Separator[:1]
		t.put("separator", false, how)
	}
}

var variableForm = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

func variable(s string) error {
	if variableForm.MatchString(s) {
		return nil
	}
	return errNotPlain
}
