package emit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// kernelSource asks the runtime for its version, which works without a GPU, and has a kernel that a program could launch. Its
// new needs the C++ library, and its ceil the one for arithmetic, which no compiler of C links by itself.
const kernelSource = `
#include <cmath>
__device__ int twice(int x);
extern "C" __global__ void doubled(int *p) { p[threadIdx.x] = twice(p[threadIdx.x]); }
__device__ int twice(int x) { return 2 * x; }
extern "C" int launch(int *p) { doubled<<<1, 32>>>(p); return (int)cudaGetLastError(); }
extern "C" int blocks(double n) { return (int)std::ceil(std::pow(n, 1.5) / 256); }
int *where() { return new int(0); }
extern "C" int runtime_version(void) { int *v = where(); return cudaRuntimeGetVersion(v) == cudaSuccess ? *v : -1; }
`

// compiled is a kernel made by plain nvcc, in a folder with a blank: static library and PTX.
func compiled(t *testing.T, part string, rdc bool) Build {
	t.Helper()
	root := testbed.Toolkit(t, part)
	project := filepath.Join(t.TempDir(), "my project")
	out := filepath.Join(project, "build", "cupel", "k")
	put(t, filepath.Join(project, "k.cu"), kernelSource)
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	nvcc := func(args ...string) {
		run(t, project, nil, append([]string{filepath.Join(root, "bin", "nvcc"), "-arch=sm_80"}, args...)...)
	}
	in := func(name string) string { return filepath.Join(out, name) }
	objects := []string{in("k.o")}
	if rdc {
		nvcc("-rdc=true", "-Xcompiler", "-fPIC", "-c", "-o", in("k.o"), "k.cu")
		nvcc("-dlink", "-Xcompiler", "-fPIC", "-L", filepath.Join(root, "lib"), "-o", in("link.o"), in("k.o"))
		objects = append(objects, in("link.o"))
	} else {
		nvcc("-Xcompiler", "-fPIC", "-c", "-o", in("k.o"), "k.cu")
	}
	nvcc(append([]string{"-lib", "-o", in("libkk.a")}, objects...)...)
	nvcc("-ptx", "-o", in("k.ptx"), "k.cu")
	libs := filepath.Join(root, "lib64")
	if _, err := os.Stat(libs); err != nil {
		libs = filepath.Join(root, "lib") // pip's
	}
	return Build{Project: project, Out: filepath.Dir(out), OS: "linux",
		Toolkit:   Toolkit{Root: root, Include: filepath.Join(root, "include"), LibDirs: []string{libs}},
		Inputs:    []string{filepath.Join(project, "k.cu")},
		Variables: []string{"CUPEL_TOOLKIT"},
		Kernels: []Kernel{{Name: "k", LinkName: "kk", RDC: rdc, Files: []File{
			{Kind: "ptx", Path: in("k.ptx"), Source: "k.cu", Arch: "compute_80"}, {Kind: "static", Path: in("libkk.a")}}}}}
}

