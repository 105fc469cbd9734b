package rule

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var variableRules = []Rule{
	{ID: "host-compiler-variable-wrong", Severity: finding.Error, Title: "a host compiler variable names a file that does not exist", Label: "host-compiler-missing", Check: compilerVariable},
	{ID: "host-compiler-variable-out-of-bounds", Severity: finding.Error, Title: "a host compiler variable names a compiler the toolkit refuses", Label: "host-compiler-too-new", On: linuxLike,
		CausedBy: []string{"host-compiler-too-new"}, Check: compilerVariableBounds},
	{ID: "nvcc-ccbin-not-read", Severity: finding.Warning, Title: "NVCC_CCBIN is set, but this nvcc does not read it", Check: ccbinNotRead},
	{ID: "nvcc-ccbin-skips-check", Severity: finding.Warning, Title: "NVCC_CCBIN makes a builder switch nvcc's compiler check off", Check: ccbinSkips},
	{ID: "unsupported-compiler-allowed", Severity: finding.Warning, Title: "nvcc's compiler check is switched off for every build", Check: unsupportedAllowed},
	{ID: "nvcc-flags-set", Severity: finding.Info, Title: "flags are added to every nvcc call", Check: nvccFlags},
	{ID: "variable-unread", Severity: finding.Info, Title: "a variable is set that no tool reads", Check: unread},
	{ID: "debug-variable-left-on", Severity: finding.Warning, Title: "a variable for testing changes how every CUDA program runs", Check: debugVariable},
	{ID: "compiler-wrapper-set", About: AboutCompiler, Severity: finding.Info, Title: "a compiler wrapper stands before rustc or nvcc", Check: wrapperSet},
	{ID: "bnb-version-override", About: AboutPython, Severity: finding.Info, Title: "BNB_CUDA_VERSION overrides bitsandbytes' choice",
		CausedBy: []string{"bnb-binary-missing-for-cuda"}, Check: bnbOverride},
}

func compilerVariable(in *Input) []finding.Finding {
	s := in.Paths()
	var out []finding.Finding
	for _, n := range []string{"NVCC_CCBIN", "CUDAHOSTCXX", "CUDACXX", "NVCC", "PYTORCH_NVCC"} {
		value := in.env(n)
		// A command with arguments ("ccache nvcc") is no path; on Windows blanks are part of one.
		if value == "" || !s.Abs(value) || in.exists(value) || !s.Windows() && strings.ContainsAny(value, " \t") {
			continue
		}
		f := finding.Finding{
			What:  n + " names a file that does not exist",
			Where: n + "=" + value,
			Why:   "its readers start that path and stop",
			Next:  in.variableHint(n),
		}
		if n == "NVCC" { // cudaforge 0.1.0 to 0.1.6, src/toolkit.rs: find_nvcc
			f.Severity, f.Why = finding.Warning, "cudaforge passes over it and takes another nvcc; what else reads it may stop"
		}
		out = append(out, f)
	}
	return out
}

func (in *Input) variableHint(n string) []finding.Step {
	steps := []finding.Step{unset(in, n, "falls back to what is on PATH")}
	if in.Chosen.Toolkit == nil {
		return steps
	}
	if n == "NVCC_CCBIN" || n == "CUDAHOSTCXX" {
		if best, _, _ := choice.FittingCompiler(in.Machine, *in.Chosen.Toolkit); best != nil {
			return append([]finding.Step{setVariable(in, n, best.Path)}, steps...)
		}
		return steps
	}
	return append([]finding.Step{setVariable(in, n, in.Chosen.Toolkit.Parts[fact.PartNvcc])}, steps...)
}

func compilerVariableBounds(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, n := range []string{"CUDAHOSTCXX", "NVCC_CCBIN"} {
		c := in.CompilerAt(in.env(n))
		if in.env(n) == "" || c == nil || in.Chosen.Toolkit == nil {
			continue
		}
		ok, known, why := choice.CompilerFits(*in.Chosen.Toolkit, *c)
		if ok || !known {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s names %s %s, which %s refuses", n, c.Family, c.Version.Value, name(*in.Chosen.Toolkit)),
			Where: n + "=" + in.env(n),
			Why:   why,
			Next:  in.variableHint(n),
		})
	}
	return out
}

// readsCCBin: what is known of which nvcc reads NVCC_CCBIN stands in the table; between the two it is taken
// as read, as NVIDIA's manual says.
func readsCCBin(t fact.Toolkit) bool {
	row, ok := data.VariableByName("NVCC_CCBIN", "linux")
	rel := short(t)
	return !ok || rel.IsZero() || parseV(row.NotIn).Less(rel)
}

func ccbinNotRead(in *Input) []finding.Finding {
	value := in.env("NVCC_CCBIN")
	for _, t := range in.subjects() {
		if value == "" || readsCCBin(t) || in.flagsNameCompiler() {
			continue
		}
		return one(finding.Finding{
			What:  "nvcc of " + name(t) + " does not read NVCC_CCBIN",
			Where: "NVCC_CCBIN=" + value,
			Why:   "its nvcc takes gcc from PATH all the same; only builders that read the variable themselves follow it",
			Next:  []finding.Step{setVariable(in, "NVCC_PREPEND_FLAGS", "-ccbin "+value)},
		})
	}
	return nil
}

// flagsNameCompiler says that the flags every nvcc takes name a host compiler (cupel env sets both).
func (in *Input) flagsNameCompiler() bool {
	flags := in.env("NVCC_PREPEND_FLAGS") + " " + in.env("NVCC_APPEND_FLAGS")
	return strings.Contains(flags, "-ccbin") || strings.Contains(flags, "--compiler-bindir")
}

