package infer

import (
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
)

// env sorts the variables the build reads by what they must hold. Those of a list of architectures stand in [arch].
func (d *drafter) env() {
	t := d.table("[env]")
	by := map[string][]fact.Clue{}
	var strange []fact.Clue
	for _, c := range d.clues["env"] {
		v, known := data.VariableByName(c.Value, "linux")
		switch {
		case v.Value != "":
			by[v.Value] = append(by[v.Value], c)
		case known && v.Kind == "arch" || variable(c.Value) != nil:
		default:
			strange = append(strange, c)
		}
	}
	t.orHint("toolkit.root", true, each(by["toolkit.root"], variable), `["CUDA_HOME", "CUDA_PATH"]`, "the variables in which the build looks for the toolkit")
	delete(by, "toolkit.root")
	for _, value := range slices.Sorted(maps.Keys(by)) {
		t.put(value, true, each(by[value], variable)...)
	}
	for i, it := range each(strange, variable) {
		if i == maxTables {
			break
		}
		t.orHint(it.value, false, nil, `"…"`, "read at "+it.from+"; what it must hold is not told")
	}
}

// kernels: a build script that names its sources tells of kernels; .cu files alone do not.
func (d *drafter) kernels() {
	names := d.kernelNames()
	for _, name := range names[:min(len(names), maxTables)] {
		t := d.table("[[kernels]]")
		t.label = "kernels[" + name + "]"
		at := "kernels." + name + "."
		sources := each(d.clues[at+"sources"], glob)
		t.maybe = !slices.ContainsFunc(sources, func(i item) bool { return !i.maybe }) || plainWord(name) != nil
		t.put("name", false, item{value: name})
		t.put("sources", true, sources...)
		t.put("exclude", true, each(d.clues[at+"exclude"], glob)...)
		t.put("flags", true, each(d.clues[at+"flags"], anything)...)
		t.put("kinds", true, each(d.clues[at+"kinds"], wordOf("kernels.kinds"))...)
	}
	if sources := each(d.clues["kernels.sources"], glob); len(names) == 0 && len(sources) > 0 {
		t := d.table("[[kernels]]")
		t.maybe = true
		t.put("name", false, item{value: "kernels"})
		t.put("sources", true, sources...)
	}
}

func (d *drafter) kernelNames() []string {
	var out []string
	for _, key := range d.order {
		rest, ok := strings.CutPrefix(key, "kernels.")
		name, _, inner := strings.Cut(rest, ".")
		if ok && inner && name != "" && !slices.Contains(out, name) && strings.Count(rest, ".") == 1 {
			out = append(out, name)
		}
	}
	return out
}

func glob(s string) error { return new(contract.Glob).UnmarshalText([]byte(s)) }

func (d *drafter) link() {
	if how := best(d.clues["link.cuda.how"], wordOf("link.cuda.how"), firstWins); len(how) > 0 {
		d.table("[link.cuda]").put("how", false, how...)
	}
}

// configs are ways to build that a file names; whether they are to be run is for a person to say.
func (d *drafter) configs() {
	seen := map[string]bool{}
	for i, it := range each(d.clues["config"], anything) {
		if i == maxTables {
			return
		}
		words := strings.Fields(it.value)
		if len(words) == 0 || seen[words[len(words)-1]] {
			continue
		}
		seen[words[len(words)-1]] = true
		t := d.table("[[config]]")
		t.maybe = true
		t.put("name", false, item{value: words[len(words)-1]})
		t.put("command", false, item{value: it.value, from: it.from, note: it.note})
	}
	if len(d.clues["config"]) == 0 {
		t := d.table("[[config]]")
		t.maybe = true
		t.quietHint("name", `"release"`, "a way to build it")
		t.quietHint("command", `"make"`, "what is run")
		t.quietHint("needs", `"toolkit"`, "what must be there: none, stub, toolkit or gpu")
	}
}
