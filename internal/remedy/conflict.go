package remedy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/verify"
)

// sets is how many conflicts are looked for: a person settles one after the other.
const sets = 5

// conflict explains why there is no plan: the smallest sets of lines that cannot be met here, and what of the
// machine stands against them. What the rest of the contract needs is planned all the same.
func (s *search) conflict(a *Answer) {
	var out []string
	rest := s
	for n := 1; n <= sets; n++ {
		lines := rest.minimal()
		for _, l := range lines {
			a.Conflict = append(a.Conflict, Clash{Set: n, Key: l.Key, Where: l.Pos.String(), Text: l.Text})
			out = append(out, l.Key)
		}
		for _, f := range rest.facts(lines) {
			if !slices.Contains(a.Facts, f) {
				a.Facts = append(a.Facts, f)
			}
		}
		if rest = s.on(s.in.Contract.Without(out...)); len(lines) == 0 {
			return // not the contract: the machine itself
		}
		if goals := rest.run(false); len(goals) > 0 {
			s.besides(a, rest, goals[0])
			return
		}
	}
}

// besides plans what can be done for the lines that are in no conflict.
func (s *search) besides(a *Answer, rest *search, goal *node) {
	goal.stays = s.staying(goal)
	if r := rest.plan(goal); len(r.Steps) > 0 {
		r.Satisfies = false
		a.Plans = []Route{r}
	}
}

// on is the same question about another contract.
func (s *search) on(c *contract.Contract) *search {
	in := s.in
	in.Contract = c
	q := newSearch(in, s.now)
	q.shelf, q.userSpace = s.stock(), s.userSpace
	return q
}

// staying are the checks of the whole contract that the machine of a goal still fails.
func (s *search) staying(n *node) []verify.Check {
	in := n.in
	in.Contract = s.in.Contract
	fixed := map[string]bool{}
	for _, e := range n.extras {
		for _, id := range e.Fixes {
			fixed[id] = true
		}
	}
	return slices.DeleteFunc(s.judge(in), func(c verify.Check) bool { return fixed[c.ID] || settledBy(c.ID) == "env" })
}

// minimal takes lines out one by one and leaves out each without which it still does not work. What is left
// conflicts, and without any one of it there is a plan.
func (s *search) minimal() []contract.Line {
	lines := s.in.Contract.Lines()
	if few := s.suspects(lines); !s.works(lines, few) {
		lines = few
	}
	all := s.in.Contract.Lines()
	for i := 0; i < len(lines); {
		less := slices.Delete(slices.Clone(lines), i, i+1)
		if s.works(all, less) {
			i++
			continue
		}
		lines = less
	}
	return lines
}

// works says that there is a plan when of all lines only some are kept.
func (s *search) works(all, kept []contract.Line) bool {
	var out []string
	for _, l := range all {
		if !slices.Contains(kept, l) {
			out = append(out, l.Key)
		}
	}
	return len(s.on(s.in.Contract.Without(out...)).run(false)) > 0
}

// suspects are the lines that a check named when a machine was given up: mostly enough, and a short way.
func (s *search) suspects(lines []contract.Line) []contract.Line {
	var out []contract.Line
	for _, l := range lines {
		for _, c := range s.blamed {
			if speaksOf(c.Key, l.Key) {
				out = append(out, l)
				break
			}
		}
	}
	return out
}

// speaksOf: a check's key is the line's own, or one names a part of the other.
func speaksOf(check, line string) bool {
	part := func(a, b string) bool { return strings.HasPrefix(a, b+".") || strings.HasPrefix(a, b+"[") }
	return check != "" && (check == line || part(line, check) || part(check, line))
}

func keysOf(lines []contract.Line) []string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Key)
	}
	return out
}

// facts are the reasons for which machines were given up when nothing but the conflicting lines was asked for.
func (s *search) facts(lines []contract.Line) []Fact {
	keep := keysOf(lines)
	var out []string
	for _, l := range s.in.Contract.Lines() {
		if !slices.Contains(keep, l.Key) {
			out = append(out, l.Key)
		}
	}
	q := s.on(s.in.Contract.Without(out...))
	q.run(false)
	facts := s.machineFacts(q)
	for _, id := range slices.Sorted(maps.Keys(q.blamed)) {
		about := func(l contract.Line) bool { return speaksOf(q.blamed[id].Key, l.Key) }
		if by := settledBy(id); by != "compiler" && id != "glibc-too-new" && !slices.ContainsFunc(lines, about) {
			continue // a reason of one machine that was tried, not of the conflict
		}
		facts = append(facts, Fact{Check: id, Text: q.blamed[id].What})
	}
	return facts
}

// machineFacts are what of this machine no plan can change, where the checks that ended the search are about it.
func (s *search) machineFacts(q *search) []Fact {
	m, g := s.in.Machine, s.grounds(s.in.Machine)
	blamed := func(by string) bool {
		for id := range q.blamed {
			if settledBy(id) == by {
				return true
			}
		}
		return false
	}
	noGPU, inside := !hasDevice(m), m.System.Container.Known()
	var facts []Fact
	for _, f := range []struct {
		holds bool
		text  string
	}{
		{blamed("toolkit") && len(g.ways("toolkit")) == 0, "how to get another toolkit on " + g.name() + " is not known to cupel"},
		{blamed("compiler"), g.compilersText()},
		{blamed("driver") && noGPU && !inside, "this machine has no NVIDIA GPU that a driver could serve"},
		{blamed("driver") && inside, "inside a container the driver is the host's"},
		{blamed("driver") && !noGPU && !inside && len(g.ways("driver")) == 0, "how to get another driver on " + g.name() + " is not known to cupel"},
		{blamed("driver") && !noGPU && !inside && g.lastBranch() > 0, fmt.Sprintf("the GPUs here have no driver after branch %d", g.lastBranch())},
	} {
		if f.holds && f.text != "" {
			facts = append(facts, Fact{Text: f.text})
		}
	}
	return append(facts, s.packageFacts(q, g)...)
}

// compilersText says which host compilers can be had.
func (g grounds) compilersText() string {
	var names []string
	for _, o := range g.ways("compiler") {
		for _, major := range g.majors(o) {
			w := g.toolset(o.way)
			if name := w.Family + " " + cmp.Or(w.Cl, fmt.Sprint(major)); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		return "host compilers that cupel knows how to get on " + g.name() + ": " + strings.Join(names, ", ")
	}
	return "how to get another host compiler on " + g.name() + " is not known to cupel"
}

// lastBranch is the newest driver branch that can be had where all ways end with one; 0: there is no end.
func (g grounds) lastBranch() int {
	last := 0
	for _, o := range g.ways("driver") {
		if len(o.way.Branches) == 0 {
			return 0
		}
		last = max(last, slices.Max(o.way.Branches))
	}
	return last
}

// packageFacts are components whose package of the distribution is not the version that is wanted.
func (s *search) packageFacts(q *search, g grounds) []Fact {
	var facts []Fact
	for _, o := range g.ways("component") {
		for _, name := range o.way.Components {
			if _, ok := q.blamed["component-"+name]; ok && o.way.OfSystem && !g.versionOf(o.way, name).IsZero() {
				facts = append(facts, Fact{Text: fmt.Sprintf("the package of %s on %s is version %s; another way is not known to cupel", name, g.name(), g.versionOf(o.way, name))})
			}
		}
	}
	return facts
}