func ccbinSkips(in *Input) []finding.Finding {
	if in.env("NVCC_CCBIN") == "" {
		return nil
	}
	var builders []string
	for _, c := range in.Project.Crates {
		if c.Name == "bindgen_cuda" || c.Name == "cudaforge" {
			builders = append(builders, c.Name+" "+c.Version)
		}
	}
	if len(builders) == 0 {
		return nil
	}
	f := finding.Finding{
		What:  strings.Join(builders, ", ") + ": nvcc's compiler check is off, because NVCC_CCBIN is set",
		Where: "NVCC_CCBIN=" + in.env("NVCC_CCBIN"),
		Why:   "these builders then add -allow-unsupported-compiler: a compiler that is too new fails later, in its own headers",
		Next:  append([]finding.Step{unset(in, "NVCC_CCBIN", "nvcc takes the default compiler and checks it")}, in.whichCompilers()...),
	}
	if c := in.CompilerAt(in.env("NVCC_CCBIN")); c != nil && in.Chosen.Toolkit != nil {
		if ok, known, _ := choice.CompilerFits(*in.Chosen.Toolkit, *c); ok && known {
			f.Severity, f.Next = finding.Info, nil
			f.Why = fmt.Sprintf("these builders then add -allow-unsupported-compiler; %s %s fits %s, so nothing is hidden now", c.Family, c.Version.Value, name(*in.Chosen.Toolkit))
		}
	}
	return one(f)
}

func (in *Input) whichCompilers() []finding.Step {
	if in.Chosen.Toolkit == nil || short(*in.Chosen.Toolkit).IsZero() {
		return nil
	}
	return []finding.Step{command("cupel compat toolkit "+short(*in.Chosen.Toolkit).String(), "which compilers it accepts")}
}

var flagVariables = []string{"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CUDAFLAGS"}

func unsupportedAllowed(in *Input) []finding.Finding {
	for _, n := range flagVariables {
		if strings.Contains(in.env(n), "allow-unsupported-compiler") {
			return one(finding.Finding{
				What:  n + " switches nvcc's compiler check off",
				Where: n + "=" + in.env(n),
				Why:   "nvcc then takes any compiler: one that is too new fails later, in its own headers (_Float32, parameter packs not expanded), or makes wrong code",
				Next:  append([]finding.Step{unset(in, n, "takes every flag in it away")}, in.whichCompilers()...),
			})
		}
	}
	return nil
}

func nvccFlags(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, n := range flagVariables {
		if v := in.env(n); v != "" && !strings.Contains(v, "allow-unsupported-compiler") {
			out = append(out, finding.Finding{
				What:  n + " adds flags to every nvcc call",
				Where: n + "=" + v,
				Why:   "worth knowing when a build behaves differently here than elsewhere",
			})
		}
	}
	return out
}

// unread reports a variable whose row names no reader, unless the project's own sources name it.
func unread(in *Input) []finding.Finding {
	var names []string
	for n := range in.Machine.Env {
		row, ok := data.VariableByName(n, in.Machine.System.OS)
		if ok && len(row.Readers) == 0 && (row.Kind == "arch" || row.Kind == "toolkit-root") && !slices.Contains(in.Project.Reads, n) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	var out []finding.Finding
	for _, n := range names {
		out = append(out, finding.Finding{
			What:  n + " is set, but no tool here reads it",
			Where: n + "=" + in.env(n),
			Why:   "no CUDA tool and none of the known builders looks at this name, and the project's files do not mention it",
		})
	}
	return out
}

// debugVariables change every CUDA program; what each does stands in the variables table.
var debugVariables = []struct{ name, value string }{
	{"CUDA_LAUNCH_BLOCKING", "1"}, {"CUDA_FORCE_PTX_JIT", "1"}, {"CUDA_DISABLE_PTX_JIT", "1"}, {"CUDA_CACHE_DISABLE", "1"},
}

func debugVariable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, d := range debugVariables {
		if in.env(d.name) != d.value {
			continue
		}
		row, _ := data.VariableByName(d.name, in.Machine.System.OS)
		out = append(out, finding.Finding{
			What:  d.name + " is on for every CUDA program",
			Where: d.name + "=" + d.value,
			Why:   row.Meaning,
			Next:  []finding.Step{unset(in, d.name, "when the test is over")},
		})
	}
	return out
}

func wrapperSet(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, n := range []string{"RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CMAKE_CUDA_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER"} {
		if v := in.env(n); v != "" {
			out = append(out, finding.Finding{What: n + " puts " + v + " before the compiler", Where: n + "=" + v, Why: "a cache can replay an old result or hide an error; try once without it when a build is a riddle"})
		}
	}
	if w := in.Project.Wrapper; !w.IsZero() {
		out = append(out, finding.Finding{What: "the project puts " + w.Value + " before rustc", Where: position(w), Why: "a cache can replay an old result or hide an error; try once without it when a build is a riddle"})
	}
	return out
}

func position(v fact.FileValue) string {
	if v.Line > 0 {
		return fmt.Sprintf("%s:%d", v.File, v.Line)
	}
	return v.File
}

func bnbOverride(in *Input) []finding.Finding {
	v := in.env("BNB_CUDA_VERSION")
	if v == "" {
		return nil
	}
	return one(finding.Finding{
		What:  "BNB_CUDA_VERSION=" + v + " decides which bitsandbytes library is loaded",
		Where: "environment",
		Why:   "it comes before torch's own CUDA version; left set after an upgrade it may name a library that is gone",
	})
}
