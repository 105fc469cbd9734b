package verify

import (
	"strings"

	"cupel/internal/contract"
)

// row is one check, or one for each of several names: then the id ends in a dash and the name follows it.
type row struct {
	id    string
	title string   // what a check that passed is called; %s is the name
	needs []string // ids of checks that must have passed
	asked func(*judge) bool
	names func(*judge) []string // for ids that end in a dash
	files bool                  // about the project's files: judged on every platform
	make  func(j *judge, name string, c *Check)
}

// platformID is the check that all about the machine waits for: where a project is not built, nothing is missing.
const platformID = "platform"

// table lists the checks in the order of the answer. What the contract does not ask for is left out.
var table = []row{
	{id: platformID, title: "the platform", asked: asksPlatform, make: platformCheck},
	{id: "toolkit-present", title: "a CUDA toolkit with nvcc", asked: (*judge).wantsToolkit, make: toolkitPresent},
	{id: "toolkit-band", title: "the toolkit's release", needs: []string{"toolkit-present"}, asked: asksBand, make: toolkitBand},
	{id: "toolkit-active", title: "nvcc on PATH is the chosen toolkit's", needs: []string{"toolkit-present"}, asked: (*judge).wantsToolkit, make: toolkitActive},
	{id: "toolkit-components", title: "parts of the toolkit", needs: []string{"toolkit-present"}, asked: asksParts, make: toolkitParts},
	{id: "host-compiler", title: "the host compiler", asked: asksCompiler, make: hostCompiler},
	{id: "host-toolset", title: "the MSVC toolset", asked: asksToolset, make: hostToolset},
	{id: "host-sdk", title: "the Windows SDK", asked: asksSDK, make: hostSDK},
	{id: "host-triple", title: "the Rust host triple", asked: asksTriple, make: hostTriple},
	{id: "host-std", title: "the C++ standard", needs: []string{"toolkit-present"}, asked: asksStd, make: hostStd},
	{id: "driver-present", title: "the NVIDIA driver", asked: asksDriver, make: driverPresent},
	{id: "driver-floor", title: "the driver's version", needs: []string{"driver-present"}, asked: asksFloor, make: driverFloor},
	{id: "driver-toolkit", title: "the driver runs programs of the toolkit", needs: []string{"driver-present", "toolkit-present"}, asked: asksServing, make: driverToolkit},
	{id: "driver-ptx", title: "the driver compiles PTX of the toolkit", needs: []string{"driver-present", "toolkit-present"}, asked: asksPTX, make: driverPTX},
	{id: "gpu-count", title: "how many GPUs", needs: []string{"driver-present"}, asked: asksCount, make: gpuCount},
	{id: "gpu-memory", title: "memory of the GPUs", needs: []string{"gpu-count"}, asked: asksMemory, make: gpuMemory},
	{id: "gpu-compute-mode", title: "compute mode of the GPUs", needs: []string{"gpu-count"}, asked: asksMode, make: gpuMode},
	{id: "arch-min", title: "compute capability of the GPUs", needs: []string{"gpu-count"}, asked: asksMinArch, make: archMin},
	{id: "arch-gpu", title: "the code that is built runs on the GPUs", needs: []string{"gpu-count"}, asked: asksArch, make: archGPU},
	{id: "arch-toolkit", title: "the toolkit knows the targets", needs: []string{"toolkit-present"}, asked: asksTargets, make: archToolkit},
	{id: "env-", title: "variable %s", names: (*judge).variables, make: envCheck},
	{id: "component-", title: "%s", names: (*judge).components, make: componentCheck},
	{id: "pin-", files: true, title: "pin %s", names: (*judge).pins, make: pinCheck},
	{id: "builders", files: true, title: "CUDA builder crates", asked: asksBuilders, make: buildersCheck},
	{id: "kernels-", files: true, title: "sources of kernel %s", names: (*judge).kernels, make: kernelsCheck},
	{id: "mps", title: "NVIDIA's Multi-Process Service", asked: asksMPS, make: mpsCheck},
	{id: "scope-", title: "%s is off here", names: (*judge).scope, make: scopeCheck},
}

// named gives the names a row is made for: its own, one without a name, or none.
func (r row) named(j *judge) []string {
	switch {
	case r.names != nil:
		return r.names(j)
	case r.asked(j):
		return []string{""}
	}
	return nil
}

func (r row) idOf(name string) string { return r.id + contract.Slug(name) }

func (r row) titleOf(name string) string { return strings.Replace(r.title, "%s", name, 1) }
