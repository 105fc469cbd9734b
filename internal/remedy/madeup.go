package remedy

import (
	"fmt"
	"slices"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// Facts about things that are not there yet. They say what a complete installation looks like, so that verify can
// judge the machine as it would be; nobody shows them.

const byPlan = "as it would be after the plan"

// wholeParts are the parts of a complete toolkit.
var wholeParts = []string{
	fact.PartNvcc, fact.PartPtxas, fact.PartCicc, fact.PartCudafe, fact.PartFatbinary, fact.PartNvlink, fact.PartLibdevice, fact.PartProfile,
	fact.PartHeader, fact.PartRuntimeH, fact.PartCrt, fact.PartCudart, fact.PartCudartReal, fact.PartCudartA, fact.PartCudadevrt,
	fact.PartStub, fact.PartLib64, fact.PartCCCL,
}

// madeUp is the toolkit that an offer gives.
func madeUp(m fact.Machine, o offer) fact.Toolkit {
	s := m.System.Paths()
	rel := o.release.String()
	t := fact.Toolkit{Root: o.root, Release: fact.Of(rel, byPlan), Header: fact.Of(rel, byPlan), Origin: "installer", Found: []string{byPlan}, Parts: map[string]string{}}
	if r, ok := compat.Release(o.release); ok && r.Nvcc != "" {
		t.Nvcc, t.Ptxas = fact.Of(r.Nvcc, byPlan), fact.Of(r.Nvcc, byPlan)
	} else {
		t.Nvcc, t.Ptxas = fact.Of(rel, byPlan), fact.Of(rel, byPlan)
	}
	if o.does != nil {
		t.Origin, t.Installed = "cupel", &fact.Installed{Name: s.Base(o.root), Source: o.from}
	}
	for _, p := range wholeParts {
		t.Parts[p] = s.Join(o.root, p)
	}
	t.Parts[fact.PartNvcc] = s.Join(o.root, "bin", s.Program("nvcc"))
	t.Libs = []string{s.Join(o.root, "lib64")}
	t.Libraries = map[string]fact.Fact[fact.Link]{}
	for _, p := range data.Parts() {
		t.Libraries[p.Word] = fact.Of(fact.Link{Path: s.Join(t.Libs[0], p.Word)}, byPlan)
	}
	return t
}

// addToolkit puts a toolkit on the machine, over the one that was in its place, and chooses it.
func addToolkit(t fact.Toolkit) func(*verify.Input) {
	return func(in *verify.Input) {
		m := &in.Machine
		m.Toolkits = slices.DeleteFunc(slices.Clone(m.Toolkits), func(x fact.Toolkit) bool { return x.Home() == t.Root })
		m.Toolkits = append(m.Toolkits, t)
		m.Libraries = append(m.Libraries[:len(m.Libraries):len(m.Libraries)], fact.Library{Name: "cublas", Path: m.System.Paths().Join(t.Libs[0], "cublas"), Origin: "toolkit"})
		in.Choice.Flag = t.Root
	}
}

// addCompiler puts a compiler on the machine and tells the build to use it.
func addCompiler(c fact.Compiler, w data.WayCompiler) func(*verify.Input) {
	return func(in *verify.Input) {
		m := &in.Machine
		m.Compilers = append(m.Compilers[:len(m.Compilers):len(m.Compilers)], c)
		in.Host = c.Command
		if w.Toolset == "" {
			return
		}
		ts := fact.Toolset{Version: w.Toolset, Dir: c.Path, Cl: c.Version, ClPath: c.Path, Hosts: []string{"Hostx64/x64"}}
		m.VS = append(m.VS[:len(m.VS):len(m.VS)], fact.VisualStudio{Path: byPlan, Name: "Visual Studio", Version: w.Studio, Complete: true, Toolsets: []fact.Toolset{ts}, Source: byPlan})
		m.SDKs = append(m.SDKs[:len(m.SDKs):len(m.SDKs)], fact.WindowsSDK{Version: w.SDK, Root: byPlan, Libs: true})
	}
}

// setDriver replaces both halves of the driver.
func setDriver(v version.V) func(*verify.Input) {
	return func(in *verify.Input) {
		d := &in.Machine.Driver
		d.Kernel, d.UserMode = fact.Of(v.String(), byPlan), fact.Of(v.String(), byPlan)
		d.Level = fact.None[string](byPlan)
		if level, ok := compat.DriverLevel(v, in.Machine.System.Platform); ok {
			d.Level = fact.Of(level.String(), byPlan)
		}
		in.Machine.GPUs = lit(in.Machine)
	}
}

// passGPUs is a container that was started with its host's GPUs: as many as the contract wants, of which nothing is
// known from inside.
func passGPUs(v version.V, want contract.GPU) func(*verify.Input) {
	return func(in *verify.Input) {
		setDriver(v)(in)
		for i := len(in.Machine.GPUs); i < max(1, want.MinCount); i++ {
			in.Machine.GPUs = append(in.Machine.GPUs[:i:i], fact.GPU{Index: i, Name: "GPU of the host", Source: byPlan})
		}
		in.Machine.Driver.Nodes = append(slices.Clone(in.Machine.Driver.Nodes), fact.Node{Path: "/dev/nvidia0"}, fact.Node{Path: "/dev/nvidiactl"})
	}
}

// setCompat replaces the user-mode half by that of a forward-compatibility package.
func setCompat(rel version.V, dir string) func(*verify.Input) {
	return func(in *verify.Input) {
		d := &in.Machine.Driver
		d.CompatDirs = append(d.CompatDirs[:len(d.CompatDirs):len(d.CompatDirs)], dir)
		d.Level = fact.Of(rel.Short().String(), byPlan)
		if v, ok := compat.DriverForLevel(rel, fact.Linux); ok {
			d.UserMode = fact.Of(v.String(), byPlan)
		}
	}
}

// lit are the GPUs that a driver would show: those known, else those on the bus.
func lit(m fact.Machine) []fact.GPU {
	if len(m.GPUs) > 0 {
		return m.GPUs
	}
	var out []fact.GPU
	for i, p := range m.Driver.PCI {
		if g, ok := compat.GPUByPCI(p.Device); ok {
			out = append(out, fact.GPU{Index: i, Name: g.Name, CC: fact.Of(g.CC, fmt.Sprintf("PCI id %s", p.Device)), Source: byPlan})
		}
	}
	return out
}

// capabilities are those of the GPUs.
func capabilities(m fact.Machine) []gpu.CC {
	var out []gpu.CC
	for _, g := range lit(m) {
		if cc, err := gpu.ParseCC(g.CC.Value); err == nil && g.CC.Known() {
			out = append(out, cc)
		}
	}
	return out
}
