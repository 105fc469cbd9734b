package rule

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

var pythonRules = []Rule{
	{ID: "python-unreadable", Severity: finding.Warning, Title: "a Python interpreter that was named could not be read", Check: pythonUnreadable},
	{ID: "torch-cuda-version-mismatch", Severity: finding.Warning, Title: "torch is built for another CUDA major than nvcc", Check: torchMajor},
	{ID: "torch-cuda-minor-differs", Severity: finding.Info, Title: "torch and nvcc share the CUDA major, not the minor", CausedBy: []string{"torch-cuda-version-mismatch"}, Check: torchMinor},
	{ID: "cpu-only-framework", Severity: finding.Warning, Title: "torch is a CPU build on a machine with a GPU", Check: torchCPU},
	{ID: "torch-newer-than-driver", Severity: finding.Error, Title: "torch's CUDA needs a newer driver", Label: "driver-older-than-toolkit", On: noJetson, Check: torchDriver},
	{ID: "bnb-binary-missing-for-cuda", Severity: finding.Warning, Title: "bitsandbytes has no library for the CUDA version it would choose", Check: bnbMissing},
}

func pythonUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, p := range in.Machine.Pythons {
		// macOS has a python3 that only offers to install one.
		out = append(out, packagesUnreadable(p)...)
		if p.Version.State == fact.Unreadable && in.Machine.System.Platform != fact.Darwin {
			f := finding.Finding{
				What:  "the Python at " + p.Path + " could not be read",
				Where: p.Version.Source,
				Why:   p.Version.Why,
				Next:  []finding.Step{command("cupel doctor --python python3", "or the path of the Python you mean")},
			}
			if v := in.env("VIRTUAL_ENV"); v != "" && in.Paths().Same(v, p.Path) {
				f.Next = []finding.Step{unset(in, "VIRTUAL_ENV", "it was left behind by an environment that is gone")}
			}
			out = append(out, f)
		}
	}
	return out
}

// packagesUnreadable tells of packages whose files are there and could not be read, each place once.
func packagesUnreadable(p fact.Python) []finding.Finding {
	var out []finding.Finding
	seen := map[string]bool{}
	for _, f := range []fact.Fact[string]{p.Torch, p.TorchCUDA, p.Bitsandbytes} {
		if f.State != fact.Unreadable || seen[f.Source] {
			continue
		}
		seen[f.Source] = true
		out = append(out, finding.Finding{
			What:  "packages of the Python at " + p.Path + " could not be read",
			Where: f.Source,
			Why:   f.Why + ": whether torch and bitsandbytes are there, and for which CUDA, is not known",
			Next:  []finding.Step{advice("make it readable for this user, or install the packages again")},
		})
	}
	return out
}

func torchMajor(in *Input) []finding.Finding { return torchAgainst(in, false) }
func torchMinor(in *Input) []finding.Finding { return torchAgainst(in, true) }

// torchAgainst: torch's extension builder stops at another major and warns at another minor.
func torchAgainst(in *Input, minor bool) []finding.Finding {
	if in.Chosen.Toolkit == nil {
		return nil
	}
	t := *in.Chosen.Toolkit
	var out []finding.Finding
	for _, p := range in.Machine.Pythons {
		cuda, rel := parseV(p.TorchCUDA.Value), short(t)
		if !p.TorchCUDA.Known() || cuda.IsZero() || rel.IsZero() || cuda.Short() == rel || (cuda.Major() == rel.Major()) != minor {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("torch %s is built for CUDA %s, nvcc is of %s", p.Torch.Value, p.TorchCUDA.Value, name(t)),
			Where: p.Path,
			Why:   fmt.Sprintf("extensions must be built with torch's CUDA major: torch stops with \"The detected CUDA version (%s) mismatches\"", rel),
			Next:  in.otherToolkitOf(cuda.Major()),
		}
		if minor {
			f.Why, f.Next = "extensions build with a warning; libraries of one major work together", nil
		}
		out = append(out, f)
	}
	return out
}

// otherToolkitOf names an installed toolkit of a major, else what to get.
func (in *Input) otherToolkitOf(major int) []finding.Step {
	for _, t := range in.Machine.Toolkits {
		if short(t).Major() == major && t.Has(fact.PartNvcc) {
			return []finding.Step{command(in.evalEnv("--toolkit "+short(t).String()), name(t)+" is installed in "+t.Root)}
		}
	}
	own := in.ownWhere(func(v version.V) bool { return v.Major() == major })
	return append(own, advice(fmt.Sprintf("install a toolkit of CUDA %d, or the torch build for this one", major)))
}

