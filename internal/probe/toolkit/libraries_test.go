package toolkit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// told is one library in a word: its path, the shared library alone, why it cannot be told, or a dash.
func told(f fact.Fact[fact.Link]) string {
	switch {
	case f.State == fact.Unreadable:
		return "? " + f.Source + ": " + f.Why
	case f.Value.Shared != "":
		return "only " + f.Value.Shared
	case f.Known():
		return f.Value.Path
	case f.State == fact.Absent:
		return "-"
	}
	return "nobody looked"
}

func librariesOf(t *testing.T, os, root, tree string) map[string]string {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\nos = "+os+"\narch = amd64\n-- tree --\n"+tree), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for word, f := range libraries(look.New(h), root) {
		out[word] = told(f)
	}
	return out
}

// TestLibraries: a name that links, a shared library alone, nothing, and a place that could not be looked at.
func TestLibraries(t *testing.T) {
	const w = `C:\cuda`
	for _, tt := range []struct{ name, os, root, tree, word, want string }{
		{"a name that links", "linux", "/c", "/c/lib64/libcufft.so -> libcufft.so.12\n/c/lib64/libcufft.so.12 f\n", "cufft", "/c/lib64/libcufft.so"},
		{"in the folder of a processor", "linux", "/c", "/c/targets/sbsa-linux/lib/libcufft.so f\n", "cufft", "/c/targets/sbsa-linux/lib/libcufft.so"},
		{"the shared library alone", "linux", "/c", "/c/lib/libcufft.so.12 f\n/c/lib/libcufft.so.12.0.0.61 f\n", "cufft", "only /c/lib/libcufft.so.12"},
		{"a link that leads nowhere", "linux", "/c", "/c/lib64/libcufft.so -> libcufft.so.12\n", "cufft", "-"},
		{"another library of the same family", "linux", "/c", "/c/lib64/libcufftw.so f\n/c/lib64/libcublasLt.so f\n", "cufft", "-"},
		{"cuBLAS is not cuBLASLt", "linux", "/c", "/c/lib64/libcublasLt.so f\n", "cublas", "-"},
		{"nvrtc's builtins are not nvrtc", "linux", "/c", "/c/lib/libnvrtc-builtins.so.13.0 f\n/c/lib/libnvrtc.alt.so.13 f\n", "nvrtc", "-"},
		{"a stub is not the library", "linux", "/c", "/c/lib64/stubs/libcufft.so f\n", "cufft", "-"},
		{"the stub of NVML", "linux", "/c", "/c/lib64/stubs/libnvidia-ml.so f\n", "nvml-stub", "/c/lib64/stubs/libnvidia-ml.so"},
		{"NVML of the driver is no stub", "linux", "/usr", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so f\n", "nvml-stub", "-"},
		{"an empty file", "linux", "/c", "/c/lib64/libcufft.so f 0\n", "cufft", "? /c/lib64/libcufft.so: the file is empty"},
		{"a closed folder", "linux", "/c", "/c/lib64 d ! permission denied\n/c/lib/libcufft.so.12 f\n", "cufft", "? /c/lib64: permission denied"},
		{"found elsewhere than in the closed folder", "linux", "/c", "/c/lib64 d ! permission denied\n/c/lib/libcufft.so f\n", "cufft", "/c/lib/libcufft.so"},
		{"CUPTI in a folder of its own", "linux", "/c", "/c/extras/CUPTI/lib64/libcupti.so f\n", "cupti", "/c/extras/CUPTI/lib64/libcupti.so"},
		{"CUPTI carries the year", "linux", "/c", "/c/lib64/libcupti.so.2025.3.1 f\n", "cupti", "only /c/lib64/libcupti.so.2025.3.1"},
		{"NVTX is headers", "linux", "/c", "/c/include/nvtx3/nvToolsExt.h f\n", "nvtx", "/c/include/nvtx3/nvToolsExt.h"},
		{"the NVTX before 3 is another", "linux", "/c", "/c/include/nvToolsExt.h f\n/c/lib64/libnvToolsExt.so f\n", "nvtx", "-"},
		{"CCCL before 13", "linux", "/c", "/c/include/thrust/version.h f\n", "cccl", "/c/include/thrust/version.h"},
		{"CCCL since 13", "linux", "/c", "/c/include/cccl/thrust/version.h f\n", "cccl", "/c/include/cccl/thrust/version.h"},
		{"closed headers", "linux", "/c", "/c/include/nvtx3 ? ! permission denied\n", "nvtx", "? /c/include/nvtx3/nvToolsExt.h: permission denied"},
		{"wheels from before 13, each in its folder", "linux", "/s/nvidia/cuda_nvcc", "/s/nvidia/cuda_nvcc/bin/nvcc x\n/s/nvidia/cuda_cupti/lib/libcupti.so.12 f\n", "cupti", "only /s/nvidia/cuda_cupti/lib/libcupti.so.12"},
		{"headers in such a wheel", "linux", "/s/nvidia/cuda_nvcc", "/s/nvidia/cuda_nvcc/bin/nvcc x\n/s/nvidia/nvtx/include/nvtx3/nvToolsExt.h f\n", "nvtx", "/s/nvidia/nvtx/include/nvtx3/nvToolsExt.h"},
		{"the wheels of 13 share a folder", "linux", "/s/nvidia/cu13", "/s/nvidia/cu13/bin/nvcc x\n/s/nvidia/cufft/lib/libcufft.so f\n", "cufft", "-"},
		{"an import library", "windows", w, `C:\cuda\lib\x64\cufft.lib f` + "\n", "cufft", `C:\cuda\lib\x64\cufft.lib`},
		{"in another case", "windows", w, `C:\cuda\lib\x64\NVJITLINK.LIB f` + "\n", "nvjitlink", `C:\cuda\lib\x64\NVJITLINK.LIB`},
		{"the DLL of a wheel", "windows", w, `C:\cuda\bin\x86_64\curand64_10.dll f` + "\n", "curand", `only C:\cuda\bin\x86_64\curand64_10.dll`},
		{"a DLL with another number", "windows", w, `C:\cuda\bin\x86_64\nvrtc64_130_0.dll f` + "\n" + `C:\cuda\bin\x86_64\nvrtc64_130_0.alt.dll f` + "\n", "nvrtc", `only C:\cuda\bin\x86_64\nvrtc64_130_0.dll`},
		{"CUPTI on Windows", "windows", w, `C:\cuda\extras\CUPTI\lib64\cupti.lib f` + "\n", "cupti", `C:\cuda\extras\CUPTI\lib64\cupti.lib`},
		{"NVML on Windows", "windows", w, `C:\cuda\lib\x64\nvml.lib f` + "\n", "nvml-stub", `C:\cuda\lib\x64\nvml.lib`},
		{"a Linux name says nothing on Windows", "windows", w, `C:\cuda\lib\libcufft.so f` + "\n", "cufft", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := librariesOf(t, tt.os, tt.root, tt.tree)[tt.word]; got != tt.want {
				t.Errorf("%s in\n%s= %q, want %q", tt.word, tt.tree, got, tt.want)
			}
		})
	}
}

