package python

import (
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Root is a folder inside a Python environment that may be a CUDA root. Whether it is one is for the toolkit
// probe to tell.
type Root struct {
	Path string
	How  string // pip or conda
	Env  string // site-packages, or the conda environment
}

// nvidiaFolder: since CUDA 13 every wheel fills nvidia/cu13; before, each component had a folder of its own,
// of which only cuda_nvcc is anything like a root.
var nvidiaFolder = pattern.New(`^(cu\d+|cuda_nvcc)$`)

// Roots lists the candidates in the given interpreters, and in the active conda environment even when it has
// no Python.
func Roots(at *look.At, pythons []fact.Python) []Root {
	var all []Root
	for _, p := range pythons {
		for _, site := range p.Site {
			all = append(all, pipRoots(at, site)...)
		}
		if p.Kind == Conda {
			all = append(all, condaRoot(at, Prefix(at, p))...)
		}
	}
	all = append(all, condaRoot(at, at.Env("CONDA_PREFIX"))...)
	return onceEach(at, all)
}

// Prefix is the folder of the interpreter's environment.
func Prefix(at *look.At, p fact.Python) string { return prefixOf(at, p.Path) }

func pipRoots(at *look.At, site string) []Root {
	dir := at.Path.Join(site, "nvidia")
	if !at.IsDir(dir) {
		return nil
	}
	var out []Root
	for _, p := range at.List(dir, nvidiaFolder) {
		if at.IsDir(at.Path.Join(p, "bin")) || at.IsDir(at.Path.Join(p, "include")) {
			out = append(out, Root{Path: p, How: "pip", Env: site})
		}
	}
	return out
}

// condaRoot: on Windows conda keeps everything that is not Python in Library.
func condaRoot(at *look.At, prefix string) []Root {
	if prefix == "" || !at.IsDir(at.Path.Join(prefix, "conda-meta")) {
		return nil
	}
	root := prefix
	if at.Path.Windows() {
		root = at.Path.Join(prefix, "Library")
	}
	if at.FirstFile(at.Path.Join(root, "bin", at.Path.Program("nvcc"))) == "" {
		return nil
	}
	return []Root{{Path: root, How: "conda", Env: prefix}}
}

func onceEach(at *look.At, all []Root) []Root {
	var out []Root
	seen := map[string]bool{}
	for _, r := range all {
		if key := at.Path.Key(at.Real(r.Path)); !seen[key] {
			seen[key] = true
			out = append(out, r)
		}
	}
	return out
}