func torchCPU(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, p := range in.Machine.Pythons {
		if !p.Torch.Known() || !p.TorchCUDA.IsAbsent() || len(in.Machine.GPUs) == 0 {
			continue
		}
		out = append(out, finding.Finding{
			What:  "torch " + p.Torch.Value + " is built without CUDA",
			Where: p.Path,
			Why:   "torch.version.cuda is None: torch.cuda.is_available() is False whatever the driver says",
			Next: []finding.Step{
				command(in.pip(p)+" uninstall torch", "pip keeps a build it has, so it goes first"),
				advice("then run the command that PyTorch's own install page gives for your system and CUDA"),
			},
		})
	}
	return out
}

// pip is the command that reaches this interpreter's packages.
func (in *Input) pip(p fact.Python) string {
	if in.Paths().Windows() {
		return "& '" + strings.ReplaceAll(p.Path, "'", "''") + "' -m pip"
	}
	return quote(p.Path) + " -m pip"
}

func torchDriver(in *Input) []finding.Finding {
	have := choice.DriverVersion(in.Machine)
	var out []finding.Finding
	for _, p := range in.Machine.Pythons {
		cuda := parseV(p.TorchCUDA.Value)
		if !p.TorchCUDA.Known() || cuda.IsZero() || have.IsZero() || len(in.Machine.GPUs) == 0 {
			continue
		}
		floor, _ := compat.DriverFloor(cuda, in.Machine.System.Platform)
		if floor.IsZero() || have.AtLeast(floor) {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("torch %s (CUDA %s) needs a newer driver than %s", p.Torch.Value, p.TorchCUDA.Value, have),
			Where: p.Path,
			Why:   fmt.Sprintf("CUDA %d programs need driver %s or newer: torch says \"The NVIDIA driver on your system is too old\"", cuda.Major(), floor),
			Next:  []finding.Step{advice(fmt.Sprintf("upgrade the driver to %s or newer, or install a torch built for an older CUDA", floor))},
		})
	}
	return out
}

func bnbMissing(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, p := range in.Machine.Pythons {
		if !p.Bitsandbytes.Known() || len(p.BnbCUDA) == 0 {
			continue
		}
		own := strings.ReplaceAll(p.TorchCUDA.Value, ".", "")
		want, by := in.env("BNB_CUDA_VERSION"), "BNB_CUDA_VERSION"
		if want == "" {
			want, by = own, "torch's CUDA version"
		}
		if want == "" || slices.Contains(p.BnbCUDA, want) || want == own && by != "BNB_CUDA_VERSION" && takesNearest(p, want) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("bitsandbytes %s has no library for CUDA %s", p.Bitsandbytes.Value, want),
			Where: p.Path,
			Why:   fmt.Sprintf("it chooses by %s; its libraries are for %s", by, strings.Join(p.BnbCUDA, ", ")),
			Next:  []finding.Step{advice("install a bitsandbytes that has it")},
		}
		if sameMajor(p.BnbCUDA, want) {
			f.Next = append([]finding.Step{setVariable(in, "BNB_CUDA_VERSION", nearestLibrary(p.BnbCUDA, want))}, f.Next...)
		}
		if by == "BNB_CUDA_VERSION" && (slices.Contains(p.BnbCUDA, own) || takesNearest(p, own)) {
			f.Next = []finding.Step{unset(in, "BNB_CUDA_VERSION", "bitsandbytes then goes by torch's CUDA "+p.TorchCUDA.Value)}
		}
		out = append(out, f)
	}
	return out
}

// takesNearest: newer bitsandbytes take the nearest library of the same major when there is none for torch's own
// CUDA version; the builder table says from which on.
func takesNearest(p fact.Python, want string) bool {
	for _, b := range data.Builders() {
		if b.Name == "bitsandbytes" && b.FallsBack && inRange(parseV(p.Bitsandbytes.Value), b) {
			return sameMajor(p.BnbCUDA, want)
		}
	}
	return false
}

// sameMajor: a library serves another minor of its own major; the last digit is the minor.
func sameMajor(have []string, want string) bool {
	return len(want) > 1 && slices.ContainsFunc(have, func(h string) bool { return len(h) == len(want) && strings.HasPrefix(h, want[:len(want)-1]) })
}

// nearestLibrary is the newest library of the wanted major, else the newest.
func nearestLibrary(have []string, want string) string {
	sorted := slices.Sorted(slices.Values(have))
	for i := len(sorted) - 1; i >= 0; i-- {
		if len(want) > 1 && strings.HasPrefix(sorted[i], want[:len(want)-1]) {
			return sorted[i]
		}
	}
	return sorted[len(sorted)-1]
}