// TestEveryLibraryIsTold: a survey leaves no word open, also of a toolkit that has none.
func TestEveryLibraryIsTold(t *testing.T) {
	got, _ := survey(t, root13)
	if len(got) != 1 || len(got[0].Libraries) != len(data.Parts()) {
		t.Fatalf("toolkits %+v, want one with %d libraries", got, len(data.Parts()))
	}
	for word, f := range got[0].Libraries {
		if f.State != fact.Absent {
			t.Errorf("%s: %+v, want it told as not there", word, f)
		}
	}
}

// asks counts how often a folder is listed and a path looked at.
type asks struct {
	host.Host
	stats, lists int
}

func (h *asks) Stat(path string) (host.Info, error) { h.stats++; return h.Host.Stat(path) }

func (h *asks) Names(dir string, keep *pattern.Pattern) ([]string, error) {
	h.lists++
	return h.Host.Names(dir, keep)
}

// TestFewQuestions: a whole toolkit costs one listing a folder and one look a library.
func TestFewQuestions(t *testing.T) {
	var tree strings.Builder
	for _, row := range data.Parts() {
		if row.Linux != "" && row.Below == "" {
			tree.WriteString("/c/lib64/" + row.Linux + " f\n")
		}
	}
	tree.WriteString("/c/lib64/stubs/libnvidia-ml.so f\n/c/include/nvtx3/nvToolsExt.h f\n/c/include/cccl/thrust/version.h f\n")
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n-- tree --\n"+tree.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	counted := &asks{Host: h}
	for word, f := range libraries(look.New(counted), "/c") {
		if !strings.HasPrefix(told(f), "/c/") {
			t.Errorf("%s: %s", word, told(f))
		}
	}
	folders := len(libDirs(false)) + 2
	if want := []int{len(data.Parts()), folders}; !cmp.Equal([]int{counted.stats, counted.lists}, want) {
		t.Errorf("%d looks and %d listings, want %v", counted.stats, counted.lists, want)
	}
}
