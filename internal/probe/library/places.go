package library

import (
	"strconv"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/python"
)

func places(at *shelf, k kind, roots []string, pythons []fact.Python) []place {
	var out []place
	for _, p := range pythons {
		out = append(out, pipPlaces(at, k, p)...)
		if p.Kind == python.Conda {
			out = append(out, condaPlace(at, k, python.Prefix(at.At, p), p.Path)...)
		}
	}
	out = append(out, condaPlace(at, k, at.Env("CONDA_PREFIX"), "")...)
	for _, r := range roots {
		if r != "/usr" { // a distribution's toolkit: its folders are the system's own
			out = append(out, rooted(at, r, Toolkit))
		}
	}
	out = append(out, variablePlaces(at, k)...)
	if at.Path.Windows() {
		return append(out, programFiles(at, k)...)
	}
	out = append(out, systemPlaces(at, k)...)
	for _, dir := range at.Path.List(at.Env("LD_LIBRARY_PATH")) {
		out = append(out, place{lib: []string{dir}, origin: System})
	}
	return out
}

// variablePlaces: an include and a library folder named by two variables are one copy.
func variablePlaces(at *shelf, k kind) []place {
	var out []place
	parts := place{origin: own(at)}
	for _, name := range k.roots {
		if dir := at.Env(name); dir != "" && at.Path.Abs(dir) {
			out = append(out, rooted(at, dir, own(at)))
		}
	}
	for _, name := range k.parts {
		if dir := at.Env(name); dir != "" && at.Path.Abs(dir) {
			p := rooted(at, dir, "")
			parts.include, parts.lib = append(parts.include, p.include...), append(parts.lib, p.lib...)
		}
	}
	return append(out, parts)
}

func own(at *shelf) string {
	if at.Path.Windows() {
		return Windows
	}
	return System
}

// rooted takes dir as a root and as an include or library folder at once: people set the variables to either.
func rooted(at *shelf, dir, origin string) place {
	j := at.Path.Join
	p := place{include: []string{j(dir, "include"), dir}, origin: origin}
	if at.Path.Windows() {
		p.lib = []string{j(dir, "bin"), j(dir, "bin", "x64"), j(dir, "lib", "x64"), dir}
		return p
	}
	p.lib = []string{j(dir, "lib64"), j(dir, "lib"), j(dir, "targets", target(at), "lib"), dir}
	return p
}

func target(at *shelf) string {
	if at.System.Arch == "arm64" {
		return "sbsa-linux"
	}
	return "x86_64-linux"
}

func triple(at *shelf) string {
	if at.System.Arch == "arm64" {
		return "aarch64-linux-gnu"
	}
	return "x86_64-linux-gnu"
}

// pipPlaces: NVIDIA's wheel, and the copy that torch's own wheels bundle.
func pipPlaces(at *shelf, k kind, p fact.Python) []place {
	var out []place
	for _, site := range p.Site {
		dir := at.Path.Join(site, "nvidia", k.pip)
		if at.IsDir(dir) {
			pl := rooted(at, dir, Pip)
			pl.python = p.Path
			pl.major, pl.version = wheel(k, p)
			pl.source = site
			out = append(out, pl)
		}
		if lib := at.Path.Join(site, "torch", "lib"); at.IsDir(lib) {
			out = append(out, place{lib: []string{lib}, origin: Pip, python: p.Path, major: major(p.TorchCUDA.Value)})
		}
	}
	return out
}

// wheel tells the CUDA major by the wheel's name; two wheels of one library write over each other, and then
// nothing tells which one was last.
func wheel(k kind, p fact.Python) (int, string) {
	cuda, version, found := 0, "", 0
	for name, v := range p.Wheels {
		if m := k.wheel.FindStringSubmatch(name); m != nil {
			cuda, version, found = major(m[1]), v, found+1
		}
	}
	if found != 1 {
		return 0, ""
	}
	return cuda, version
}

func major(text string) int {
	text, _, _ = strings.Cut(text, ".")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1000 {
		return 0
	}
	return n
}

var (
	condaBuild   = pattern.New(`^cuda_?(\d+)`)
	condaDepends = pattern.New(`"(?:cuda-version|cudatoolkit)\s+(?:>=|==|=)?(\d+)`)
)

func condaPlace(at *shelf, k kind, prefix, interpreter string) []place {
	if prefix == "" || !at.IsDir(at.Path.Join(prefix, "conda-meta")) {
		return nil
	}
	root := prefix
	if at.Path.Windows() {
		root = at.Path.Join(prefix, "Library")
	}
	p := rooted(at, root, Conda)
	p.python = interpreter
	for _, pkg := range python.CondaPackages(at.At, prefix) {
		if pkg.Name == k.conda {
			p.version, p.source = pkg.Version, pkg.File
			p.major = condaMajor(at, pkg)
		}
	}
	return []place{p}
}

// condaMajor: the build's name tells it (cuda12_0), or what the package depends on.
func condaMajor(at *shelf, pkg python.Package) int {
	if m := condaBuild.FindStringSubmatch(pkg.Build); m != nil {
		return major(m[1])
	}
	lines, err := at.Lines(pkg.File, condaDepends)
	at.Note("CUDA major of "+pkg.Name, pkg.File, err)
	if len(lines) == 0 {
		return 0
	}
	return major(condaDepends.FindStringSubmatch(lines[0])[1])
}
