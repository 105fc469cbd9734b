package verify

import (
	"slices"
	"strings"

	"cupel/internal/finding"
	"cupel/internal/rule"
)

// used says for each thing a rule can be about whether the contract has a use for it.
var used = map[string]func(*judge) bool{
	rule.AboutPlatform:  func(*judge) bool { return true },
	rule.AboutDriver:    (*judge).usesDriver,
	rule.AboutPTX:       func(j *judge) bool { return j.usesDriver() && j.req.PTXJIT != "not-used" },
	rule.AboutGPU:       (*judge).usesDriver,
	rule.AboutContainer: (*judge).usesDriver,
	rule.AboutWSL:       (*judge).usesDriver,
	rule.AboutToolkit:   (*judge).wantsToolkit,
	rule.AboutCompiler:  (*judge).wantsToolkit,
	rule.AboutVariable:  (*judge).wantsToolkit,
	rule.AboutArch:      (*judge).wantsToolkit,
	rule.AboutLibrary:   func(j *judge) bool { return j.has("cudnn", "nccl", "cublas", "libclang") || j.Project.Bindgen },
	rule.AboutPython:    func(j *judge) bool { return j.builds("pip", "setuptools") || j.has("python", "torch", "bitsandbytes") },
	rule.AboutRust:      func(j *judge) bool { return j.builds("cargo") || j.has("rust", "cargo") },
	rule.AboutBuilder:   func(j *judge) bool { return j.builds("cargo") },
	rule.AboutProject:   (*judge).wantsToolkit,
	rule.AboutNote:      func(*judge) bool { return true },
}

// libraryRules are about one library each: the others of the group do not concern a contract that names it.
var libraryRules = map[string]string{"cudnn-": "cudnn", "libclang-": "libclang"}

func (j *judge) uses(r rule.Rule) bool {
	if r.About == rule.AboutLibrary {
		for prefix, name := range libraryRules {
			if strings.HasPrefix(r.ID, prefix) {
				return j.has(name) || name == "libclang" && j.Project.Bindgen
			}
		}
	}
	return used[r.About](j)
}

// same pairs rules with the checks that say the same, as patterns. Where such a check was made and did not pass,
// the finding is its consequence. always: also where it passed, because the contract knows better (it was told
// another compiler, or wants the mode that the rule warns of). lends: the check takes the rule's next steps over;
// not where they could lead out of what the contract allows.
var same = []struct {
	rules, checks []string
	always, lends bool
}{
	{rules: []string{"no-toolkit", "toolkit-not-installed", "toolkit-runtime-only", "nvcc-unreadable"}, checks: []string{"toolkit-present"}},
	{rules: []string{"toolkit-incomplete", "toolkit-part-unusable", "toolkit-link-parts-missing", "cuda-lib-missing"}, checks: []string{"toolkit-present", "toolkit-components"}},
	{rules: []string{"nvcc-not-on-path", "nvcc-outside-cuda-root", "consumer-finds-nothing", "consumer-picks-other-toolkit", "library-path-other-toolkit", "toolkits-layered", "distribution-nvcc-shadows"}, checks: []string{"toolkit-active"}},
	{rules: []string{"host-compiler-missing", "host-compiler-unknown", "default-gcc-without-cxx", "visual-studio-missing", "vs-without-cpp", "msvc-environment-not-loaded"}, checks: []string{"host-compiler"}, lends: true},
	{rules: []string{"host-compiler-too-new", "host-compiler-too-old", "msvc-too-new", "msvc-too-old", "cl-32-bit", "host-compiler-variable-out-of-bounds"}, checks: []string{"host-compiler"}, always: true},
	{rules: []string{"windows-sdk-missing"}, checks: []string{"host-sdk"}, lends: true},
	{rules: []string{"rust-windows-gnu"}, checks: []string{"host-triple"}, lends: true},
	{rules: []string{"rust-toolchain-other"}, checks: []string{"component-rust"}, lends: true},
	{rules: []string{"libclang-missing", "libclang-path-wrong"}, checks: []string{"component-libclang"}, lends: true},
	{rules: []string{"no-driver", "driver-not-loaded", "nouveau-in-use", "user-mode-driver-missing", "gpu-not-passed-to-container", "image-build-no-gpu", "wsl-no-gpu-node", "wsl-libcuda-not-found", "wsl-libcuda-not-on-loader-path", "wsl1-no-gpu", "driver-without-device", "gpu-needed", "driver-capabilities-lack-compute", "device-nodes-missing"}, checks: []string{"driver-present", "gpu-count"}, lends: true},
	{rules: []string{"driver-older-than-toolkit"}, checks: []string{"driver-toolkit"}},
	{rules: []string{"ptx-newer-than-driver"}, checks: []string{"driver-ptx", "driver-toolkit"}},
	{rules: []string{"gpu-newer-than-toolkit", "gpu-dropped-by-toolkit"}, checks: []string{"arch-gpu", "arch-toolkit", "arch-min"}},
	{rules: []string{"compute-mode-prohibited", "compute-mode-exclusive"}, checks: []string{"gpu-compute-mode"}, always: true},
	{rules: []string{"mps-left-behind"}, checks: []string{"mps"}},
	{rules: []string{"toolkit-path-wrong", "cuda-root-is-subfolder", "cuda-roots-disagree", "nvcc-outside-cuda-root"}, checks: []string{"env-*"}},
	{rules: []string{"arch-variable-misspelled", "arch-variable-unknown-to-toolkit", "arch-variable-not-for-this-gpu"}, checks: []string{"env-*", "arch-toolkit", "arch-gpu"}},
}

