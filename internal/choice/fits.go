package choice

import (
	"cmp"
	"fmt"
	"slices"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// Fits lists why a toolkit cannot serve this machine: no nvcc, a driver below the floor of its major (rule
// a), a GPU none of its machine code runs on, no host compiler it accepts. Empty: nothing known speaks
// against it. What is not known is no reason.
func Fits(m fact.Machine, t fact.Toolkit) []string {
	var reasons []string
	if !t.Has(fact.PartNvcc) {
		reasons = append(reasons, "it has no nvcc")
	}
	reasons = append(reasons, driverReasons(m, t)...)
	reasons = append(reasons, gpuReasons(m, t)...)
	return append(reasons, compilerReasons(m, t)...)
}

// DriverVersion is the driver that programs meet: its user-mode half, else the kernel module; zero when
// neither is known.
func DriverVersion(m fact.Machine) version.V {
	for _, f := range []fact.Fact[string]{m.Driver.UserMode, m.Driver.Kernel} {
		if v, err := version.Parse(f.Value); err == nil && f.Known() {
			return v
		}
	}
	return version.V{}
}

// LinuxDriverInWSL is the libcuda of a Linux driver that programs under WSL2 load in place of Windows' own; ""
// when they load another. It finds no device, and its number does not compare with those of Windows. WSL's own
// carries no number in its name.
func LinuxDriverInWSL(m fact.Machine) string {
	var first fact.DriverLibrary
	for _, l := range m.Driver.Libraries {
		if l.Rank > 0 && (first.Rank == 0 || l.Rank < first.Rank) {
			first = l
		}
	}
	if m.System.Platform != fact.WSL2 || first.Version == "" {
		return ""
	}
	return first.Path
}

func driverReasons(m fact.Machine, t fact.Toolkit) []string {
	have := DriverVersion(m)
	if have.IsZero() || m.System.Platform == fact.Jetson || LinuxDriverInWSL(m) != "" {
		return nil // Jetson's driver is part of L4T and has no desktop number
	}
	floor, _ := compat.DriverFloor(Release(t), m.System.Platform)
	if floor.IsZero() || have.AtLeast(floor) {
		return nil
	}
	return []string{fmt.Sprintf("driver %s is older than %s, the least that %s needs", have, floor, Name(t))}
}

func gpuReasons(m fact.Machine, t fact.Toolkit) []string {
	var reasons []string
	archs := compat.ArchsOf(Release(t))
	for _, g := range m.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if err != nil || !g.CC.Known() || len(archs) == 0 || slices.ContainsFunc(archs, runsOn(cc)) {
			continue
		}
		reason := fmt.Sprintf("%s makes no machine code for compute capability %s (%s)", Name(t), cc, g.Name)
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

func runsOn(cc gpu.CC) func(gpu.Arch) bool {
	return func(a gpu.Arch) bool {
		ok, _ := compat.Runs(a, cc)
		return ok
	}
}

func compilerReasons(m fact.Machine, t fact.Toolkit) []string {
	var first string
	for _, c := range m.Compilers {
		if !Usable(m, c) {
			continue
		}
		ok, known, why := CompilerFits(t, c)
		if ok || !known {
			return nil
		}
		first = cmp.Or(first, why)
	}
	if first == "" {
		return []string{"no host compiler is installed"}
	}
	return []string{"no installed host compiler fits: " + first}
}

// cautions lists what works only in part with the toolkit: PTX it makes is too new for the driver (rule b),
// or a GPU has no target of its own. They decide between toolkits that fit, nothing more.
func cautions(m fact.Machine, t fact.Toolkit) []string {
	var list []string
	rel := Release(t)
	if level, _ := Level(m); !level.IsZero() && level.Less(rel.Short()) {
		list = append(list, fmt.Sprintf("the driver supports up to CUDA %s: it does not load PTX of %s", level, Name(t)))
	}
	archs := compat.ArchsOf(rel)
	for _, g := range m.GPUs {
		if cc, err := gpu.ParseCC(g.CC.Value); err == nil && g.CC.Known() && len(archs) > 0 && !slices.Contains(archs, cc.SM()) {
			list = append(list, fmt.Sprintf("%s has no target of its own for %s (%s)", Name(t), g.Name, cc.SM()))
		}
	}
	return list
}
