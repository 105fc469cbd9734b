package toolkit

import (
	"cmp"
	"slices"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Folders of a root in which a kind of part may lie, first match wins: the installer's layout, then what
// Debian (root /usr), conda and pip make of it.
var (
	binDirs     = []string{"bin", "lib/nvidia-cuda-toolkit/bin"}
	ciccDirs    = []string{"nvvm/bin", "lib/nvidia-cuda-toolkit/bin"}
	deviceDirs  = []string{"nvvm/libdevice", "lib/nvidia-cuda-toolkit/libdevice"}
	targetNames = []string{"x86_64-linux", "sbsa-linux", "aarch64-linux"}
)

// nvccDirs: Debian's /usr/bin/nvcc is a script that calls the real one.
var nvccDirs = []string{"lib/nvidia-cuda-toolkit/bin", "bin"}

func includeDirs() []string {
	out := []string{"include"}
	for _, t := range targetNames {
		out = append(out, "targets/"+t+"/include")
	}
	return append(out, "Library/include")
}

func libDirs(windows bool) []string {
	if windows {
		return []string{"lib/x64", "lib"}
	}
	out := []string{"lib64"}
	for _, t := range targetNames {
		out = append(out, "targets/"+t+"/lib")
	}
	return append(out, "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib")
}

// filePart is a part that is one file in one of some folders.
type filePart struct {
	part string
	dirs []string
	name string
}

func fileParts(windows bool) []filePart {
	exe := ""
	if windows {
		exe = ".exe"
	}
	return []filePart{
		{fact.PartNvcc, nvccDirs, "nvcc" + exe},
		{fact.PartPtxas, binDirs, "ptxas" + exe},
		{fact.PartCicc, ciccDirs, "cicc" + exe},
		{fact.PartCudafe, binDirs, "cudafe++" + exe},
		{fact.PartFatbinary, binDirs, "fatbinary" + exe},
		{fact.PartNvlink, binDirs, "nvlink" + exe},
		{fact.PartProfile, append(slices.Clone(nvccDirs), "../etc"), "nvcc.profile"},
		{fact.PartLibdevice, deviceDirs, "libdevice.10.bc"},
		{fact.PartHeader, includeDirs(), "cuda.h"},
		{fact.PartRuntimeH, includeDirs(), "cuda_runtime.h"},
		{fact.PartCrt, includeDirs(), "crt/host_config.h"},
	}
}

// found is what lies in a root: the parts, why some are of no use, the library folders that exist and the DLL
// folders.
type found struct {
	parts, faults map[string]string
	libs, dlls    []string
	shut          string // a library folder that may not be listed
	why           string
}

// findParts looks for every part once.
func findParts(a *look.At, root string) found {
	f := found{parts: map[string]string{}}
	for _, p := range fileParts(a.Path.Windows()) {
		var paths []string
		for _, dir := range p.dirs {
			paths = append(paths, a.Path.Join(root, dir, p.name))
		}
		f.take(a, p.part, paths...)
	}
	for _, dir := range libDirs(a.Path.Windows()) {
		f.library(a, a.Path.Join(root, dir))
	}
	if a.IsDir(a.Path.Join(root, "lib64")) {
		f.parts[fact.PartLib64] = a.Path.Join(root, "lib64")
	}
	if a.IsDir(a.Path.Join(root, "include", "cccl")) {
		f.parts[fact.PartCCCL] = a.Path.Join(root, "include", "cccl")
	}
	if a.Path.Windows() {
		f.windowsLibs(a, root)
	} else {
		f.linuxLibs(a)
	}
	return f
}

// appendOther leaves a folder out that is only another name of one already there.
func appendOther(a *look.At, dirs []string, path string) []string {
	for _, d := range dirs {
		if a.Path.Same(a.Real(d), a.Real(path)) {
			return dirs
		}
	}
	return append(dirs, path)
}

var cudartName = pattern.New(`^(libcudart\.so(\.[\d.]+)?|libcudart_static\.a|cudart(_static)?\.lib)$`)

var cudartSo = pattern.New(`^libcudart\.so\.\d`)

// linuxParts are the library parts with a fixed name.
var linuxParts = []struct{ part, name string }{
	{fact.PartCudart, "libcudart.so"}, {fact.PartCudartA, "libcudart_static.a"},
	{fact.PartCudadevrt, "libcudadevrt.a"}, {fact.PartStub, "stubs/libcuda.so"},
}

func (f *found) linuxLibs(a *look.At) {
	for _, dir := range f.libs {
		for _, p := range linuxParts {
			f.take(a, p.part, a.Path.Join(dir, p.name))
		}
		if names, err := a.Names(dir, cudartSo); err == nil && len(names) > 0 {
			f.take(a, fact.PartCudartReal, a.Path.Join(dir, names[len(names)-1]))
		}
	}
	if f.shut == "" {
		return
	}
	for _, p := range append(slices.Clone(linuxParts), struct{ part, name string }{fact.PartCudartReal, "libcudart.so"}) {
		if f.parts[p.part] == "" {
			f.fault(p.part, a.Path.Join(f.shut, p.name), f.why)
		}
	}
}

// dllDirs are the folders with DLLs; the last is where pip's wheels put them.
var dllDirs = []string{"bin/x64", "bin", "bin/x86_64"}

var cudartDLL = pattern.New(`(?i)^cudart64_\d+\.dll$`)

func (f *found) windowsLibs(a *look.At, root string) {
	for part, name := range map[string]string{
		fact.PartCudart: "cudart.lib", fact.PartCudartA: "cudart_static.lib",
		fact.PartCudadevrt: "cudadevrt.lib", fact.PartStub: "cuda.lib",
	} {
		for _, dir := range libDirs(true) {
			f.take(a, part, a.Path.Join(root, dir, name))
		}
	}
	for _, dir := range dllDirs {
		path := a.Path.Join(root, dir)
		names, err := a.Names(path, cudartDLL)
		if err != nil || len(names) == 0 {
			continue
		}
		f.dlls = append(f.dlls, path)
		f.take(a, fact.PartCudartReal, a.Path.Join(path, names[len(names)-1]))
	}
}

// complete lists the parts of a toolkit that compiles, device-links and links.
var complete = []string{
	fact.PartNvcc, fact.PartPtxas, fact.PartCicc, fact.PartCudafe, fact.PartFatbinary, fact.PartNvlink,
	fact.PartLibdevice, fact.PartHeader, fact.PartRuntimeH, fact.PartCrt, fact.PartCudart, fact.PartCudartReal,
	fact.PartCudartA, fact.PartCudadevrt, fact.PartStub,
}

func missing(a *look.At, root string, parts map[string]string) []string {
	var out []string
	for _, p := range complete {
		if parts[p] == "" {
			out = append(out, p)
		}
	}
	if cudart := cmp.Or(parts[fact.PartCudartA], parts[fact.PartCudartReal]); parts[fact.PartLib64] == "" && a.Path.Same(a.Path.Dir(cudart), a.Path.Join(root, "lib")) && !a.Path.Windows() {
		out = append(out, fact.PartLib64)
	}
	return out
}
