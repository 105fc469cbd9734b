package remedy

import (
	"maps"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/resolve"
	"cupel/internal/verify"
)

// completions are installed toolkits inside the bands that lack libraries of the contract, with the packages that
// bring them.
func (s *search) completions(in verify.Input, bands contract.Bands) []option {
	g := s.grounds(in.Machine)
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
			if o.way.Does == DoInstall {
				if filled = g.more(o, t, words); filled.does == nil {
					continue
				}
			}
			cost := o.weight().plus(s.hands(o)).plus(ranked(bands, rel)).plus(s.demand(in, rel))
			cost[wOrder] += i
			out = append(out, option{key: "more of " + t.Home(), use: toolkitOf(in) == nil || toolkitOf(in).Home() != t.Home(), offer: &filled, cost: cost, apply: complete(t, words)})
		}
	}
	return out
}

// more adds components to a toolkit that cupel installed, from where the rest of it came.
func (g grounds) more(o offer, t fact.Toolkit, words []string) offer {
	with := extraWords(words)
	if t.Installed == nil || len(with) == 0 || !g.shelf.answers(t.Installed.Source) {
		return offer{}
	}
	rel := choice.Release(t)
	for _, w := range with {
		if _, ok := resolve.Row(t.Installed.Source, w, rel, platformOf(g.m.System)); !ok {
			return offer{}
		}
	}
	o = g.fill(o, rel, "<packages>", strings.Join(with, ","), "<source>", t.Installed.Source)
	o.does = &Action{Kind: DoInstall, Release: rel.String(), Source: t.Installed.Source, With: with}
	return o
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
