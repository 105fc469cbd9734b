package remedy

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// holds says that every condition of a way is met.
func (g grounds) holds(w data.Way) bool {
	for _, ok := range conditions {
		if !ok(g, w) {
			return false
		}
	}
	return true
}

// conditions are what a row may ask of a machine; a row that says nothing holds.
var conditions = []func(g grounds, w data.Way) bool{
	func(g grounds, w data.Way) bool { return slices.Contains(w.On, g.m.System.Platform) },
	func(g grounds, w data.Way) bool { return len(w.CPUs) == 0 || slices.Contains(w.CPUs, g.m.System.Arch) },
	func(g grounds, w data.Way) bool {
		return len(w.Managers) == 0 || g.system != nil && slices.Contains(w.Managers, g.system.Manager)
	},
	func(g grounds, w data.Way) bool {
		return len(w.IDs) == 0 || slices.Contains(w.IDs, g.m.System.Distro.Value.ID)
	},
	func(g grounds, w data.Way) bool { return !w.NeedsRepo || g.repo(w) != nil },
	func(g grounds, w data.Way) bool {
		return w.InContainer == nil || *w.InContainer == g.m.System.Container.Known()
	},
	func(g grounds, w data.Way) bool { return len(w.Engines) == 0 || g.engine(w.Engines) },
	func(g grounds, w data.Way) bool { return w.L4T == "" || g.l4t(w.L4T) },
	grounds.hasVariables, grounds.hasStudio, grounds.drives,
	func(g grounds, w data.Way) bool { return w.NeedsSource == "" || g.shelf.answers(w.NeedsSource) },
}

// engine: the container is one of these and has no node of a GPU, whatever its bus shows. One that has its GPUs gains
// nothing from a new start.
func (g grounds) engine(names []string) bool {
	node := func(n fact.Node) bool { return strings.HasPrefix(n.Path, "/dev/nvidia") }
	return slices.Contains(names, g.m.System.Container.Value) && !g.m.System.ImageBuild && !slices.ContainsFunc(g.m.Driver.Nodes, node)
}

func (g grounds) l4t(want string) bool {
	v, _ := version.Parse(want)
	have, err := version.Parse(g.m.System.L4T.Value)
	return err == nil && v.Covers(have)
}

// drives: the kernel module of the way fits the oldest GPU here. What is not known is no reason against it.
func (g grounds) drives(w data.Way) bool {
	all := capabilities(g.m)
	if len(all) == 0 {
		return true
	}
	lowest := slices.MinFunc(all, gpu.CC.Compare)
	least, errLeast := gpu.ParseCC(w.CCMin)
	below, errBelow := gpu.ParseCC(w.CCBelow)
	return (errLeast != nil || lowest.Compare(least) >= 0) && (errBelow != nil || lowest.Compare(below) < 0)
}

func (g grounds) hasVariables(w data.Way) bool {
	for _, name := range w.NeedsVariable {
		if g.m.Env[name] == "" {
			return false
		}
	}
	return true
}

func (g grounds) hasStudio(w data.Way) bool {
	switch w.NeedsVS {
	case "":
		return true
	case "none":
		return len(g.m.VS) == 0
	}
	vs := g.studio(w.NeedsVS)
	first, _ := version.Parse(w.VSFirst)
	return vs != nil && !studioVersion(*vs).Less(first)
}

func studioVersion(vs fact.VisualStudio) version.V {
	v, _ := version.Parse(vs.Version)
	return v
}

// studio is an installed Visual Studio of a major.
func (g grounds) studio(major string) *fact.VisualStudio {
	for i, vs := range g.m.VS {
		if strings.HasPrefix(vs.Version, major+".") {
			return &g.m.VS[i]
		}
	}
	return nil
}
