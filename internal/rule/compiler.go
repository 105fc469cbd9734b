package rule

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/pattern"
)

var compilerRules = []Rule{
	{ID: "host-compiler-missing", Severity: finding.Error, Title: "no C++ host compiler was found", On: linuxLike, Check: compilerMissing},
	{ID: "host-compiler-too-new", Severity: finding.Error, Title: "the host compiler is newer than the toolkit accepts", On: linuxLike, Check: compilerTooNew},
	{ID: "host-compiler-too-old", Severity: finding.Error, Title: "the host compiler is older than the toolkit accepts", Label: "host-compiler-not-accepted", On: linuxLike, Check: compilerTooOld},
	{ID: "host-compiler-unknown", Severity: finding.Warning, Title: "the host compiler's version could not be read", On: linuxLike, Check: compilerUnknown},
	{ID: "default-gcc-without-cxx", Severity: finding.Error, Title: "gcc is on PATH without its C++ part", Label: "host-compiler-missing", On: linuxLike,
		CausedBy: []string{"host-compiler-missing"}, Check: gccWithoutCxx},
	{ID: "conda-compiler-first", Severity: finding.Info, Title: "conda's compiler comes first on PATH", On: linuxLike, Check: condaCompiler},
}

func compilerMissing(in *Input) []finding.Finding {
	for _, c := range in.Machine.Compilers {
		if choice.Usable(in.Machine, c) {
			return nil
		}
	}
	f := finding.Finding{
		What: "no C++ compiler was found",
		Why:  "nvcc hands the host part of every file to gcc or clang",
		Next: []finding.Step{advice("install g++ from your distribution")},
	}
	if in.Machine.System.Distro.Value.ID == "debian" || in.Machine.System.Distro.Value.ID == "ubuntu" {
		f.Next = []finding.Step{command("sudo apt-get install g++", "the distribution's default")}
	}
	if t := in.Chosen.Toolkit; t != nil {
		f.Next = append(f.Next, in.ownCompiler(*t)...)
	}
	return one(f)
}

// Effective is the compiler nvcc would use with a toolkit: what -ccbin in a flag variable names, NVCC_CCBIN where
// that nvcc reads it, else the toolkit's own default. nil: none, or one the probe did not see.
func (in *Input) Effective(t fact.Toolkit) *fact.Compiler {
	if ccbin := in.ccbinFlag(); ccbin != "" {
		return in.CompilerAt(ccbin)
	}
	if ccbin := in.env("NVCC_CCBIN"); ccbin != "" && readsCCBin(t) {
		if c := in.CompilerAt(ccbin); c != nil {
			return c
		}
	}
	return choice.DefaultFor(in.Machine, t)
}

// CompilerAt finds a compiler as -ccbin may name it: a command, a path, or the folder it lies in.
func (in *Input) CompilerAt(ccbin string) *fact.Compiler {
	s := in.Paths()
	for i, c := range in.Machine.Compilers {
		if s.Same(c.Path, ccbin) || (c.Real != "" && s.Same(c.Real, in.real(ccbin))) || c.Command == ccbin || s.Same(s.Dir(c.Path), ccbin) {
			return &in.Machine.Compilers[i]
		}
	}
	return nil
}

var ccbinOption = pattern.New(`(?:^|\s)(?:-ccbin|--compiler-bindir)(?:=|\s+)("[^"]*"|\S+)`)

// ccbinFlag is the host compiler that the variables put before or behind every nvcc call name: of several the last (nvcc 11.8, 12.4,
// 13.0, 13.4).
func (in *Input) ccbinFlag() string {
	for _, n := range []string{"NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"} {
		if all := ccbinOption.FindAllStringSubmatch(in.env(n), -1); len(all) > 0 {
			return strings.Trim(all[len(all)-1][1], `"`)
		}
	}
	return ""
}

// outOfBounds tells of toolkits whose compiler, named by pick, has that fit. called is what a person calls it.
func outOfBounds(in *Input, fit compat.Fit, called func(fact.Compiler) string, pick func(fact.Toolkit) *fact.Compiler) []finding.Finding {
	word := map[compat.Fit]string{compat.TooNew: "newer", compat.TooOld: "older"}[fit]
	var out []finding.Finding
	for _, t := range in.subjects() {
		c := pick(t)
		if c == nil {
			continue
		}
		v := choice.JudgeCompiler(t, *c)
		if v.Fit != fit {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s %s is %s than %s accepts", called(*c), c.Version.Value, word, name(t)),
			Where: c.Path + ", called by nvcc " + t.Nvcc.Value,
			Why:   strings.Replace(v.Limit, "accepts: ", "accepts ", 1),
			Next:  in.compilerHint(t, c),
		})
	}
	return out
}

func family(c fact.Compiler) string { return c.Family }

func compilerTooNew(in *Input) []finding.Finding {
	return outOfBounds(in, compat.TooNew, family, in.Effective)
}

func compilerTooOld(in *Input) []finding.Finding {
	return outOfBounds(in, compat.TooOld, family, in.Effective)
}