// shared is the build with a shared library instead, beside the static one.
func shared(t *testing.T, b Build) Build {
	t.Helper()
	file := filepath.Join(b.Out, "k", "libkk.so")
	run(t, b.Project, nil, filepath.Join(b.Toolkit.Root, "bin", "nvcc"), "-arch=sm_80", "-shared", "-o", file, filepath.Join(b.Out, "k", "k.o"))
	b.Kernels = []Kernel{{Name: "k", LinkName: "kk", Files: []File{{Kind: "shared", Path: file}}}}
	return b
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a program that must succeed and returns what it says on standard output.
func run(t *testing.T, dir string, env []string, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(argv, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// emitted writes a format's answer into a file.
func emitted(t *testing.T, format string, b Build, file string) {
	t.Helper()
	text, err := Write(format, b)
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, string(text))
}

// program skips where a program is not installed.
func program(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed here", name)
	}
}

const cMain = `#include <stdio.h>
#ifdef __cplusplus
extern "C"
#endif
int runtime_version(void);
int main(void) { printf("runtime %d\n", runtime_version()); return 0; }
`

const goMain = "package main\n\n// int runtime_version(void);\nimport \"C\"\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"runtime\", C.runtime_version()) }\n"

const wantVersion = "runtime 12040\n"

// TestReal: real build systems link the kernel by what is emitted for them, and the program runs.
func TestReal(t *testing.T) {
	plain := compiled(t, "cuda-12.4", false)
	for _, tt := range []struct {
		name string
		long bool
		try  func(t *testing.T)
	}{
		{"cargo", false, func(t *testing.T) { crate(t, plain, wantVersion) }},
		{"pkg-config", false, func(t *testing.T) { pkgConfigured(t, plain) }},
		{"cmake", false, func(t *testing.T) { cmakeProject(t, plain, "CXX", "") }},
		{"cmake with CUDAToolkit", true, func(t *testing.T) { cmakeProject(t, plain, "CXX", "find_package(CUDAToolkit REQUIRED)") }},
		{"cmake, objects", true, func(t *testing.T) { cmakeObjects(t, compiled(t, "cuda-12.4", true)) }},
		{"cmake in C", true, func(t *testing.T) { cmakeProject(t, plain, "C", "") }},
		{"cgo", true, func(t *testing.T) { goProgram(t, plain) }},
		{"cmake, shared", true, func(t *testing.T) { cmakeProject(t, shared(t, plain), "CXX", "") }},
		{"cgo, shared", true, func(t *testing.T) { goProgram(t, shared(t, plain)) }},
		{"cargo, relocatable", true, func(t *testing.T) { crate(t, compiled(t, "cuda-12.4", true), wantVersion) }},
		{"cargo, 13.0", true, func(t *testing.T) { crate(t, compiled(t, "cuda-13.0", true), "runtime 13000\n") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				testbed.Long(t)
			}
			tt.try(t)
		})
	}
}

// crate: its build.rs prints the lines, and it has the PTX by both ways.
func crate(t *testing.T, b Build, want string) {
	t.Helper()
	program(t, "cargo")
	in := func(name string) string { return filepath.Join(b.Project, name) }
	emitted(t, "cargo", b, in("lines.txt"))
	emitted(t, "rust", b, in("src/kernels.rs"))
	put(t, in("Cargo.toml"), "[package]\nname = \"c\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
	put(t, in("build.rs"), `fn main() { print!("{}", include_str!("lines.txt")); }`)
	put(t, in("src/main.rs"), `mod kernels { include!("kernels.rs"); }
extern "C" { fn runtime_version() -> i32; }
fn main() {
    assert!(kernels::K.contains(".entry doubled"));
    assert_eq!(std::fs::read_to_string(env!("K_PTX")).unwrap(), kernels::K);
    println!("runtime {}", unsafe { runtime_version() });
}
`)
	env := []string{"CARGO_TARGET_DIR=" + in("target"), "RUSTFLAGS=", "RUSTC_WRAPPER="}
	if got := run(t, b.Project, env, "cargo", "run", "--offline", "-q"); got != want {
		t.Errorf("the program says %q, want %q", got, want)
	}
	again := exec.Command("cargo", "build", "--offline", "-v")
	again.Dir, again.Env = b.Project, append(os.Environ(), env...)
	if out, err := again.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("Fresh c ")) {
		t.Errorf("the second build: %v\n%s", err, out)
	}
	put(t, in("k.cu"), kernelSource+"\n")
	again = exec.Command("cargo", "build", "--offline", "-v")
	again.Dir, again.Env = b.Project, append(os.Environ(), env...)
	if out, err := again.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("Dirty c ")) || !bytes.Contains(out, []byte("k.cu")) {
		t.Errorf("the build after a change of k.cu: %v\n%s", err, out)
	}
}

// cmakeProject includes the file, twice, and links cupel::k.
func cmakeProject(t *testing.T, b Build, language, before string) {
	t.Helper()
	program(t, "cmake")
	dir := t.TempDir()
	emitted(t, "cmake", b, filepath.Join(dir, "kernels.cmake"))
	source := "main." + map[string]string{"CXX": "cc", "C": "c"}[language]
	put(t, filepath.Join(dir, source), cMain)
	put(t, filepath.Join(dir, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.18)\nproject(p "+language+")\n"+before+
		"\ninclude(kernels.cmake)\ninclude(kernels.cmake)\nadd_executable(main "+source+")\ntarget_link_libraries(main PRIVATE cupel::k)\n")
	bin := filepath.Join(dir, "out")
	run(t, dir, nil, "cmake", "-S", ".", "-B", bin, "-DCUDAToolkit_ROOT="+b.Toolkit.Root)
	run(t, dir, nil, "cmake", "--build", bin)
	if got := run(t, dir, nil, filepath.Join(bin, "main")); got != wantVersion {
		t.Errorf("the program says %q, want %q", got, wantVersion)
	}
}

