package trial

import (
	"path"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/ospath"
)

// Hide is what a build without CUDA must not see of a machine. It names what the probe found; what lies beside it
// under well-known names is added when the hiding is done, see names.go.
type Hide struct {
	OS        string
	Roots     []string // toolkits with a folder of their own, and the wheels' nvidia folders
	Shared    []string // roots that hold more than CUDA (/usr, a conda environment): taken apart, never covered
	Libraries []string // driver and CUDA libraries
	Programs  []string
	Headers   []string // include folders of shared roots
	LibDirs   []string // library folders of shared roots
	Vars      []string // names; * stands for any text
	PathDirs  []string // folders to take out of PATH and its like, besides those below Roots
	BinDirs   []string // the folders of PATH: a CUDA program in one of them is hidden
	Devices   []string
	Keep      []string // never covered, nor any folder they lie in: home, compilers, interpreters, tools
}

// HideFrom says what is to be hidden on a machine. Names are variables besides those that are known to be CUDA's:
// see ContractVars.
func HideFrom(m fact.Machine, names ...string) Hide {
	h := Hide{OS: m.System.OS, Vars: variables(names), Keep: kept(m)}
	for _, d := range m.Path {
		h.BinDirs = append(h.BinDirs, d.Dir)
	}
	for _, t := range m.Toolkits {
		h.toolkit(m.System.Paths(), t)
	}
	for _, p := range m.Pythons {
		for _, site := range p.Site {
			if len(p.Wheels) > 0 {
				h.Roots = append(h.Roots, m.System.Paths().Join(site, "nvidia"))
			}
		}
	}
	h.driver(m.Driver)
	for _, l := range m.Libraries {
		if slices.Contains(cudaLibraries, l.Name) && l.Path != "" {
			h.Libraries = append(h.Libraries, l.Path)
		}
	}
	for _, list := range []*[]string{&h.Roots, &h.Shared, &h.Libraries, &h.Programs, &h.Headers, &h.LibDirs, &h.PathDirs, &h.Devices} {
		*list = unique(*list)
	}
	return h
}

// cudaLibraries are the libraries of fact.Machine that belong to CUDA; libclang and the like do not.
var cudaLibraries = []string{"cudnn", "nccl", "cublas"}

func (h *Hide) toolkit(s ospath.Style, t fact.Toolkit) {
	h.PathDirs = append(h.PathDirs, t.DLLs...)
	if !h.shares(s, t) {
		h.Roots = append(h.Roots, t.Root, t.Real)
		return
	}
	h.Shared = append(h.Shared, t.Root, t.Real)
	h.LibDirs = append(h.LibDirs, t.Libs...)
	for part, at := range t.Parts {
		switch part {
		case fact.PartHeader, fact.PartRuntimeH:
			h.Headers = append(h.Headers, s.Dir(at))
		case fact.PartNvcc, fact.PartPtxas, fact.PartCicc, fact.PartCudafe, fact.PartFatbinary, fact.PartNvlink:
			h.Programs = append(h.Programs, at)
		case fact.PartStub, fact.PartCudart, fact.PartCudartReal, fact.PartCudartA, fact.PartCudadevrt:
			h.Libraries = append(h.Libraries, at)
		}
	}
	slices.Sort(h.Programs) // Parts has no order
	slices.Sort(h.Libraries)
}

// shares says that more than CUDA lives in a toolkit's root.
func (h *Hide) shares(s ospath.Style, t fact.Toolkit) bool {
	for _, root := range []string{t.Root, t.Home()} {
		if t.Origin == "distribution" || t.Origin == "conda" || !coverable(s, root, h.Keep) {
			return true
		}
	}
	return false
}

// coverable says that a folder may be hidden whole: it is no system folder and nothing that must stay lies in it.
func coverable(s ospath.Style, dir string, keep []string) bool {
	system := !s.Windows() && slices.Contains(systemFolders, path.Clean(dir))
	return !system && !slices.ContainsFunc(keep, func(k string) bool { return s.Within(k, dir) })
}

// driver adds the driver's libraries, programs and devices.
func (h *Hide) driver(d fact.Driver) {
	for _, l := range d.Libraries {
		h.Libraries = append(h.Libraries, l.Path, l.Real)
	}
	if d.SMI.Value != "" {
		h.Programs = append(h.Programs, d.SMI.Value)
	}
	for _, n := range d.Nodes {
		h.Devices = append(h.Devices, n.Path)
	}
	h.PathDirs = append(h.PathDirs, d.CompatDirs...)
}

// kept is what a build without CUDA may need.
func kept(m fact.Machine) []string {
	keep := []string{m.System.Home, m.Rust.Cargo.Value}
	for _, c := range m.Compilers {
		if c.Origin != "toolkit" {
			keep = append(keep, c.Path, c.Real)
		}
	}
	for _, p := range m.Pythons {
		keep = append(keep, p.Path)
	}
	for _, t := range m.Tools {
		if !programName.MatchString(t.Name) { // ptxas is looked for as a tool too
			keep = append(keep, t.Path)
		}
	}
	return unique(keep)
}

func variables(names []string) []string {
	vars := slices.Clone(variableNames)
	for _, v := range data.Variables() {
		if slices.Contains(variableKinds, v.Kind) {
			vars = append(vars, v.Name)
		}
	}
	return unique(append(vars, names...))
}

// ContractVars are the variables to which a contract gives a value of the toolkit or of the architectures. Those
// that hold lists of folders are not among them: they are needed, without CUDA's folders.
func ContractVars(c *contract.Contract) []string {
	out := slices.Clone([]string(c.Arch.Env))
	for _, t := range []contract.EnvTable{c.Env.EnvTable, c.Env.Linux, c.Env.Windows, c.Env.WSL2, c.Env.CI, c.Env.Runtime} {
		for value, names := range t.Names {
			if cudaValue(value) {
				out = append(out, names...)
			}
		}
		for name, template := range t.Vars {
			if cudaValue(template) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(unique(out), func(n string) bool { return slices.Contains(listVariables, n) })
}

func cudaValue(text string) bool {
	return strings.Contains(text, "toolkit.") || strings.Contains(text, "arch.")
}

// StubDirs are the folders from which a linker takes a toolkit's stub of the driver library.
func StubDirs(t fact.Toolkit) []string {
	at := t.Parts[fact.PartStub]
	if i := strings.LastIndexAny(at, `/\`); i > 0 {
		return []string{at[:i]}
	}
	return nil
}

// unique keeps the first of equal texts, and no empty one.
func unique(list []string) []string {
	var out []string
	for _, v := range list {
		if v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
