package remedy

import (
	"cmp"
	"fmt"
	"slices"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// compilers are the host compilers a plan may end with: what nvcc takes by itself, each other one that is
// installed, and those that can be got. A person who names one wants no other.
func (s *search) compilers(in verify.Input) []option {
	out := []option{{key: "compiler as it is"}}
	if s.in.Host != "" {
		return out
	}
	have := map[string]bool{}
	for i, c := range newestFirst(in.Machine.Compilers) {
		if key := c.Family + " " + c.Version.Value; choice.Usable(in.Machine, c) && c.Version.Known() && !have[key] {
			have[key] = true
			out = append(out, option{key: key, use: true, apply: useCompiler(c.Command), cost: weight{wSwitch: 1, wOrder: i}})
		}
	}
	return append(out, s.newCompilers(in)...)
}

// newestFirst: of several that fit, the newest is the one that is looked after.
func newestFirst(list []fact.Compiler) []fact.Compiler {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b fact.Compiler) int { return choice.VersionOf(b.Version).Compare(choice.VersionOf(a.Version)) })
	return list
}

func useCompiler(command string) func(*verify.Input) {
	return func(in *verify.Input) { in.Host = command }
}

// newCompilers are those that can be got: the newest first, where several would do.
func (s *search) newCompilers(in verify.Input) []option {
	g := s.grounds(in.Machine)
	var out []option
	own := map[string]int{} // a compiler that cupel brings → its option
	for _, o := range g.ways("compiler") {
		for i, major := range g.majors(o) {
			filled := g.fill(o, version.V{}, "<gcc>", fmt.Sprint(major))
			if o.way.Does == DoCompiler {
				filled.does = &Action{Kind: DoCompiler, Major: major}
			}
			w := g.toolset(o.way)
			c := compilerOf(in.Machine, filled, w, major)
			if hasMajor(in.Machine, c) || !c.Version.Known() {
				continue
			}
			if at, ok := own[c.Family+" "+c.Version.Value]; ok {
				out[at].alts = append(out[at].alts, filled)
			} else if filled.does != nil {
				own[c.Family+" "+c.Version.Value] = len(out)
			}
			cost := o.weight().plus(s.hands(o))
			cost[wOrder] += i
			out = append(out, option{key: "new " + c.Family + " " + c.Version.Value, use: true, offer: &filled, cost: cost, apply: addCompiler(c, w)})
		}
	}
	return out
}

// majors are the gcc majors of a way, newest first; a way for another compiler has one nameless entry.
func (g grounds) majors(o offer) []int {
	w := o.way.Compiler
	list := slices.Clone(w.Majors)
	switch {
	case w.Family != "gcc":
		return []int{0}
	case len(list) == 0 && g.system != nil:
		list = slices.Clone(g.system.GCC)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
	return list
}

// toolset is the compiler of a way. One that belongs to the instance of Visual Studio is told by its version: 17.8 has
// the toolset 14.38, as many steps behind the first of its span.
func (g grounds) toolset(way data.Way) data.WayCompiler {
	w := *way.Compiler
	vs := g.studio(way.NeedsVS)
	if !w.Own || vs == nil {
		return w
	}
	v := studioVersion(*vs)
	row, first := spanOf(v)
	if first.IsZero() {
		return w
	}
	toolset, _ := version.Parse(row.ToolsetMin)
	step := v.Minor() - first.Minor()
	w.Studio, w.Toolset = vs.Version, version.Of(toolset.Major(), toolset.Minor()+step).String()
	w.Cl = version.Of(row.MSCMin/100, row.MSCMin%100+step).String()
	return w
}

// spanOf is the row of compilers to which a Visual Studio belongs, and the version with which that row begins.
func spanOf(v version.V) (row data.MSVC, first version.V) {
	for _, r := range data.MSVCs() {
		if begin, _ := version.Parse(r.StudioMin); begin.Major() == v.Major() && v.AtLeast(begin) {
			row, first = r, begin
		}
	}
	return row, first
}

func compilerOf(m fact.Machine, o offer, w data.WayCompiler, major int) fact.Compiler {
	s := m.System.Paths()
	if w.Family == "msvc" && w.Cl == "" {
		return fact.Compiler{}
	}
	if w.Family == "msvc" {
		path := s.Join(byPlan, w.Toolset, "cl.exe")
		return fact.Compiler{Family: "msvc", Command: path, Path: path, Version: fact.Of(w.Cl, byPlan), Target: "x64", Cxx: true}
	}
	command, path := o.command, o.command
	if w.Folder != "" {
		path = s.Join(w.Folder, command)
	}
	return fact.Compiler{Family: w.Family, Command: command, Path: path, Version: fact.Of(fmt.Sprint(major), byPlan), Cxx: true}
}

// hasMajor: installing what is there changes nothing.
func hasMajor(m fact.Machine, c fact.Compiler) bool {
	want, _ := version.Parse(c.Version.Value)
	return slices.ContainsFunc(m.Compilers, func(x fact.Compiler) bool {
		return x.Family == c.Family && choice.Usable(m, x) && want.Covers(choice.VersionOf(x.Version))
	})
}
