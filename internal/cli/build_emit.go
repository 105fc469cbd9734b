package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"cupel/internal/build"
	"cupel/internal/contract"
	"cupel/internal/emit"
	"cupel/internal/host"
	"cupel/internal/nvcc"
)

// built is the result as build systems want it. It is made from the steps, so that a build with nothing to do tells the
// same.
func (b *building) built(r build.Result) emit.Build {
	out := emit.Build{Project: b.root, Out: b.out, OS: runtime.GOOS, Variables: decisive}
	noting := host.Note(host.Here())
	if w, err := openWorkspace(noting, "", shown); err == nil && w.contract != nil { // a build with nothing to do has not read it
		out.Name = w.contract.Project.Name
		if !b.named() {
			out.Folders = b.searchedFolders(w.contract)
			out.Kernels = b.askedFor(w.contract)
		}
	}
	out.Inputs = slices.DeleteFunc(slices.Concat(r.Inputs, choosing(noting)), vanished)
	slices.Sort(out.Inputs)
	out.Inputs = slices.Compact(out.Inputs)
	at := map[string]int{}
	for i, k := range out.Kernels {
		at[k.Name] = i
	}
	how := map[string]build.Step{}
	for _, s := range r.Steps {
		how[s.Out] = s
	}
	for _, c := range r.Planned {
		i, ok := at[c.Kernel]
		if !ok {
			i = len(out.Kernels)
			at[c.Kernel] = i
			out.Kernels = append(out.Kernels, emit.Kernel{Name: c.Kernel})
		}
		k := &out.Kernels[i]
		k.LinkName, k.Absent = c.Library, false
		call := nvcc.Parse(c.Argv[1:])
		if told, ok := call.Last("cudart"); ok {
			k.Cudart = told // what its objects are linked with, by whoever links the library
		}
		told, _ := call.Last("relocatable-device-code") // flags may say it
		k.RDC = k.RDC || c.RDC || told == "true"
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
		k.Linked = k.Linked || made && c.Kind == "device-link"
		k.Failed = k.Failed || !made // an object that only its library asks for counts too
		if c.Source != "" {
			out.Calls = append(out.Calls, emit.Call{Dir: b.root, Source: c.Source, Output: c.Out, Argv: c.Argv})
		}
	}
	out.Toolkit = b.toolkitOf(r)
	for _, e := range b.emits {
		b.beside(e, &out)
	}
	return out
}

// askedFor are the contract's kernels that this build is for, none of them planned.
func (b *building) askedFor(c *contract.Contract) (all []emit.Kernel) {
	for _, k := range c.Kernels {
		if len(b.names) == 0 || slices.Contains(b.names, k.Name) {
			all = append(all, emit.Kernel{Name: k.Name, Absent: true})
		}
	}
	return all
}

// beside is what one --emit asks for more: the package that a Go file comes into, and what its format cannot say itself.
func (b *building) beside(e emission, out *emit.Build) {
	if e.format == "cgo" {
		digestArchives(out)
	}
	if e.format == "cgo" && e.file != "" {
		out.Package = packageBeside(e.file)
	}
	if e.format == "cargo" {
		return
	}
	for _, text := range emit.Warnings(e.format, *out) {
		b.say("--emit %s: %s", e.format, text)
	}
}

// choosing are the files of cupel's own that were asked for: with another text in them other outputs are made, or with another toolkit.
func choosing(noting *host.Noting) []string {
	own := []string{contractFile, lockFile, filepath.Base(filepath.FromSlash(choiceFile))}
	read, _ := noting.Paths()
	return slices.DeleteFunc(read, func(path string) bool { return !slices.Contains(own, filepath.Base(path)) })
}

// vanished: a file that is not there makes cargo and make build each time. A source of a kernel that this build was not asked for may
// be gone; a lock or a choice may never have been.
func vanished(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// searchedFolders are those that patterns of sources begin with. The project's own holds outputs, and so do others: for a build
// system that looks at them they would change with every build.
func (b *building) searchedFolders(c *contract.Contract) (all []string) {
	for _, k := range c.Kernels {
		for _, g := range k.Sources {
			dir := g.Folder()
			path := filepath.Join(b.root, filepath.FromSlash(dir))
			if dir != "" && !vanished(path) && !below(path, b.out) && !below(b.out, path) {
				all = append(all, path)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
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
