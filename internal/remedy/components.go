package remedy

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/resolve"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// component is got as the contract says, else by the table.
func (s *search) component(in verify.Input, c verify.Check) *extra {
	name := strings.TrimPrefix(c.ID, "component-")
	want := in.Contract.For(in.Platform).Components[name]
	if line := filled(in, installLine(want.Install, in.Platform)); line != "" {
		return asTheContractSays(in, c, name, line)
	}
	if want.Toolchain != "" && len(in.Machine.Rust.Toolchain.Value) > 0 {
		return nil // another toolchain of what is there: the check itself says how
	}
	g := s.grounds(in.Machine)
	for _, o := range g.ways("component") {
		v := g.versionOf(o.way, name)
		if o.way.Does == DoInstall {
			if o = g.intoToolkit(o, toolkitOf(in), name); o.does == nil {
				continue
			}
		}
		if slices.Contains(o.way.Components, name) && (want.Version == nil || v.IsZero() || mayHold(want.Version.Range.Has, v)) {
			if o.does == nil {
				o = g.fill(o, chosen(in))
				o.does = own(o.way)
			}
			return componentStep(g, pinned(o, want), c, want, v)
		}
	}
	return nil
}

// own is what cupel does for a way that needs to know nothing more.
func own(w data.Way) *Action {
	if w.Does == DoClang {
		return &Action{Kind: DoClang}
	}
	return nil
}

// intoToolkit adds a component to the toolkit of the plan, where cupel brings or brought that one.
func (g grounds) intoToolkit(o offer, t *fact.Toolkit, name string) offer {
	if t == nil || t.Installed == nil || !g.shelf.answers(t.Installed.Source) {
		return offer{}
	}
	rel := choice.Release(*t)
	if _, ok := resolve.Row(t.Installed.Source, name, rel, platformOf(g.m.System)); !ok {
		return offer{}
	}
	o.does = &Action{Kind: DoInstall, Release: rel.String(), Source: t.Installed.Source, With: []string{name}}
	if g.shelf.reached == nil && brought(*t) {
		o.does.Release, o.does.Source = rel.Short().String(), "" // which update and source it will be is not known yet
	}
	does := o.does
	o = g.fill(o, rel, "<packages>", name, "<asked>", does.Release, "<from>", listOption("--from", strings.Fields(does.Source)))
	o.does = does
	return o
}

// filled puts the plan's toolkit into the words of an install line; empty when a word has no value.
func filled(in verify.Input, line string) string {
	facts := environ.Facts{Machine: in.Machine, Toolkit: toolkitOf(in), Compiler: compilerNamed(in), Arch: in.Contract.Arch, Root: in.Project.Root}
	line, missing := environ.Fill(line, environ.Values(facts))
	if len(missing) > 0 {
		return ""
	}
	return line
}

// asTheContractSays runs the contract's own line. What NVIDIA's repository holds is not there for apt before that is
// set up, or is an older build of the distribution's.
func asTheContractSays(in verify.Input, c verify.Check, name, line string) *extra {
	e := byHand(c, []string{line}, "as the contract says")
	e.Title, e.Cost.Installs, e.Cost.SizeUnknown = "install "+name, 1, true
	g := groundsOf(in.Machine)
	for _, o := range g.ways("component") {
		if o.way.Setup != "" && slices.Contains(o.way.Components, name) && strings.Contains(line, o.way.Managers[0]) {
			o = g.fill(o, chosen(in))
			o.lines = []string{line}
			e.offer = &o
			break
		}
	}
	return e
}

// versionOf is what a way brings; zero: not told.
func (g grounds) versionOf(w data.Way, name string) version.V {
	text := w.Version
	if w.OfSystem && g.system != nil {
		text = g.system.Packages[name]
	}
	v, _ := version.Parse(text)
	return v
}

// pinned adds the toolchain that a contract names to what installs rustup.
func pinned(o offer, want contract.Component) offer {
	if want.Toolchain != "" && slices.Contains(o.way.Components, "rust") {
		o.lines = append(o.lines, "rustup toolchain install "+want.Toolchain, "rustup override set "+want.Toolchain)
	}
	return o
}

func componentStep(g grounds, o offer, c verify.Check, want contract.Component, v version.V) *extra {
	step := gotten(option{offer: &o}, nil)
	step.Fixes, step.Why = []string{c.ID}, c.What
	if v.IsZero() && o.way.OfSystem {
		step.Note = strings.TrimPrefix(step.Note+"; which version "+g.name()+" has is not known to cupel", "; ")
	}
	return &extra{Step: *step, offer: &o, apply: addComponent(strings.TrimPrefix(c.ID, "component-"), want.Toolchain, v)}
}

// addComponent puts a component on the machine, with its version where that is told.
func addComponent(name, toolchain string, v version.V) func(*verify.Input) {
	told := fact.Of(v.String(), byPlan)
	if v.IsZero() {
		told = fact.Bad[string](byPlan, errors.New("not told"))
	}
	return func(in *verify.Input) {
		m := &in.Machine
		switch name {
		case "rust", "cargo":
			m.Rust.Toolchain, m.Rust.Cargo = fact.Of(cmp.Or(toolchain, "stable"), byPlan), fact.Of(byPlan, byPlan)
		case "python":
			m.Pythons = append(slices.Clone(m.Pythons), fact.Python{Path: byPlan, Version: told, Kind: "system"})
		case "cmake", "ninja", "git":
			m.Tools = slices.DeleteFunc(slices.Clone(m.Tools), func(t fact.Tool) bool { return t.Name == name })
			m.Tools = append(m.Tools, fact.Tool{Name: name, Path: byPlan, Version: told})
		default:
			m.Libraries = append(slices.Clone(m.Libraries), fact.Library{Name: name, Version: told, Path: byPlan, Origin: "system"})
		}
	}
}

// inOrder sorts steps of components by need, what is no component after them.
func inOrder(list []extra) []extra {
	place := func(e extra) int {
		for _, id := range e.Fixes {
			if i := slices.Index(data.AllRemedies().Order, strings.TrimPrefix(id, "component-")); i >= 0 {
				return i
			}
		}
		return len(data.AllRemedies().Order)
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b extra) int { return cmp.Compare(place(a), place(b)) })
	return list
}

// installLine is what the contract says for the platform, CI first.
func installLine(p contract.PerOS, on contract.Platform) string {
	line := map[string]string{"windows": p.Windows, "wsl2": cmp.Or(p.WSL2, p.Linux), "linux": p.Linux, "jetson": p.Linux}[on.Name]
	if on.CI {
		line = cmp.Or(p.CI, line)
	}
	return cmp.Or(line, p.All)
}

// mayHold: what a package gives lies in the range, or where only its major is told, some version of it may.
func mayHold(has func(version.V) bool, v version.V) bool {
	for minor := range 100 {
		if has(v) || v.Parts() == 1 && has(version.Of(v.Major(), minor)) {
			return true
		}
	}
	return false
}
