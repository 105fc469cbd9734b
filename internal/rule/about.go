package rule

import (
	"slices"
	"sync"
)

// What a rule can be about. A contract that has no use for a thing leaves the rules about it out.
const (
	AboutPlatform  = "platform"
	AboutDriver    = "driver"
	AboutPTX       = "ptx" // PTX that the driver compiles
	AboutGPU       = "gpu"
	AboutContainer = "container"
	AboutWSL       = "wsl"
	AboutToolkit   = "toolkit"
	AboutCompiler  = "compiler"
	AboutVariable  = "variable"
	AboutArch      = "arch"
	AboutLibrary   = "library"
	AboutPython    = "python"
	AboutRust      = "rust"
	AboutBuilder   = "builder"
	AboutProject   = "project"
	AboutNote      = "note"
)

// groups are the rules in the order findings are shown, with what each group is about.
var groups = []struct {
	about string
	rules []Rule
}{
	{AboutPlatform, platformRules}, {AboutDriver, driverRules}, {AboutDriver, libcudaRules}, {AboutGPU, deviceRules},
	{AboutContainer, containerRules}, {AboutWSL, wslRules}, {AboutToolkit, toolkitRules}, {AboutToolkit, mixRules},
	{AboutDriver, driverFitRules}, {AboutGPU, gpuFitRules}, {AboutToolkit, glibcRules}, {AboutCompiler, compilerRules}, {AboutCompiler, windowsRules},
	{AboutVariable, rootRules}, {AboutVariable, variableRules}, {AboutArch, archRules}, {AboutLibrary, libraryRules},
	{AboutPython, pythonRules}, {AboutRust, rustRules}, {AboutBuilder, builderRules}, {AboutProject, projectRules},
	{AboutNote, noteRules},
}

// All lists every rule in the order findings are shown: what is under everything else comes first.
func All() []Rule { return slices.Clone(all()) }

var all = sync.OnceValue(func() []Rule {
	var list []Rule
	for _, g := range groups {
		for _, r := range g.rules {
			if r.About == "" {
				r.About = g.about
			}
			list = append(list, r)
		}
	}
	return list
})
