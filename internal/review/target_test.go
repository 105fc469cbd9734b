package review_test

import (
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/review"
)

// TestTargets: calls are counted for what they are for.
func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		name, dir, args string
		env             map[string]string
		os, want        string // want is empty: it counts for nothing
	}{
		{"cargo build script", "/c/candle-kernels", "-ptx src/a.cu", map[string]string{"CARGO_PKG_NAME": "candle-kernels", "CARGO_PKG_VERSION": "0.9.1"}, "linux", "candle-kernels 0.9.1"},
		{"CMake object", "/p/build", "-c ../k.cu -o CMakeFiles/kern.dir/k.cu.o", nil, "linux", "kern"},
		{"CMake object of a folder below", "/p/build", "-c ../k.cu -o lib/CMakeFiles/kern.dir/src/k.cu.o", nil, "linux", "kern"},
		{"CMake link", "/p/build", "CMakeFiles/app.dir/main.cu.o -o app", nil, "linux", "app"},
		{"CMake under Windows", `C:\p\build`, `-c ..\k.cu -o CMakeFiles\kern.dir\k.cu.obj`, nil, "windows", "kern"},
		{"CMake's compiler test", "/p/build/CMakeFiles/3.25.1/CompilerIdCUDA", "CMakeCUDACompilerId.cu", nil, "linux", ""},
		{"CMake's try_compile", "/p/build/CMakeFiles/CMakeScratch/TryCompile-x", "-c main.cu -o CMakeFiles/cmTC_1.dir/main.cu.o", nil, "linux", ""},
		{"CMake's try_compile in a cargo build", "/t/out/build/CMakeFiles/CMakeScratch/TryCompile-x", "-c main.cu -o x.o", map[string]string{"CARGO_PKG_NAME": "llama"}, "linux", ""},
		{"CMake asks for folders", "/p", "-v __cmake_determine_cuda", nil, "linux", ""},
		{"CMake's device link", "/p/b", "-Xcompiler=-fPIC -shared -dlink CMakeFiles/app.dir/main.cu.o -o CMakeFiles/app.dir/cmake_device_link.o libkern.a -lcudadevrt", nil, "linux", "app"},
		{"CMake's object with a file of dependencies", "/p/b", "-forward-unknown-to-host-compiler --generate-code=arch=compute_80,code=[compute_80,sm_80] -std=c++17 -MD -MT CMakeFiles/kern.dir/sub/k.cu.o -MF CMakeFiles/kern.dir/sub/k.cu.o.d -x cu -rdc=true -c /p/sub/k.cu -o CMakeFiles/kern.dir/sub/k.cu.o", nil, "linux", "kern"},
		{"Meson's compiler test", "/p/build/meson-private", "sanity_check_for_cuda.cu -o sanity_check_for_cuda.exe", nil, "linux", ""},
		{"a test of configure", "/p", "-c conftest.cu -o conftest.o", nil, "linux", ""},
		{"setuptools", "/w/ext", "-c csrc/k.cu -o build/temp.linux-x86_64-cpython-311/csrc/k.o", nil, "linux", "ext (setuptools)"},
		{"a torch extension with Ninja", "/w/ext/build/temp.linux-x86_64-cpython-311", "-c /w/ext/csrc/k.cu -o /w/ext/build/temp.linux-x86_64-cpython-311/csrc/k.o", nil, "linux", "ext (setuptools)"},
		{"a folder below the run", "/p/src", "-c kernels/k.cu -o k.o", nil, "linux", "src/kernels"},
		{"the run's own folder", "/p", "-c k.cu -o k.o", nil, "linux", "."},
		{"elsewhere", "/p", "-c /x/y/k.cu -o k.o", nil, "linux", "/x/y"},
		{"a question", "/p", "--version", nil, "linux", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := run(t, 0, "make")
			m.in.Run.OS = tt.os
			c := m.nvcc(strings.Fields(tt.args)...)
			c.Begin.Dir, c.Begin.Env.Set = tt.dir, tt.env
			var got string
			for _, target := range m.judge().Targets {
				got += target.Name
			}
			if got != tt.want {
				t.Errorf("%s in %s is for %q, want %q", tt.args, tt.dir, got, tt.want)
			}
		})
	}
}

// TestTotal: what nvcc does for itself and what a build tool tries is not counted as compiling.
func TestTotal(t *testing.T) {
	m := run(t, 2, "make")
	m.nvcc("--version")
	m.nvcc("-c", "a.cu", "-o", "a.o")
	bad(m.nvcc("-c", "b.cu", "-o", "b.o"), 2, syntax)
	inner := m.nvcc("-arch", "sm_80", "x.ptx")
	inner.Begin.Tool = "ptxas"
	m.nvcc("-c", "main.cu").Begin.Dir = "/p/CMakeFiles/CMakeScratch/TryCompile-1"
	m.nvcc("-c", "c.cu").End = nil
	m.nvcc("-c", "d.cu").End.Cache = call.CacheHit
	m.nvcc("-c", "e.cu").End.Cache = "miss new"
	m.in.Run.End.PassedBy = []call.Process{{Path: "/usr/local/cuda/bin/nvcc"}}
	want := review.Total{Calls: 8, Compiles: 5, Checks: 1, Others: 1, Failed: 1, Unfinished: 1, PassedBy: 1, Cached: 1, Seconds: 12, Peak: 8 << 20}
	a := m.judge()
	if a.Total != want {
		t.Errorf("total %+v, want %+v", a.Total, want)
	}
	if len(a.Targets) != 1 || a.Targets[0] != (review.Target{Name: ".", Calls: 5, Failed: 1, Seconds: 8}) {
		t.Errorf("targets %+v", a.Targets)
	}
}