// doctor adds the findings of the doctor that touch what the contract uses. Information is left out, and with it
// what is only a consequence of it.
func (j *judge) doctor() {
	all := rule.Judge(j.rules(true))
	about := map[string]bool{}
	for _, r := range rule.All() {
		about[r.ID] = j.uses(r)
		j.titles[r.ID] = r.Title
	}
	for _, f := range all {
		if f.Severity == finding.Info || !about[f.ID] {
			continue
		}
		if cause := causeOf(all, f); cause != nil && cause.Severity == finding.Info {
			continue
		} else if cause != nil && !about[cause.ID] {
			f.CausedBy = ""
		}
		c := Check{Finding: f, Status: map[finding.Severity]Status{finding.Error: Fail, finding.Warning: Warn}[f.Severity]}
		if f.CausedBy == "" {
			c.CausedBy = j.sayer(f)
		}
		c.Next = j.chosenSteps(c.Next)
		j.out = append(j.out, c)
	}
}

// causeOf finds the finding that silences f: of several with that id the one about the same subject.
func causeOf(all []finding.Finding, f finding.Finding) *finding.Finding {
	for i, p := range all {
		if f.CausedBy != "" && p.ID == f.CausedBy && (p.Subject == "" || f.Subject == "" || p.Subject == f.Subject) {
			return &all[i]
		}
	}
	return nil
}

// chosenSteps names the toolkit in commands that would choose another without the contract.
func (j *judge) chosenSteps(steps []finding.Step) []finding.Step {
	out := slices.Clone(steps)
	for i, s := range out {
		if s.Command == `eval "$(cupel env)"` || s.Command == "cupel env --format powershell | Out-String | Invoke-Expression" {
			out[i].Command = j.evalEnv()
		}
	}
	return out
}

// sayer is the check that says the same as a finding. It may take over what the doctor knows to do.
func (j *judge) sayer(f finding.Finding) string {
	for _, row := range same {
		if !slices.Contains(row.rules, f.ID) {
			continue
		}
		for i := range j.out {
			c := &j.out[i]
			bad := c.Status == Fail || c.Status == Warn
			if !Match(row.checks, c.ID) || !bad && (!row.always || c.Status != Pass) || !j.speaksOf(f, c.ID) {
				continue
			}
			if bad && row.lends {
				c.Next = merge(c.Next, f.Next)
			}
			return c.ID
		}
	}
	return ""
}

// speaksOf: of the checks of variables only that of the variable a finding names says the same.
func (j *judge) speaksOf(f finding.Finding, id string) bool {
	name, ok := strings.CutPrefix(j.titles[id], "variable ")
	return !ok || strings.Contains(f.What+" "+f.Where, name)
}

// merge adds the steps that are new. The plan stays last: it knows all ways.
func merge(have, more []finding.Step) []finding.Step {
	out := slices.DeleteFunc(slices.Clone(have), func(s finding.Step) bool { return s == plan() })
	for _, s := range more {
		if !slices.ContainsFunc(out, func(o finding.Step) bool { return o == s || o.Command != "" && o.Command == s.Command }) {
			out = append(out, s)
		}
	}
	if slices.Contains(have, plan()) {
		out = append(out, plan())
	}
	return out
}
