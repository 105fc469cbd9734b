package contract

import (
	"cupel/internal/compat"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// Targets are the architectures to build for with a toolkit, and the key they stand under: the first row of
// by-toolkit that holds the release, else arch.targets. An unknown release fits no row.
func (r Requirements) Targets(release version.V) ([]gpu.Arch, string) {
	a := r.Contract.Arch
	for i, row := range a.ByToolkit {
		if row.Toolkit.Has(release) {
			return a.suffixed(row.Targets, release), item("arch.by-toolkit", i) + ".targets"
		}
	}
	if len(a.Targets) == 0 {
		return nil, ""
	}
	return a.suffixed(a.Targets, release), "arch.targets"
}

// suffixed gives targets written without a suffix the one of arch.suffix, where the release has such a variant:
// sm_90a exists, sm_80a does not.
func (a Arch) suffixed(targets []Target, release version.V) []gpu.Arch {
	out := make([]gpu.Arch, 0, len(targets))
	for _, t := range targets {
		variant := t.Arch
		variant.Suffix = a.Suffix
		if t.Suffix == "" && a.Suffix != "" && a.Suffix != "none" && hasVariant(variant, release) {
			t.Arch = variant
		}
		out = append(out, t.Arch)
	}
	return out
}

// hasVariant asks the newest release when it is not known which one will build.
func hasVariant(a gpu.Arch, release version.V) bool {
	if release.IsZero() {
		all := published()
		release = all[len(all)-1]
	}
	return compat.Knows(release, a)
}
