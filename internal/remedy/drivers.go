package remedy

import (
	"fmt"
	"slices"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// drivers are the drivers a plan may end with: the one that is here, the one here with a forward-compatibility
// package, or a newer one.
func (s *search) drivers(in verify.Input) []option {
	out := []option{{key: "driver as it is"}}
	if !drivable(in.Machine) {
		return out
	}
	g := groundsOf(in.Machine)
	out = append(out, forward(g, in)...)
	return append(out, updates(g, in)...)
}

// drivable: there is a device to drive, or a host that may have one, and a way to something that drives it.
func drivable(m fact.Machine) bool {
	g := groundsOf(m)
	ways := g.ways("driver")
	if slices.ContainsFunc(ways, ofHost) {
		return true
	}
	return hasDevice(m) && (len(ways) > 0 || dataCentre(m) && len(g.ways("forward-compat")) > 0)
}

func hasDevice(m fact.Machine) bool { return len(m.GPUs)+len(m.Driver.PCI) > 0 }

// ofHost: the driver is that of the container's host.
func ofHost(o offer) bool { return len(o.way.Engines) > 0 }

// forward offers the package of the toolkit's X.Y where NVIDIA says that it runs: on data-centre GPUs, on this
// branch of the kernel driver.
func forward(g grounds, in verify.Input) []option {
	rel, kernel := chosen(in), parsed(in.Machine.Driver.Kernel)
	f, ok := compat.ForwardCompat(rel, kernel)
	if !ok || f.Verdict != "works" || !dataCentre(in.Machine) {
		return nil
	}
	var out []option
	for _, o := range g.ways("forward-compat") {
		filled := g.fill(o, rel)
		out = append(out, option{key: f.Package, offer: &filled, cost: o.weight(), apply: setCompat(rel, f.InstallsTo)})
	}
	return out
}

func dataCentre(m fact.Machine) bool {
	return len(m.GPUs) > 0 && !slices.ContainsFunc(m.GPUs, func(g fact.GPU) bool {
		row, ok := compat.GPUByName(g.Name)
		return !ok || row.Class != "data-centre"
	})
}

// updates offers each driver that some rule asks for, the oldest first.
func updates(g grounds, in verify.Input) []option {
	var out []option
	for i, v := range wantedDrivers(in) {
		all := g.driverWays(v, chosen(in))
		if len(all) == 0 {
			continue
		}
		gets := v
		if b := version.Of(branchOf(all[0].way, compat.Branch(v).Major())); gets.Less(b) {
			gets = b
		}
		cost := all[0].weight()
		cost[wOrder] += i
		out = append(out, option{key: "driver " + gets.String(), offer: &all[0], alts: all[1:], cost: cost, apply: driverOf(all[0], gets, in)})
	}
	return out
}

func driverOf(o offer, v version.V, in verify.Input) func(*verify.Input) {
	if ofHost(o) {
		return passGPUs(v, in.Contract.GPU)
	}
	return setDriver(v)
}

// driverWays are the ways to a driver, those of the nearest branch alone: a newer branch is another step.
func (g grounds) driverWays(v, rel version.V) []offer {
	wanted := compat.Branch(v).Major()
	var out []offer
	best := 0
	for _, o := range g.ways("driver") {
		b := branchOf(o.way, wanted)
		if b == 0 || len(out) > 0 && b > best {
			continue
		}
		if b < best {
			out = nil
		}
		best = b
		out = append(out, g.fill(o, rel, "<branch>", fmt.Sprint(b), "<driver>", v.String()))
	}
	return out
}

// branchOf is the branch of a way that serves a wanted one: itself where the way has it, else the next; 0: none.
func branchOf(w data.Way, wanted int) int {
	switch {
	case len(w.Branches) > 0:
		for _, b := range slices.Sorted(slices.Values(w.Branches)) {
			if b >= wanted {
				return b
			}
		}
		return 0
	}
	return max(w.FirstBranch, wanted)
}

// wantedDrivers are the versions that rules name and that are newer than what is here: the contract's floor, the
// floor of the toolkit's major, the driver of the toolkit's level; none older than the GPUs need.
func wantedDrivers(in verify.Input) []version.V {
	req := in.Contract.For(in.Platform)
	os := in.Machine.System.Platform
	rel := chosen(in)
	floor, _ := compat.DriverFloor(rel, os)
	level, _ := compat.DriverForLevel(rel, os)
	list := []version.V{floor, level}
	if req.Driver != nil {
		list = append(list, req.Driver.Version.V)
	}
	least := leastDriver(in.Machine)
	have := choice.DriverVersion(in.Machine)
	for i, v := range list {
		if v.Less(least) {
			list[i] = least
		}
	}
	if !have.IsZero() && slices.ContainsFunc(groundsOf(in.Machine).ways("driver"), ofHost) {
		list = append(list, have) // its kernel half is seen in the container, and nothing else of it
	}
	slices.SortFunc(list, version.V.Compare)
	list = slices.Compact(list)
	return slices.DeleteFunc(list, func(v version.V) bool { return v.IsZero() || v.Less(have) || v == have && hasUser(in.Machine) })
}

// hasUser: programs find the half of the driver that they load.
func hasUser(m fact.Machine) bool { return m.Driver.UserMode.Known() || !m.System.Container.Known() }

// leastDriver is the driver of the first toolkit that knows the newest GPU here: no older one drives it.
func leastDriver(m fact.Machine) version.V {
	var least version.V
	for _, cc := range capabilities(m) {
		if v, ok := compat.DriverForLevel(compat.FirstToolkit(cc), m.System.Platform); ok && least.Less(v) {
			least = v
		}
	}
	return least
}

func parsed(f fact.Fact[string]) version.V {
	v, _ := version.Parse(f.Value)
	return v
}
