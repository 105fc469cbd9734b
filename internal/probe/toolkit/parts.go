package toolkit

import (
	"cmp"
	"regexp"
	"slices"

	"cupel/internal/fact"
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

// findParts looks for every part once; libs are the library folders that exist, dlls the DLL folders.
func findParts(a *look.At, root string) (parts map[string]string, libs, dlls []string) {
	parts = map[string]string{}
	for _, p := range fileParts(a.Path.Windows()) {
		for _, dir := range p.dirs {
			path := a.Path.Join(root, dir, p.name)
			if a.IsFile(path) {
				parts[p.part] = path
				break
			}
		}
	}
	for _, dir := range libDirs(a.Path.Windows()) {
		if path := a.Path.Join(root, dir); a.IsDir(path) && hasCudart(a, path) {
			libs = appendOther(a, libs, path)
		}
	}
	if a.IsDir(a.Path.Join(root, "lib64")) {
		parts[fact.PartLib64] = a.Path.Join(root, "lib64")
	}
	if a.IsDir(a.Path.Join(root, "include", "cccl")) {
		parts[fact.PartCCCL] = a.Path.Join(root, "include", "cccl")
	}
	if a.Path.Windows() {
		dlls = windowsLibs(a, root, parts)
	} else {
		linuxLibs(a, libs, parts)
	}
	return parts, libs, dlls
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

var cudartName = regexp.MustCompile(`^(libcudart\.so(\.[\d.]+)?|libcudart_static\.a|cudart(_static)?\.lib)$`)

func hasCudart(a *look.At, dir string) bool {
	names, err := a.Names(dir, cudartName)
	return err == nil && len(names) > 0
}

var cudartSo = regexp.MustCompile(`^libcudart\.so\.\d`)

func linuxLibs(a *look.At, libs []string, parts map[string]string) {
	set := func(part, path string) {
		if parts[part] == "" && a.IsFile(path) {
			parts[part] = path
		}
	}
	for _, dir := range libs {
		set(fact.PartCudart, a.Path.Join(dir, "libcudart.so"))
		set(fact.PartCudartA, a.Path.Join(dir, "libcudart_static.a"))
		set(fact.PartCudadevrt, a.Path.Join(dir, "libcudadevrt.a"))
		set(fact.PartStub, a.Path.Join(dir, "stubs", "libcuda.so"))
		if names, err := a.Names(dir, cudartSo); err == nil && len(names) > 0 {
			set(fact.PartCudartReal, a.Path.Join(dir, names[len(names)-1]))
		}
	}
}

var cudartDLL = regexp.MustCompile(`(?i)^cudart64_\d+\.dll$`)

func windowsLibs(a *look.At, root string, parts map[string]string) (dlls []string) {
	for part, name := range map[string]string{
		fact.PartCudart: "cudart.lib", fact.PartCudartA: "cudart_static.lib",
		fact.PartCudadevrt: "cudadevrt.lib", fact.PartStub: "cuda.lib",
	} {
		for _, dir := range libDirs(true) {
			if p := a.Path.Join(root, dir, name); parts[part] == "" && a.IsFile(p) {
				parts[part] = p
			}
		}
	}
	for _, dir := range []string{"bin/x64", "bin", "bin/x86_64"} { // the last is where pip's wheels put them
		path := a.Path.Join(root, dir)
		names, err := a.Names(path, cudartDLL)
		if err != nil || len(names) == 0 {
			continue
		}
		dlls = append(dlls, path)
		if parts[fact.PartCudartReal] == "" {
			parts[fact.PartCudartReal] = a.Path.Join(path, names[len(names)-1])
		}
	}
	return dlls
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