// cmakeObjects links the list of objects with what a host compiler needs for them.
func cmakeObjects(t *testing.T, b Build) {
	t.Helper()
	program(t, "cmake")
	out := filepath.Join(b.Out, "k")
	b.Kernels[0].Files = []File{{Kind: "object", Path: filepath.Join(out, "k.o")}, {Kind: "device-link", Path: filepath.Join(out, "link.o")}}
	dir := t.TempDir()
	emitted(t, "cmake", b, filepath.Join(dir, "kernels.cmake"))
	put(t, filepath.Join(dir, "main.cc"), cMain)
	put(t, filepath.Join(dir, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.18)\nproject(p CXX)\ninclude(kernels.cmake)\nadd_executable(main main.cc ${CUPEL_K_OBJECT})\n"+
		"target_link_directories(main PRIVATE \""+b.Toolkit.LibDirs[0]+"\")\ntarget_link_libraries(main PRIVATE cudadevrt cudart_static rt pthread dl)\n")
	bin := filepath.Join(dir, "out")
	run(t, dir, nil, "cmake", "-S", ".", "-B", bin)
	run(t, dir, nil, "cmake", "--build", bin)
	if got := run(t, dir, nil, filepath.Join(bin, "main")); got != wantVersion {
		t.Errorf("the program says %q, want %q", got, wantVersion)
	}
}

// goProgram has the file beside its own.
func goProgram(t *testing.T, b Build) {
	t.Helper()
	b.Project = filepath.Join(t.TempDir(), "main")
	emitted(t, "cgo", b, filepath.Join(b.Project, "kernels.go"))
	put(t, filepath.Join(b.Project, "go.mod"), "module main\n\ngo 1.26\n")
	put(t, filepath.Join(b.Project, "main.go"), goMain)
	if got := run(t, b.Project, []string{"CGO_ENABLED=1", "GOFLAGS=", "GOOS=", "GOARCH="}, "go", "run", "."); got != wantVersion {
		t.Errorf("the program says %q, want %q", got, wantVersion)
	}
}

// TestRealCgoArchive: Go links anew when only the archive has changed.
func TestRealCgoArchive(t *testing.T) {
	program(t, "cc")
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module main\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "main.go"), "package main\n\n// int answer(void);\nimport \"C\"\n\nfunc main() { println(C.answer()) }\n")
	b := libraryIn(dir)
	b.Package, b.Toolkit = "main", Toolkit{}
	for _, answer := range []string{"1", "2", "2"} {
		put(t, filepath.Join(dir, "out", "k.c"), "int answer(void) { return "+answer+"; }\n")
		run(t, dir, nil, "cc", "-c", "-o", "out/k.o", "out/k.c")
		run(t, dir, nil, "ar", "rcsD", "libk.a", "out/k.o")
		archive, err := os.ReadFile(filepath.Join(dir, "libk.a"))
		if err != nil {
			t.Fatal(err)
		}
		b.Kernels[0].Files[0].Digest = fmt.Sprintf("%x", sha256.Sum256(archive))
		emitted(t, "cgo", b, filepath.Join(dir, "kernels.go"))
		run(t, dir, []string{"CGO_ENABLED=1", "GOFLAGS=", "GOOS=", "GOARCH="}, "go", "build", "-o", "main", ".")
		if got := run(t, dir, nil, "sh", "-c", "./main 2>&1"); got != answer+"\n" {
			t.Errorf("the program says %q, want %q", got, answer)
		}
	}
}

// pkgConfigured: pkg-config takes the file, and gcc what it says of it.
func pkgConfigured(t *testing.T, b Build) {
	t.Helper()
	program(t, "pkg-config")
	dir := t.TempDir()
	emitted(t, "pkg-config", b, filepath.Join(dir, "kernels.pc"))
	put(t, filepath.Join(dir, "main.c"), cMain)
	env := []string{"PKG_CONFIG_PATH=" + dir}
	run(t, dir, env, "pkg-config", "--validate", "kernels")
	// A shell reads the words as it does in a Makefile.
	run(t, dir, env, "sh", "-c", `eval "gcc -o main main.c $(pkg-config --cflags --libs kernels)"`)
	if got := run(t, dir, nil, filepath.Join(dir, "main")); got != wantVersion {
		t.Errorf("the program says %q, want %q", got, wantVersion)
	}
}
