package emit

import (
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// msvc stands for the parts of Microsoft's C library that cudart.lib refers to.
const msvc = "unsigned long long __security_cookie;\nvoid __security_check_cookie(void) {}\nvoid __GSHandlerCheck(void) {}\n"

// TestRealWindows: programs for Windows, made by mingw here, link with NVIDIA's own cudart.lib by what is emitted, and run. The
// library is C in place of a kernel: nvcc.exe's objects are for another linker.
func TestRealWindows(t *testing.T) {
	testbed.Long(t)
	const cc = "x86_64-w64-mingw32-gcc"
	program(t, cc)
	wine := testbed.Wine(t)
	root := testbed.Toolkit(t, "win-cuda-13.0")
	dir := t.TempDir()
	out := filepath.Join(dir, "my kernels")
	put(t, filepath.Join(out, "k.c"), msvc+"int cudaRuntimeGetVersion(int *);\nint runtime_version(void) { int v = 0, e = cudaRuntimeGetVersion(&v); return e == 0 ? v : -e; }\n")
	b := Build{Project: dir, Out: out, OS: "windows", Toolkit: Toolkit{Root: root, Include: filepath.Join(root, "include"), LibDirs: []string{filepath.Join(root, "lib", "x64")}}}
	file := func(name string) string { return filepath.Join(out, name) }
	run(t, out, nil, cc, "-c", "k.c")
	run(t, out, nil, "x86_64-w64-mingw32-ar", "rcs", "kk.lib", "k.o")
	run(t, out, nil, cc, "-shared", "-o", "ks.dll", "k.o", "-Wl,--out-implib,ks.lib", "-L"+b.Toolkit.LibDirs[0], "-lcudart")
	static := Kernel{Name: "k", LinkName: "kk", Files: []File{{Kind: "static", Path: file("kk.lib")}}}
	shared := Kernel{Name: "k", LinkName: "ks", Files: []File{{Kind: "shared", Path: file("ks.dll")}}}
	says := func(t *testing.T, exe string) {
		t.Helper()
		cmd := wine.Command(t.Context(), exe)
		cmd.Env = append(cmd.Env, "WINEPATH="+wine.Windows(filepath.Join(root, "bin", "x86_64"))+";"+wine.Windows(out))
		// Under wine 8 the DLL answers 801, not supported, also when it is called directly: so it was reached.
		if got, err := cmd.Output(); strings.TrimSpace(string(got)) != "runtime -801" {
			t.Errorf("%s says %q (%v), want runtime -801", exe, got, err)
		}
	}
	for _, tt := range []struct {
		name   string
		kernel Kernel
	}{{"static", static}, {"shared", shared}} {
		b := b
		b.Kernels = []Kernel{tt.kernel}
		t.Run("cmake, "+tt.name, func(t *testing.T) {
			program(t, "cmake")
			dir := t.TempDir()
			emitted(t, "cmake", b, filepath.Join(dir, "kernels.cmake"))
			put(t, filepath.Join(dir, "main.c"), cMain)
			put(t, filepath.Join(dir, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.18)\nproject(p C)\ninclude(kernels.cmake)\nadd_executable(main main.c)\ntarget_link_libraries(main PRIVATE cupel::k)\n")
			run(t, dir, nil, "cmake", "-B", "out", "-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_C_COMPILER="+cc)
			run(t, dir, nil, "cmake", "--build", "out")
			says(t, filepath.Join(dir, "out", "main.exe"))
		})
		if tt.name == "static" {
			continue // refused
		}
		t.Run("cgo, "+tt.name, func(t *testing.T) {
			b := b
			b.Project = filepath.Join(t.TempDir(), "main")
			emitted(t, "cgo", b, filepath.Join(b.Project, "kernels.go"))
			put(t, filepath.Join(b.Project, "go.mod"), "module main\n\ngo 1.26\n")
			put(t, filepath.Join(b.Project, "main.go"), goMain)
			run(t, b.Project, []string{"CGO_ENABLED=1", "GOFLAGS=", "GOOS=windows", "GOARCH=amd64", "CC=" + cc}, "go", "build", "-o", "main.exe", ".")
			says(t, filepath.Join(b.Project, "main.exe"))
		})
	}
}
