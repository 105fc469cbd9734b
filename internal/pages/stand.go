package pages

import (
	"slices"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
)

// Machines made up to ask verify what it would expect: one that has nothing, and one that has everything.

func blank(p contract.Platform) fact.Machine {
	return fact.Machine{Format: fact.Format, System: fact.System{OS: osOf(p.Name), Platform: p.Name, Arch: "amd64"}}
}

// allParts are those a whole toolkit has.
var allParts = []string{
	fact.PartNvcc, fact.PartPtxas, fact.PartCicc, fact.PartCudafe, fact.PartFatbinary, fact.PartNvlink, fact.PartLibdevice,
	fact.PartHeader, fact.PartRuntimeH, fact.PartCrt, fact.PartCudart, fact.PartCudartReal, fact.PartCudartA, fact.PartCudadevrt, fact.PartStub, fact.PartLib64,
}

// withToolkit adds one whole toolkit of a release.
func withToolkit(m fact.Machine, release string) fact.Machine {
	root := "/usr/local/cuda"
	if m.System.OS == fact.Windows {
		root = `C:\CUDA`
	}
	t := fact.Toolkit{Root: root, Release: fact.Of(release, ""), Nvcc: fact.None[string](""), Header: fact.None[string](""), Ptxas: fact.None[string](""), Parts: map[string]string{}}
	for _, p := range allParts {
		t.Parts[p] = m.System.Paths().Join(root, "bin", "nvcc")
	}
	m.Toolkits = []fact.Toolkit{t}
	return m
}

// full has a toolkit, compilers, a driver, a GPU, Rust and every library.
func full(c *contract.Contract, p contract.Platform) fact.Machine {
	m := withToolkit(blank(p), wantedRelease(c, p))
	path, family := "/usr/bin/g++", "gcc"
	if p.Name == "windows" {
		path, family = `C:\cl.exe`, "msvc"
	}
	m.Compilers = []fact.Compiler{{Family: family, Command: path, Path: path, Version: fact.Of("1.0", ""), Default: true, Cxx: true}}
	m.Driver = fact.Driver{Kernel: fact.Of("999.0", ""), UserMode: fact.Of("999.0", ""), Level: fact.Of("99.0", "")}
	m.GPUs = []fact.GPU{{Name: "GPU", CC: fact.Of("9.0", ""), MemoryMiB: 1 << 30, ComputeMode: "default", Source: "NVML"}}
	m.Rust = fact.Rust{Cargo: fact.Of("cargo", ""), Toolchain: fact.Of("none", ""), Host: fact.Of("none", "")}
	m.VS = []fact.VisualStudio{{Version: "17.0", Toolsets: []fact.Toolset{{Version: "14.0"}}}}
	m.SDKs = []fact.WindowsSDK{{Version: "10.0", Libs: true}}
	m.Pythons = []fact.Python{{Path: "python", Version: fact.Of("3.0", ""), Torch: fact.Of("1.0", ""), Bitsandbytes: fact.Of("1.0", "")}}
	m.Driver.Helper = fact.Of("cupel-gpu", "")
	for _, name := range contract.ComponentNames {
		m.Libraries = append(m.Libraries, fact.Library{Name: name, Version: fact.Of("1.0", ""), Path: name})
		m.Tools = append(m.Tools, fact.Tool{Name: name, Path: name, Version: fact.Of("1.0", "")})
	}
	return m
}

// wantedRelease is one that the contract takes.
func wantedRelease(c *contract.Contract, p contract.Platform) string {
	b := &book{c: c}
	return newestOf(b.wanted(p.Name)).String()
}

// stocked is a project whose files say what the contract asks.
func stocked(c *contract.Contract) fact.Project {
	p := fact.Project{Root: "/", Crates: []fact.Crate{{Name: "crate", Version: "1.0.0"}}}
	for name := range c.Pins {
		p.Pins = append(p.Pins, fact.PinValue{Pin: name, File: "file", Line: 1, Value: "value"})
	}
	for _, k := range c.Kernels {
		p.Kernels = append(p.Kernels, fact.Sources{Kernel: k.Name, Files: []string{"file"}})
	}
	return p
}

// builderNames are the crates that build CUDA code.
func builderNames() []string {
	var out []string
	for _, b := range data.Builders() {
		if !slices.Contains(out, b.Name) {
			out = append(out, b.Name)
		}
	}
	return out
}
