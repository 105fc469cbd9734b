package toolkit

import (
	"strings"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Candidates lists where roots may be on this host: the nvcc programs on PATH, the variables that name a
// root or a compiler, and the folders installers use. Python's and Windows' own places are added by the
// caller, which knows them.
func Candidates(a *look.At) []Candidate {
	var out []Candidate
	for _, nvcc := range a.WhichAll("nvcc") {
		out = append(out, Candidate{Root: rootOf(a, nvcc), How: "PATH", Env: siteOf(a, rootOf(a, nvcc))})
	}
	for _, nvcc := range passedOver(a) {
		out = append(out, Candidate{Root: rootOf(a, nvcc), How: "PATH (not executable)", Env: siteOf(a, rootOf(a, nvcc))})
	}
	out = append(out, fromVariables(a)...)
	if !a.Path.Windows() {
		out = append(out, fixed(a)...)
	}
	if root := a.Env("CUPEL_TOOLKIT"); a.Path.Abs(root) {
		out = append(out, Asked(a, root, "CUPEL_TOOLKIT"))
	}
	return append(out, own(a)...)
}

// passedOver are the files named nvcc on PATH that a shell does not take because they may not be executed:
// the toolkit is there all the same.
func passedOver(a *look.At) []string {
	var out []string
	for _, dir := range a.SearchDirs() {
		p := a.Path.Join(dir, a.Path.Program("nvcc"))
		if info, err := a.Stat(p); err == nil && !info.Dir && !info.Exec {
			out = append(out, p)
		}
	}
	return out
}

// rootOf is the folder above the bin nvcc really lies in. Debian's /usr/bin/nvcc stays in /usr: its parts lie
// in several folders below.
func rootOf(a *look.At, nvcc string) string {
	dir := a.Path.Dir(a.Real(nvcc))
	if a.Path.Base(dir) != "bin" {
		return ""
	}
	root := a.Path.Dir(dir)
	if root == "/usr/lib/nvidia-cuda-toolkit" {
		return "/usr"
	}
	return root
}

// siteOf is the site-packages folder a pip root lies in.
func siteOf(a *look.At, root string) string {
	if a.Path.Base(a.Path.Dir(root)) == "nvidia" {
		return a.Path.Dir(a.Path.Dir(root))
	}
	return ""
}

func fromVariables(a *look.At) []Candidate {
	var out []Candidate
	for _, name := range a.EnvNames() {
		row, ok := data.VariableByName(name, a.System.OS)
		value := a.Env(name)
		if !ok || value == "" {
			continue
		}
		switch row.Kind {
		case "toolkit-root":
			root := strings.TrimSpace(value)
			out = append(out, Candidate{Root: root, How: name, Env: siteOf(a, a.Real(root))})
		case "compiler":
			if strings.HasPrefix(strings.ToLower(a.Path.Base(value)), "nvcc") {
				out = append(out, Candidate{Root: rootOf(a, value), How: name})
			}
		}
	}
	return out
}

var (
	cudaDir = pattern.New(`^cuda(-\d+(\.\d+)?)?$`)
	anyName = pattern.New(`.`)
)

func fixed(a *look.At) []Candidate {
	var out []Candidate
	add := func(p string) { out = append(out, Candidate{Root: p, How: p}) }
	for _, dir := range []string{"/usr/local", "/opt"} {
		if a.IsDir(dir) {
			for _, p := range a.List(dir, cudaDir) {
				add(p)
			}
		}
	}
	if a.IsFile("/usr/lib/nvidia-cuda-toolkit/bin/nvcc") || a.IsFile("/usr/include/cuda.h") {
		add("/usr")
	}
	return append(out, hpc(a)...)
}

func hpc(a *look.At) []Candidate {
	var out []Candidate
	const top = "/opt/nvidia/hpc_sdk"
	if !a.IsDir(top) {
		return nil
	}
	for _, sys := range a.List(top, pattern.New(`^Linux_`)) {
		for _, rel := range a.List(sys, pattern.New(`^\d+\.\d+$`)) {
			if cuda := a.Path.Join(rel, "cuda"); a.IsDir(cuda) {
				for _, p := range a.List(cuda, pattern.New(`^\d+\.\d+$`)) {
					out = append(out, Candidate{Root: p, How: "HPC SDK"})
				}
			}
		}
	}
	return out
}

// own are the toolkits cupel itself installed for this machine, and the roots that were registered with it.
func own(a *look.At) []Candidate {
	var out []Candidate
	for _, o := range look.Owned(a, "toolkits") {
		c := Candidate{Root: o.Dir, How: "cupel", Own: &fact.Installed{Name: a.Path.Base(o.Dir), Source: o.Source, Components: o.Components}}
		if o.Root != "" {
			c.Root = o.Root
		}
		if o.Source == "" {
			c.Own = nil // there is no manifest, or it cannot be read
		}
		out = append(out, c)
	}
	return out
}
