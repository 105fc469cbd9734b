package remedy

import (
	"maps"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
)

// completions are installed toolkits inside the bands that lack libraries of the contract, with the packages that
// bring them.
func (s *search) completions(in verify.Input, bands contract.Bands) []option {
	g := groundsOf(in.Machine)
	var out []option
	for i, t := range in.Machine.Toolkits {
		rel := choice.Release(t)
		words := lacking(t, bands.Components)
		if len(words) == 0 || !t.Has(fact.PartNvcc) || !inside(bands, rel) || !asked(in, rel, t.Root) || !s.compiles(in.Machine, rel, t.Origin) {
			continue
		}
		for _, o := range g.ways("parts") {
			if !slices.Contains(o.way.Origins, t.Origin) {
				continue
			}
			filled := g.fill(o, rel, "<packages>", g.packages(o, t, words))
			cost := o.weight().plus(ranked(bands, rel)).plus(s.demand(in, rel))
			cost[wOrder] += i
			out = append(out, option{key: "more of " + t.Home(), use: toolkitOf(in) == nil || toolkitOf(in).Home() != t.Home(), offer: &filled, cost: cost, apply: complete(t, words)})
		}
	}
	return out
}

// lacking are the libraries that a toolkit was seen not to have as a build needs them.
func lacking(t fact.Toolkit, words []string) []string {
	var out []string
	for _, w := range words {
		if f, looked := t.Libraries[w]; looked && f.State != fact.Unreadable && f.Value.Path == "" {
			out = append(out, w)
		}
	}
	return out
}

// packages are the names of what brings the words, each once.
func (g grounds) packages(o offer, t fact.Toolkit, words []string) string {
	var names []string
	for _, w := range words {
		name, ok := o.way.Parts[w]
		if !ok {
			name = o.way.Parts["*"]
		}
		names = append(names, name)
	}
	slices.Sort(names)
	o.way.Commands, o.way.Setup = []string{strings.Join(slices.Compact(names), " ")}, ""
	return g.fill(o, choice.Release(t)).lines[0]
}

// complete gives a toolkit what it lacks, and chooses it.
func complete(t fact.Toolkit, words []string) func(*verify.Input) {
	return func(in *verify.Input) {
		t.Libraries = maps.Clone(t.Libraries)
		s := in.Machine.System.Paths()
		for _, w := range words {
			t.Libraries[w] = fact.Of(fact.Link{Path: s.Join(t.Root, "lib64", w)}, byPlan)
		}
		in.Machine.Toolkits = slices.Clone(in.Machine.Toolkits)
		for i := range in.Machine.Toolkits {
			if in.Machine.Toolkits[i].Home() == t.Home() {
				in.Machine.Toolkits[i] = t
			}
		}
		in.Choice.Flag = t.Root
	}
}
