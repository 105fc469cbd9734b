package cli

import (
	"path/filepath"
	"runtime"
	"slices"

	"cupel/internal/build"
	"cupel/internal/emit"
	"cupel/internal/host"
	"cupel/internal/nvcc"
)

// built is the result as build systems want it. It is made from the steps, so that a build with nothing to do tells the
// same.
func (b *building) built(r build.Result) emit.Build {
	out := emit.Build{Name: b.projectName(), Project: b.root, Out: b.out, OS: runtime.GOOS, Inputs: r.Inputs, Variables: decisive}
	if !b.named() {
		out.Inputs = append(slices.Clone(out.Inputs), filepath.Join(b.root, contractFile))
	}
	slices.Sort(out.Inputs)
	at := map[string]int{}
	how := map[string]build.Step{}
	for _, s := range r.Steps {
		how[s.Out] = s
	}
	for _, c := range r.Planned {
		i, ok := at[c.Kernel]
		if !ok {
			i = len(out.Kernels)
			at[c.Kernel] = i
			out.Kernels = append(out.Kernels, emit.Kernel{Name: c.Kernel, LinkName: c.Library, RDC: c.RDC})
		}
		k := &out.Kernels[i]
		if told, ok := nvcc.Parse(c.Argv[1:]).Last("cudart"); ok {
			k.Cudart = told // what its objects are linked with, by whoever links the library
		}
		for _, a := range c.Archs {
			if !slices.Contains(k.Archs, a) {
				k.Archs = append(k.Archs, a)
			}
		}
		s := how[c.Out]
		made := s.How == build.UpToDate || s.How == build.Cached || s.How == build.Built
		if c.Asked && made {
			k.Files = append(k.Files, emit.File{Kind: c.Kind, Path: b.place(c.Out), Source: c.Source, Arch: c.Arch})
		}
		k.Failed = k.Failed || c.Asked && !made
		if c.Source != "" {
			out.Calls = append(out.Calls, emit.Call{Dir: b.root, Source: c.Source, Output: c.Out, Argv: c.Argv})
		}
	}
	out.Toolkit = b.toolkitOf(r)
	return out
}

// projectName is that of the contract; empty: there is none. A build with nothing to do has not read it.
func (b *building) projectName() string {
	w, err := openWorkspace(host.Here(), "", shown)
	if err != nil || w.contract == nil {
		return ""
	}
	return w.contract.Project.Name
}

// decisive are the variables with which another toolkit or compiler may be chosen.
var decisive = []string{"CUPEL_TOOLKIT", "CUPEL_HOME", "CUDA_HOME", "CUDA_PATH", "NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "PATH"}

// toolkitOf is where the libraries of the toolkit lie, told by the nvcc of the calls.
func (b *building) toolkitOf(r build.Result) emit.Toolkit {
	if len(r.Planned) == 0 {
		return emit.Toolkit{}
	}
	root := filepath.Dir(filepath.Dir(r.Planned[0].Argv[0]))
	t := emit.Toolkit{Root: root, Release: r.Release, Include: filepath.Join(root, "include")}
	for _, dir := range []string{"lib64", "lib", filepath.Join("lib", "x64"), filepath.Join("targets", "x86_64-linux", "lib")} {
		found, _ := filepath.Glob(filepath.Join(root, dir, "*cudart*"))
		if len(found) > 0 {
			t.LibDirs = append(t.LibDirs, filepath.Join(root, dir))
			break
		}
	}
	return t
}
