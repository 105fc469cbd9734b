package compat

import (
	"fmt"
	"slices"

	"cupel/data"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// ArchsOf lists the real targets that a release's nvcc knows, lowest first; nil when the release is unknown.
func ArchsOf(rel version.V) []gpu.Arch {
	r, _ := line(rel)
	return archs(r.Archs)
}

// DeprecatedArchs lists the targets a release still takes with a warning.
func DeprecatedArchs(rel version.V) []gpu.Arch {
	r, _ := line(rel)
	return archs(r.Deprecated)
}

// DefaultArch is the target of an nvcc that was given none: one more thing that differs between toolkits.
func DefaultArch(rel version.V) gpu.Arch {
	r, _ := line(rel)
	a, _ := gpu.ParseArch(r.Default)
	return a
}

func archs(digits []string) []gpu.Arch {
	list := make([]gpu.Arch, 0, len(digits))
	for _, d := range digits {
		if a, err := gpu.ParseArch(d); err == nil {
			list = append(list, a)
		}
	}
	return list
}

// Knows says that the release's nvcc takes the target; every real target has its virtual one.
func Knows(rel version.V, arch gpu.Arch) bool {
	arch.Virtual = false
	return slices.Contains(ArchsOf(rel), arch)
}

// archRow finds the table row of a target.
func archRow(arch gpu.Arch) (data.Arch, bool) {
	arch.Virtual = false
	for _, r := range data.Archs() {
		if r.SM == arch.String() {
			return r, true
		}
	}
	return data.Arch{}, false
}

// KnownCC says that some toolkit has a target for the capability.
func KnownCC(cc gpu.CC) bool {
	_, ok := archRow(cc.SM())
	return ok
}

// ArchName is the marketing name of an architecture, "Ampere"; "" when unknown.
func ArchName(cc gpu.CC) string {
	r, _ := archRow(cc.SM())
	return r.Name
}

// FirstToolkit is the first X.Y that compiles for the capability; zero when no table row names it.
func FirstToolkit(cc gpu.CC) version.V {
	r, _ := archRow(cc.SM())
	return parse(r.First)
}

// LastToolkit is the last X.Y that compiles for the capability; zero when the newest still does, or when the
// capability is unknown (KnownCC tells them apart).
func LastToolkit(cc gpu.CC) version.V {
	r, _ := archRow(cc.SM())
	return parse(r.Last)
}

// Runs says whether code for a target runs on a device, and why. For PTX the driver must also be new enough
// (rule b), which is not asked here.
func Runs(code gpu.Arch, device gpu.CC) (bool, string) {
	switch {
	case code.Suffix == "a":
		return code.CC == device, fmt.Sprintf("%s is for devices of capability %s only", code, code.CC)
	case code.Suffix == "f":
		return runsFamily(code, device)
	case code.Virtual:
		return device.Compare(code.CC) >= 0, fmt.Sprintf("PTX for %s is compiled by the driver on any device of %s or newer", code, code.CC)
	case code.CC.Major != device.Major:
		return false, fmt.Sprintf("machine code runs within one major only: %s is for %d.x devices", code, code.CC.Major)
	}
	return device.Compare(code.CC) >= 0, fmt.Sprintf("machine code for %s runs on %d.x devices from %s on", code, code.CC.Major, code.CC)
}

func runsFamily(code gpu.Arch, device gpu.CC) (bool, string) {
	want, _ := archRow(code)
	have, _ := archRow(device.SM())
	same := want.Family != "" && want.Family == have.Family
	return same && device.Compare(code.CC) >= 0, fmt.Sprintf("%s is for its family from %s on", code, code.CC)
}
