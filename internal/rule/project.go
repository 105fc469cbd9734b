package rule

import (
	"fmt"
	"strings"

	"cupel/data"
	"cupel/internal/consumer"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var projectRules = []Rule{
	{ID: "project-file-overrides-env", Severity: finding.Warning, Title: "a project file overrides a variable of the environment", Check: overrides},
	{ID: "cargo-env-not-used", Severity: finding.Info, Title: "the environment wins over .cargo/config.toml", Check: cargoNotUsed},
	{ID: "stale-build-artifacts", Severity: finding.Warning, Title: "a CMake cache holds another toolkit's compiler", Check: staleCache},
	{ID: "consumer-picks-other-toolkit", Severity: finding.Warning, Title: "a builder of the project would take another toolkit", Label: "mixed-toolkits",
		CausedBy: []string{"cuda-roots-disagree", "nvcc-outside-cuda-root", "toolkit-path-wrong"}, Check: picksOther},
	{ID: "consumer-finds-nothing", Severity: finding.Warning, Title: "a builder of the project would find no toolkit", Label: "nvcc-not-found",
		CausedBy: []string{"no-toolkit", "nvcc-not-on-path", "toolkit-path-wrong", "builder-windows-root"}, Check: findsNothing},
}

// known keeps the variables the doctor has a row for.
func known(in *Input, name string) bool {
	_, ok := data.VariableByName(name, in.Machine.System.OS)
	return ok
}

func overrides(in *Input) []finding.Finding {
	var out []finding.Finding
	add := func(v fact.FileValue, why string) {
		// A value made of other variables cannot be compared here.
		if !known(in, v.Name) || !in.isSet(v.Name) || in.env(v.Name) == v.Value || strings.Contains(v.Value, "$") {
			return
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s of the environment is overridden by %s", v.Name, v.File),
			Where: position(v),
			Why:   fmt.Sprintf("%s; here: %s, there: %s", why, in.env(v.Name), v.Value),
			Next:  []finding.Step{advice("change or remove the line, or set the same value")},
		})
	}
	for _, v := range in.Project.CargoEnv {
		if v.Force {
			add(v, "cargo sets it for every build because of force = true")
		}
	}
	for _, v := range in.Project.Exports {
		if v.Force { // NAME ?= keeps the value of the environment
			add(v, "make gives its own value to everything it starts")
		}
	}
	for _, v := range in.Project.Presets {
		add(v, "the CMake preset sets it when that preset is used")
	}
	return out
}

func cargoNotUsed(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, v := range in.Project.CargoEnv {
		if v.Force || !in.isSet(v.Name) || in.env(v.Name) == v.Value {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s of %s is not used here", v.Name, v.File),
			Where: position(v),
			Why:   fmt.Sprintf("cargo keeps a variable that is set already: %s wins over %s", in.env(v.Name), v.Value),
		})
	}
	return out
}

func staleCache(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, v := range in.Project.Cache {
		if v.Name != "CMAKE_CUDA_COMPILER" || v.Value == "" {
			continue
		}
		t := in.owner(v.Value)
		f := finding.Finding{
			Where: position(v),
			Next:  []finding.Step{command("cmake --fresh -B "+quote(in.Paths().Dir(v.File)), "CMake 3.24 and newer: configures anew (or delete the folder)")},
		}
		switch {
		case t == nil && !in.exists(v.Value):
			f.What = "a CMake cache names an nvcc that is gone"
			f.Why = v.Value + " does not exist: CMake stops with \"is not a full path to an existing compiler tool\""
		case t != nil && in.Chosen.Toolkit != nil && t.Home() != in.Chosen.Toolkit.Home():
			f.What = fmt.Sprintf("a CMake cache holds %s, chosen is %s", name(*t), name(*in.Chosen.Toolkit))
			f.Why = "CUDACXX and PATH count at the first configure only"
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// inProject are the answers for consumers the project really has.
func (in *Input) inProject() []consumer.Pick {
	var out []consumer.Pick
	for _, p := range in.Picks {
		if p.Project != "" {
			out = append(out, p)
		}
	}
	return out
}

func picksOther(in *Input) []finding.Finding {
	if in.Chosen.Toolkit == nil {
		return nil
	}
	var out []finding.Finding
	for _, p := range in.inProject() {
		t := in.toolkitAt(p.Root)
		if (p.Outcome != consumer.Found && p.Outcome != consumer.Ambiguous) || t == nil || t.Home() == in.Chosen.Toolkit.Home() {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s %s would take %s, chosen is %s", p.Consumer, p.Project, name(*t), name(*in.Chosen.Toolkit)),
			Where: p.Decider,
			Why:   p.Step,
			Next:  []finding.Step{envCommand(in), command("cupel doctor --consumers", "how each one looks for CUDA")},
		})
	}
	return out
}

func findsNothing(in *Input) []finding.Finding {
	if in.Chosen.Toolkit == nil {
		return nil
	}
	var out []finding.Finding
	for _, p := range in.inProject() {
		// One that found a toolkit and stops for another reason has rules of its own.
		if f, ok := in.takesEmptyFolder(p); ok {
			out = append(out, f)
			continue
		}
		if p.Outcome != consumer.Nothing && p.Outcome != consumer.Panics || p.Root != "" || p.Nvcc != "" {
			continue
		}
		out = append(out, finding.Finding{
			What: fmt.Sprintf("%s %s would find no toolkit here", p.Consumer, p.Project),
			Why:  p.Why,
			Next: []finding.Step{envCommand(in)},
		})
	}
	return out
}

// takesEmptyFolder: some consumers take a usual folder (/usr) without looking whether CUDA is in it.
func (in *Input) takesEmptyFolder(p consumer.Pick) (finding.Finding, bool) {
	if p.Outcome != consumer.Found || p.Root == "" || p.Nvcc != "" || in.toolkitAt(p.Root) != nil || !in.Paths().Same(p.Decider, p.Root) {
		return finding.Finding{}, false
	}
	return finding.Finding{
		What:  fmt.Sprintf("%s %s would take %s, which holds no CUDA toolkit", p.Consumer, p.Project, p.Root),
		Where: p.Root,
		Why:   "no variable leads it to a toolkit, and it takes this folder without looking into it: linking fails",
		Next:  []finding.Step{envCommand(in)},
	}, true
}
