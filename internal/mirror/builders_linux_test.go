package mirror

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/testbed"
)

// redirected is the environment of a command under exec, on a machine that has nothing but a toolkit and the system's PATH.
func redirected(t *testing.T, part string) (Plan, []string, string) {
	t.Helper()
	root := testbed.Toolkit(t, part)
	m, k := toolkitAt(t, root)
	m.Compilers = []fact.Compiler{{Family: "gcc", Path: "/usr/bin/g++-12", Version: fact.Of("12.2.0", "test"), Cxx: true}}
	set := environ.For(m, k, environ.Options{Compiler: &m.Compilers[0]})
	p := mirrorOf(t, root, t.TempDir(), Options{Set: set})
	log := filepath.Join(t.TempDir(), "log")
	env := p.Redirect(set).Apply(map[string]string{"PATH": "/usr/bin:/bin", "HOME": t.TempDir(), logVariable: log})
	var out []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return p, out, log
}

// TestCratesTakeTheMirror: the crates' own search, compiled from their published code, finds the mirror's nvcc, headers and
// libraries, also for pip's layout, which has no lib64.
func TestCratesTakeTheMirror(t *testing.T) {
	for _, tool := range []string{"cargo", "rustc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed: the crates' own code cannot be compiled")
		}
	}
	built := filepath.Join(testbed.Dir(), "consumers")
	if out, err := exec.CommandContext(limit(t), filepath.Join("..", "consumer", "testdata", "harness", "build"), built).CombinedOutput(); err != nil {
		t.Fatalf("build the harness: %v\n%s", err, out)
	}
	for _, part := range []string{"cuda-12.4", "cuda-13.0"} {
		p, env, _ := redirected(t, part)
		for _, tt := range []struct {
			name string
			argv []string
			want []string // lines of its output; $M is the mirror
		}{
			{"cudaforge", []string{"detect", "cudaforge"}, []string{"nvcc=$M/bin/nvcc", "include=$M/include", "lib=$M/lib64"}},
			{"find_cuda_helper", []string{"detect", "find_cuda_helper-0.2"}, []string{"cargo:rustc-link-search=native=$M/lib64"}},
			{"cudarc", []string{"cudarc-0.19.10-12040"}, []string{"cargo:rustc-link-search=native=$M/lib64"}},
		} {
			t.Run(part+" "+tt.name, func(t *testing.T) {
				cmd := exec.CommandContext(limit(t), filepath.Join(built, "bin", tt.argv[0]), tt.argv[1:]...)
				cmd.Env = env
				out, err := cmd.CombinedOutput()
				lines := strings.Split(string(out), "\n")
				for _, want := range tt.want {
					if !slices.Contains(lines, strings.ReplaceAll(want, "$M", p.Dir)) {
						t.Errorf("%v: no line %q in\n%s", err, want, out)
					}
				}
				if i := slices.IndexFunc(p.Links, func(l Link) bool { return l.At == "lib64" }); i < 0 {
					t.Error("the mirror has no lib64")
				} else if _, err := os.Stat(filepath.Join(p.Dir, "lib64", "libcudart_static.a")); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

const cmakeProject = `cmake_minimum_required(VERSION 3.20)
project(x LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
message("nvcc=${CMAKE_CUDA_COMPILER}")
message("id=${CMAKE_CUDA_COMPILER_ID}")
message("root=${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}")
message("host=${CMAKE_CUDA_HOST_COMPILER}")
add_library(k STATIC k.cu)
`

// TestCMakeTakesTheMirror: CMake's own tests of the compiler pass through the shim, and each compile is one call of it. CMake
// asks nvcc itself where the toolkit is, so what it links lies in the real root.
func TestCMakeTakesTheMirror(t *testing.T) {
	for _, tool := range []string{"cmake", "ninja", "g++-12"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	p, env, log := redirected(t, "cuda-12.4")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "CMakeLists.txt"), cmakeProject)
	write(t, filepath.Join(dir, "k.cu"), kernel)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(limit(t), "cmake", args...)
		cmd.Env = append(env, "CUDAARCHS=80")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("cmake %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	build := filepath.Join(dir, "b")
	out := run("-G", "Ninja", "-S", dir, "-B", build)
	for _, want := range []string{"nvcc=" + p.Nvcc, "id=NVIDIA", "root=" + p.Root, "host=/usr/bin/g++-12"} {
		if !slices.Contains(strings.Split(out, "\n"), want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
	if got := calls(t, log); got["nvcc"] == 0 {
		t.Error("CMake's tests of the compiler did not go through the shim")
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	run("--build", build)
	if got := calls(t, log); got["nvcc"] != 1 {
		t.Errorf("one file: %d calls of nvcc, want 1", got["nvcc"])
	}
}