// compilerHint names a fitting compiler that is installed, another toolkit that takes this one, or what to get.
func (in *Input) compilerHint(t fact.Toolkit, c *fact.Compiler) []finding.Step {
	var steps []finding.Step
	if best, _, _ := choice.FittingCompiler(in.Machine, t); best != nil {
		steps = append(steps, command(in.evalEnv("--host-compiler "+quote(best.Command)), fmt.Sprintf("%s %s is installed here", best.Family, best.Version.Value)))
	}
	for _, other := range in.Machine.Toolkits {
		if ok, _, _ := choice.CompilerFits(other, *c); ok && choice.Complete(other) && other.Home() != t.Home() {
			steps = append(steps, command(in.evalEnv("--toolkit "+short(other).String()), fmt.Sprintf("%s in %s accepts %s %s", name(other), other.Root, c.Family, c.Version.Value)))
			break
		}
	}
	if len(steps) == 0 {
		steps = append(in.ownCompiler(t), advice(installCompiler(in, t)))
	}
	return append(steps, command(fmt.Sprintf("cupel compat toolkit %s", short(t)), "which compilers it accepts"))
}

// evalEnv takes the environment over in this shell.
func (in *Input) evalEnv(flags string) string {
	said := in.Flags
	if strings.Contains(flags, "--toolkit ") {
		said, _, _ = strings.Cut(said, "--toolkit ") // another one takes its place; it stands last
	}
	flags = strings.TrimSpace(strings.TrimSpace(said) + " " + flags)
	if in.Paths().Windows() {
		return strings.ReplaceAll("cupel env "+flags+" --format powershell | Out-String | Invoke-Expression", "  ", " ")
	}
	return `eval "$(` + strings.TrimSpace("cupel env "+flags) + `)"`
}

// toolkitFlag names a toolkit on the command line, unless it is the chosen one.
func (in *Input) toolkitFlag(t fact.Toolkit) string {
	if in.Chosen.Toolkit != nil && in.Chosen.Toolkit.Home() == t.Home() {
		return ""
	}
	return "--toolkit " + quote(t.Root)
}

func installCompiler(in *Input, t fact.Toolkit) string {
	if in.Paths().Windows() {
		return "add an MSVC toolset the toolkit accepts in the Visual Studio Installer (Individual components, MSVC build tools)"
	}
	max := t.Bounds.Value.GCCMax
	if id := in.Machine.System.Distro.Value.ID; max > 0 && (id == "debian" || id == "ubuntu") {
		return fmt.Sprintf("install g++-%d or older beside it (sudo apt-get install g++-%d where the distribution has it)", max, max)
	}
	if table, _ := compat.HostBounds(choice.Release(t)); max > 0 && table.GCCMin > 0 {
		return fmt.Sprintf("install a gcc from %d to %d beside it", table.GCCMin, max)
	}
	if max > 0 {
		return fmt.Sprintf("install gcc %d or older beside it", max)
	}
	return "install a compiler the toolkit accepts beside it"
}

func compilerUnknown(in *Input) []finding.Finding {
	c := choice.DefaultCompiler(in.Machine)
	if c == nil || c.Version.Known() {
		return nil
	}
	return one(finding.Finding{
		What:  "the version of the default host compiler could not be read",
		Where: c.Path,
		Why:   c.Version.Why + "; whether a toolkit accepts it is not known",
		Next:  []finding.Step{command(quote(c.Path)+" --version", "run it by hand")},
	})
}

func gccWithoutCxx(in *Input) []finding.Finding {
	if choice.DefaultCompiler(in.Machine) != nil {
		return nil
	}
	for _, tool := range in.Machine.Tools {
		if tool.Name == "gcc" {
			return one(finding.Finding{
				What:  "gcc on PATH has no C++ compiler beside it",
				Where: tool.Path,
				Why:   "nvcc starts this gcc for C++ code and needs its cc1plus, which the g++ package of the same version brings",
				Next:  in.gxxHint(),
			})
		}
	}
	return nil
}

func (in *Input) gxxHint() []finding.Step {
	steps := []finding.Step{advice("install the g++ of the same version")}
	if id := in.Machine.System.Distro.Value.ID; id == "debian" || id == "ubuntu" {
		steps = []finding.Step{command("sudo apt-get install g++", "the C++ part of the distribution's default gcc")}
	}
	if in.Chosen.Toolkit == nil {
		return steps
	}
	if best, _, _ := choice.FittingCompiler(in.Machine, *in.Chosen.Toolkit); best != nil {
		steps = append(steps, command(in.evalEnv("--host-compiler "+quote(best.Command)), fmt.Sprintf("or use %s %s, which is installed here", best.Family, best.Version.Value)))
	}
	return steps
}

func condaCompiler(in *Input) []finding.Finding {
	c := choice.DefaultCompiler(in.Machine)
	if c == nil || c.Origin != "conda" {
		return nil
	}
	return one(finding.Finding{
		What:  "the host compiler comes from conda",
		Where: c.Path,
		Why:   "it uses the environment's own libraries and headers; what it builds runs in that environment",
	})
}
