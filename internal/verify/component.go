package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/rule"
)

func (j *judge) components() []string { return slices.Sorted(maps.Keys(j.req.Components)) }

// copyOf is one thing that may be the component.
type copyOf struct {
	version fact.Fact[string]
	path    string
}

// looks maps a component to where the machine holds it. Libraries are the rest.
var looks = map[string]func(m fact.Machine) []copyOf{
	"rust":         func(m fact.Machine) []copyOf { return oneIf(m.Rust.Toolchain, m.Rust.Toolchain.Source) },
	"cargo":        func(m fact.Machine) []copyOf { return pathOnly(m.Rust.Cargo) },
	"cupel-gpu":    func(m fact.Machine) []copyOf { return pathOnly(m.Driver.Helper) },
	"cmake":        tool("cmake"),
	"ninja":        tool("ninja"),
	"git":          tool("git"),
	"python":       pythons(func(p fact.Python) fact.Fact[string] { return p.Version }),
	"torch":        pythons(func(p fact.Python) fact.Fact[string] { return p.Torch }),
	"bitsandbytes": pythons(func(p fact.Python) fact.Fact[string] { return p.Bitsandbytes }),
}

func oneIf(f fact.Fact[string], path string) []copyOf {
	if f.IsAbsent() {
		return nil
	}
	return []copyOf{{f, path}}
}

// pathOnly is a program whose version nobody asked.
func pathOnly(f fact.Fact[string]) []copyOf {
	if !f.Known() {
		return nil
	}
	return []copyOf{{fact.Fact[string]{}, f.Value}}
}

func tool(name string) func(fact.Machine) []copyOf {
	return func(m fact.Machine) []copyOf {
		for _, t := range m.Tools {
			if t.Name == name {
				return []copyOf{{t.Version, t.Path}}
			}
		}
		return nil
	}
}

func pythons(what func(fact.Python) fact.Fact[string]) func(fact.Machine) []copyOf {
	return func(m fact.Machine) []copyOf {
		var out []copyOf
		for _, p := range m.Pythons {
			out = append(out, oneIf(what(p), p.Path)...)
		}
		return out
	}
}

func (j *judge) copies(name string) []copyOf {
	if look, ok := looks[name]; ok {
		return look(j.Machine)
	}
	var out []copyOf
	for _, l := range j.Machine.Libraries {
		if l.Name == name {
			out = append(out, copyOf{l.Version, l.Path})
		}
	}
	return out
}

// componentCheck: one copy in the range is enough; which of several a build takes is the doctor's to say.
func componentCheck(j *judge, name string, c *Check) {
	want := j.req.Components[name]
	c.Key, c.Expected, c.Found = "components."+name, componentText(want), "none"
	all := j.copies(name)
	if len(all) == 0 {
		j.absent(name, want, c)
		return
	}
	c.Found = copiesText(all)
	if want.Toolchain != "" && !toolchainIs(all, want.Toolchain) {
		c.bad(severityOf(want), fmt.Sprintf("the active Rust toolchain is %s", all[0].version.Value), reasonOf(want, "the contract wants "+want.Toolchain), j.toolchainStep(want.Toolchain))
		return
	}
	if want.Version == nil {
		return
	}
	fits, vague, untold := inRange(all, want.Version.Range)
	switch {
	case fits != nil:
		c.Found = copiesText([]copyOf{*fits})
	case vague != nil:
		c.Found = copiesText([]copyOf{*vague})
		c.warn(fmt.Sprintf("it cannot be told whether %s is in %s", name, want.Version.Range), fmt.Sprintf("only %s of its version is known, and a bound is finer", vague.version.Value), askVersion(name)...)
	case untold:
		c.warn(fmt.Sprintf("it is not known which version of %s is here", name), fmt.Sprintf("the contract wants %s; %s", want.Version.Range, c.Found), askVersion(name)...)
	default:
		c.bad(severityOf(want), fmt.Sprintf("%s is outside %s", name, want.Version.Range), limitWhy(reasonOf(want, "found: "+c.Found), want.Version.Reason, want.Version.Source), j.installSteps(name, want)...)
	}
}

// askVersion is how a person finds out what no file told.
func askVersion(name string) []finding.Step {
	cmd := map[string]string{"rust": "rustc --version", "cargo": "cargo --version", "cmake": "cmake --version", "ninja": "ninja --version", "git": "git --version"}[name]
	if cmd == "" {
		return nil
	}
	return []finding.Step{command(cmd, "tells it")}
}

// absent: what may be missing is told and does no harm.
func (j *judge) absent(name string, want contract.Component, c *Check) {
	if want.Required != nil && !*want.Required {
		c.skip(reasonOf(want, "not here, and optional"))
		return
	}
	c.bad(severityOf(want), name+" was not found", reasonOf(want, "the contract needs it"), j.installSteps(name, want)...)
}

// severityOf: what only some configs need does not stop the others.
func severityOf(want contract.Component) string {
	if want.Severity == "" && len(want.OnlyFor) > 0 {
		return "warning"
	}
	return cmp.Or(want.Severity, "error")
}

func reasonOf(want contract.Component, text string) string {
	if len(want.OnlyFor) > 0 {
		text += " (for " + strings.Join(want.OnlyFor, ", ") + ")"
	}
	return limitWhy(text, want.Reason, want.Source)
}

func componentText(want contract.Component) string {
	var words []string
	if want.Version != nil {
		words = append(words, want.Version.Range.String())
	}
	if want.Toolchain != "" {
		words = append(words, want.Toolchain)
	}
	if want.Required != nil && !*want.Required {
		words = append(words, "optional")
	}
	return cmp.Or(strings.Join(words, ", "), "any version")
}

func copiesText(all []copyOf) string {
	var words []string
	for _, c := range all {
		word := c.path
		if !c.version.IsAbsent() {
			word = strings.TrimSpace(text(c.version) + " in " + c.path)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// inRange finds the first copy in a range, else the first that may be. untold: a copy has no readable version.
func inRange(all []copyOf, r contract.Range) (fits, vague *copyOf, untold bool) {
	for i, c := range all {
		v := choice.VersionOf(c.version)
		if v.IsZero() {
			untold = true
			continue
		}
		switch f := fitOf(r, v); {
		case f == inside:
			return &all[i], nil, false
		case f == maybe && vague == nil:
			vague = &all[i]
		}
	}
	return nil, vague, untold
}

func toolchainIs(all []copyOf, want string) bool {
	return slices.ContainsFunc(all, func(c copyOf) bool { return rule.SameToolchain(c.version.Value, want) })
}

func (j *judge) toolchainStep(want string) finding.Step {
	for _, have := range j.Machine.Rust.Installed {
		if rule.SameToolchain(have, want) {
			return command("rustup override set "+want, "it is installed; this folder then uses it")
		}
	}
	return command("rustup toolchain install "+want, "then: rustup override set "+want)
}

// installSteps is how the contract says to get it, for this platform.
func (j *judge) installSteps(name string, want contract.Component) []finding.Step {
	i := want.Install
	hint := map[string]string{"linux": i.Linux, "jetson": i.Linux, "windows": i.Windows, "wsl2": cmp.Or(i.WSL2, i.Linux)}[j.Platform.Name]
	if j.Platform.CI {
		hint = cmp.Or(i.CI, hint)
	}
	hint, missing := j.fill(name, cmp.Or(hint, i.All))
	if hint == "" || len(missing) > 0 {
		return []finding.Step{plan()}
	}
	return []finding.Step{command(hint, "as the contract says")}
}
