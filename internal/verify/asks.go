package verify

import (
	"slices"
	"strings"

	"cupel/internal/fact"
)

// What the contract asks for on this platform. A check that nobody asked for has no line in the answer.

// wantsToolkit: something of the contract cannot be built without a toolkit.
func (j *judge) wantsToolkit() bool {
	c := j.Contract
	if asksBand(j) || asksParts(j) || asksTargets(j) || j.req.Host.GCC != nil || j.req.Host.Clang != nil || j.req.Host.MSVC != nil || len(c.Kernels) > 0 {
		return true
	}
	for _, cfg := range c.Configs {
		if cfg.Needs.What != "none" && j.Platform.Wanted(cfg.On, cfg.ExcludeOn) {
			return true
		}
	}
	for _, w := range j.wishes() {
		if strings.Contains(w.template, "{toolkit.") {
			return true
		}
	}
	return false
}

func asksPlatform(j *judge) bool { return len(j.Contract.Project.On) > 0 }

func asksBand(j *judge) bool {
	b := j.req.Toolkit
	return b.Min != nil || b.Recommended != nil || b.MaxVerified != nil || len(b.Exclude) > 0
}

func asksParts(j *judge) bool { return len(j.req.Toolkit.Components) > 0 }

func asksCompiler(j *judge) bool {
	h := j.req.Host
	return h.GCC != nil || h.Clang != nil || h.MSVC != nil || j.wantsToolkit()
}

func asksToolset(j *judge) bool { return j.req.Host.Toolset != nil }
func asksSDK(j *judge) bool     { return j.req.Host.SDK != nil }
func asksTriple(j *judge) bool  { return j.req.Host.Triple != "" }
func asksStd(j *judge) bool     { return j.req.Host.Std != "" }

func asksFloor(j *judge) bool { return j.req.Driver != nil }
func asksPTX(j *judge) bool   { return j.req.PTXJIT == "required" }
func asksCount(j *judge) bool { return j.Contract.GPU.MinCount > 0 }

// asksDriver: the contract speaks of something that only runs on a driver, whether here or elsewhere.
func asksDriver(j *judge) bool { return asksFloor(j) || asksPTX(j) || asksCount(j) }

// asksServing: also a contract that says nothing of drivers is judged by the driver and the GPU that are here, so
// that it is told when they do not serve its toolkit.
func asksServing(j *judge) bool {
	return asksDriver(j) || j.wantsToolkit() && j.hasDriver() && len(j.Machine.GPUs) > 0 && !j.Platform.Is(j.Contract.GPU.ExcludeOn)
}

func asksMemory(j *judge) bool  { return j.Contract.GPU.MinMemory.MiB > 0 }
func asksMode(j *judge) bool    { return j.Contract.GPU.ComputeMode != "" }
func asksMinArch(j *judge) bool { return j.Contract.Arch.Min != nil }

func asksArch(j *judge) bool {
	a := j.Contract.Arch
	return len(j.targets) > 0 || a.Detect || a.Fallback != nil
}

func asksTargets(j *judge) bool { return len(j.wanted()) > 0 || len(j.Contract.Arch.ByToolkit) > 0 }

func asksBuilders(j *judge) bool { return len(j.Contract.Project.Builders) > 0 }

func asksMPS(j *judge) bool {
	return j.Contract.MPS.Use == "required" || j.Contract.MPS.Use == "forbidden"
}

// needsGPU: a device must be here.
func (j *judge) needsGPU() bool {
	return j.Contract.GPU.MinCount > 0 && !j.Platform.Is(j.Contract.GPU.ExcludeOn)
}

// usesDriver: the driver's rules matter here, because a device is needed, or the contract speaks of drivers and one
// is there. A floor alone says nothing about machines that only build.
func (j *judge) usesDriver() bool {
	return j.needsGPU() || asksDriver(j) && j.hasDriver() && !j.Platform.Is(j.Contract.GPU.ExcludeOn)
}

// runsHere: the program is meant to run on this machine: a device is needed, or one is here and the contract says
// what driver it wants.
func (j *judge) runsHere() bool {
	return j.needsGPU() || (asksFloor(j) || asksPTX(j)) && len(j.Machine.GPUs) > 0 && !j.Platform.Is(j.Contract.GPU.ExcludeOn)
}

// hasDriver: programs find a driver here. A kernel module without its library serves none; on Windows and Jetson
// the two come as one.
func (j *judge) hasDriver() bool {
	d, p := j.Machine.Driver, j.Machine.System.Platform
	loads := slices.ContainsFunc(d.Libraries, func(l fact.DriverLibrary) bool { return l.Rank > 0 && !l.Stub && l.Broken == "" })
	return loads || d.UserMode.Known() || d.Kernel.Known() && (p == fact.Windows || p == fact.Jetson)
}

// builds says that the project uses one of these build systems. One that says none and locks CUDA crates uses
// cargo.
func (j *judge) builds(systems ...string) bool {
	if len(j.Contract.Project.Build) == 0 {
		return len(j.Project.Crates) > 0 && slices.Contains(systems, "cargo")
	}
	return slices.ContainsFunc(j.Contract.Project.Build, func(s string) bool { return slices.Contains(systems, s) })
}

// has says that the contract names one of these components here.
func (j *judge) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, ok := j.req.Components[n]; return ok })
}
