package redist_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"cupel/data"
	"cupel/internal/resolve"
)

// TestLayout: where files of NVIDIA's archives go.
func TestLayout(t *testing.T) {
	for _, tt := range []struct {
		p                     resolve.Platform
		component, name, want string
	}{
		{linux, "nvcc", "cuda_nvcc-linux-x86_64-13.0.88-archive/bin/nvcc", "bin/nvcc"},
		{linux, "nvcc", "cuda_nvcc-linux-x86_64-13.0.88-archive/bin/crt/link.stub", "bin/crt/link.stub"},
		{linux, "nvcc", "cuda_nvcc-linux-x86_64-12.4.131-archive/nvvm/bin/cicc", "nvvm/bin/cicc"},
		{linux, "nvcc", "cuda_nvcc-linux-x86_64-13.0.88-archive/LICENSE", "licenses/nvcc/LICENSE"},
		{linux, "cudart", "cuda_cudart-linux-x86_64-13.0.96-archive/include/cuda_runtime.h", "targets/x86_64-linux/include/cuda_runtime.h"},
		{linux, "cudart", "cuda_cudart-linux-x86_64-13.0.96-archive/lib/stubs/libcuda.so", "targets/x86_64-linux/lib/stubs/libcuda.so"},
		{linux, "cccl", "cuda_cccl-linux-x86_64-13.0.85-archive/lib/cmake/cccl/cccl-config.cmake", "targets/x86_64-linux/lib/cmake/cccl/cccl-config.cmake"},
		{sbsa, "cudart", "cuda_cudart-linux-sbsa-13.0.96-archive/lib/libcudart.so.13", "targets/sbsa-linux/lib/libcudart.so.13"},
		{linux, "cupti", "cuda_cupti-linux-x86_64-13.0.85-archive/include/cupti.h", "targets/x86_64-linux/include/cupti.h"},
		{linux, "cupti", "cuda_cupti-linux-x86_64-13.0.85-archive/samples/a/b.cu", "extras/CUPTI/samples/a/b.cu"},
		{linux, "sanitizer", "cuda_sanitizer_api-linux-x86_64-13.0.85-archive/compute-sanitizer/compute-sanitizer", "compute-sanitizer/compute-sanitizer"},
		{linux, "cufile", "libcufile-linux-x86_64-1.15.1.6-archive/samples/x.c", "extras/cufile/samples/x.c"},
		{windows, "nvcc", "cuda_nvcc-windows-x86_64-13.0.88-archive/bin/nvcc.exe", "bin/nvcc.exe"},
		{windows, "nvvm", "libnvvm-windows-x86_64-13.0.88-archive/nvvm/bin/x64/nvvm64_40_0.dll", "nvvm/bin/x64/nvvm64_40_0.dll"},
		{windows, "cudart", "cuda_cudart-windows-x86_64-13.0.96-archive/bin/x64/cudart64_13.dll", "bin/x64/cudart64_13.dll"},
		{windows, "cudart", "cuda_cudart-windows-x86_64-13.0.96-archive/lib/x64/cuda.lib", "lib/x64/cuda.lib"},
		{windows, "cudart", "cuda_cudart-windows-x86_64-13.0.96-archive/include/cuda.h", "include/cuda.h"},
		{windows, "cupti", "cuda_cupti-windows-x86_64-13.0.85-archive/lib/cupti.lib", "extras/CUPTI/lib64/cupti.lib"},
		{windows, "cupti", "cuda_cupti-windows-x86_64-13.0.85-archive/include/cupti.h", "extras/CUPTI/include/cupti.h"},
		{windows, "visual_studio_integration", "visual_studio_integration-windows-x86_64-13.0.85-archive/a/b.props", "extras/visual_studio_integration/a/b.props"},
	} {
		layout := resolve.LayoutOf(resolve.Plan{Source: "redist", Release: "13.0.2", Platform: tt.p}, resolve.Parcel{Component: tt.component})
		if got, ok := layout.Place(tt.name); !ok || got != tt.want {
			t.Errorf("%s on %s goes to %q (%t), want %q", tt.name, tt.p, got, ok, tt.want)
		}
	}
}

// TestNamesAreReal: every name of the table stands in a list, but for those that came after the last one that was read.
func TestNamesAreReal(t *testing.T) {
	seen := map[string]bool{"cccl": true, "cuda_tileiras": true}
	files, _ := filepath.Glob(filepath.Join(lists, "*.json"))
	more, _ := filepath.Glob(filepath.Join(lists, "cudnn", "*.json"))
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var top map[string]any
		if err := json.Unmarshal(text, &top); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for name := range top {
			seen[name] = true
		}
	}
	for _, row := range data.SourceOf("redist").Components {
		if _, ok := data.ComponentByWord(row.Word); !ok {
			t.Errorf("%s is no word of components.toml", row.Word)
		}
		if len(row.Names) == 0 == (row.In == "") {
			t.Errorf("%s has names %v and lies in %q, want one of both", row.Word, row.Names, row.In)
		}
		for _, n := range row.Names {
			if !seen[n] {
				t.Errorf("%s stands in none of the lists", n)
			}
		}
	}
	for _, p := range resolve.Platforms {
		if data.Redist().Platforms[p.String()] == "" {
			t.Errorf("no name for %s", p)
		}
	}
}
