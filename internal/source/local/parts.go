package local

import (
	"debug/elf"
	"debug/pe"
	"os"
	"path/filepath"
	"runtime"

	"cupel/internal/resolve"
)

// marks are files whose presence tells that a component is in a root: below a folder of headers, or below the root.
var marks = []struct {
	word    string
	headers []string
	files   []string
	folder  string // where the files have the release in their names
}{
	{word: "nvcc", files: []string{"bin/nvcc", "bin/nvcc.exe"}},
	{word: "crt", headers: []string{"crt/host_config.h"}},
	{word: "nvvm", files: []string{"nvvm/bin/cicc", "nvvm/bin/cicc.exe"}},
	{word: "cudart", headers: []string{"cuda_runtime.h"}},
	{word: "cccl", headers: []string{"cccl/nv/target", "nv/target"}},
	{word: "cublas", headers: []string{"cublas_v2.h"}},
	{word: "cufft", headers: []string{"cufft.h"}},
	{word: "curand", headers: []string{"curand.h"}},
	{word: "cusolver", headers: []string{"cusolverDn.h"}},
	{word: "cusparse", headers: []string{"cusparse.h"}},
	{word: "npp", headers: []string{"npp.h"}},
	{word: "nvjpeg", headers: []string{"nvjpeg.h"}},
	{word: "nvrtc", headers: []string{"nvrtc.h"}},
	{word: "nvjitlink", headers: []string{"nvJitLink.h"}},
	{word: "nvptxcompiler", headers: []string{"nvPTXCompiler.h"}},
	{word: "nvfatbin", headers: []string{"nvFatbin.h"}},
	{word: "cupti", headers: []string{"cupti.h"}, files: []string{"extras/CUPTI/include/cupti.h"}},
	{word: "nvtx", headers: []string{"nvtx3/nvToolsExt.h"}},
	{word: "profiler", headers: []string{"cuda_profiler_api.h"}},
	{word: "nvml", headers: []string{"nvml.h"}},
	{word: "cuobjdump", files: []string{"bin/cuobjdump", "bin/cuobjdump.exe"}},
	{word: "nvdisasm", files: []string{"bin/nvdisasm", "bin/nvdisasm.exe"}},
	{word: "nvprune", files: []string{"bin/nvprune", "bin/nvprune.exe"}},
	{word: "cuxxfilt", files: []string{"bin/cu++filt", "bin/cu++filt.exe"}},
	{word: "sanitizer", files: []string{"bin/compute-sanitizer", "compute-sanitizer/compute-sanitizer.exe"}},
	{word: "gdb", files: []string{"bin/cuda-gdb"}},
	{word: "cufile", headers: []string{"cufile.h"}},
	{word: "culibos", files: []string{"lib64/libculibos.a"}},
	{word: "opencl", headers: []string{"CL/cl.h"}},
	{word: "tileiras", files: []string{"bin/tileiras", "bin/tileiras.exe"}},
	{word: "cudla", headers: []string{"cudla.h"}},
	{word: "vs-integration", folder: "extras/visual_studio_integration/MSBuildExtensions"},
	{word: "cudnn", headers: []string{"cudnn.h"}},
}

// words lists the components of a root.
func words(root string) []string {
	var out []string
	dirs := includes(root)
	for _, m := range marks {
		if hasAny(root, m.files) || inAny(dirs, m.headers) || m.folder != "" && isFolder(filepath.Join(root, filepath.FromSlash(m.folder))) {
			out = append(out, m.word)
		}
	}
	return out
}

func inAny(dirs, names []string) bool {
	for _, dir := range dirs {
		if hasAny(dir, names) {
			return true
		}
	}
	return false
}

func hasAny(dir string, names []string) bool {
	for _, n := range names {
		if isFile(filepath.Join(dir, filepath.FromSlash(n))) {
			return true
		}
	}
	return false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// includes are the folders of a root in which headers may lie.
func includes(root string) []string {
	dirs := []string{filepath.Join(root, "include")}
	for _, p := range resolve.Platforms {
		if !p.Windows() {
			dirs = append(dirs, filepath.Join(root, "targets", p.Target(), "include"))
		}
	}
	return dirs
}

// compiler is the path of a root's nvcc.
func compiler(root string) (string, error) {
	unix := filepath.Join(root, "bin", "nvcc")
	for _, path := range []string{unix, unix + ".exe"} {
		if isFile(path) {
			return path, nil
		}
	}
	_, err := os.Stat(unix)
	if err == nil { // a folder of that name
		err = os.ErrNotExist
	}
	return "", err
}

// platformOf is what an nvcc runs on, by the head of the file. A script (Debian has one) runs where this program does.
func platformOf(nvcc string) resolve.Platform {
	if f, err := elf.Open(nvcc); err == nil {
		defer f.Close()
		return resolve.Platform{OS: "linux", Arch: map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[f.Machine]}
	}
	if f, err := pe.Open(nvcc); err == nil {
		defer f.Close()
		arch := map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine]
		return resolve.Platform{OS: "windows", Arch: arch}
	}
	return resolve.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}
}
