package verify

import (
	"cmp"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/gpu"
)

// facts is what the words of a template stand for here, as cupel env has it.
func (j *judge) facts(a contract.Arch) environ.Facts {
	f := environ.Facts{Machine: j.Machine, Toolkit: j.t, Archs: j.archs(), Arch: a, Root: j.Project.Root}
	if j.Host != "" {
		f.Compiler = j.compiler()
	}
	return f
}

// archs are what the build is told to build for.
func (j *judge) archs() []gpu.Arch {
	t := j.t
	if t == nil {
		t = &fact.Toolkit{}
	}
	return environ.Archs(j.Machine, *t, j.req)
}

// fill gives the value a variable should have. Most templates hold no list of architectures, and judging hundreds
// of machines asks for the same values again and again.
func (j *judge) fill(name, template string) (text string, missing []string) {
	if strings.Contains(template, archList) {
		return j.facts(j.Contract.Arch).Fill(name, template)
	}
	if j.values == nil {
		j.values = environ.Values(j.facts(j.Contract.Arch))
	}
	return environ.Fill(template, j.values)
}

const archList = "{arch.list}"

// sameArchs says that two lists name the same targets in the same spelling, in whatever order. Whether PTX is kept
// beside machine code is not compared: it changes where the program runs later, not what it is built for.
func (j *judge) sameArchs(name, have, want string) bool {
	row, _ := data.VariableByName(name, j.Machine.System.OS)
	separators := cmp.Or(j.Contract.Arch.Separator, row.Separator, ";")
	words := func(list string) []string {
		out := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(separators, r) })
		for i, w := range out {
			out[i] = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(w), "-real"), "+PTX")
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return slices.Equal(words(have), words(want))
}
