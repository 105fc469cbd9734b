package stub_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupel/internal/stub"
	"cupel/internal/testbed"
)

// driver writes the stub of a release into a folder, as libcuda.so and under its soname.
func driver(t *testing.T, release, machine string) (dir string, l stub.Library) {
	t.Helper()
	l, err := stub.Driver(release, machine)
	if err != nil {
		t.Fatal(err)
	}
	b, err := stub.ELF(l)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, name := range []string{"libcuda.so", l.Soname} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir, l
}

func program(t *testing.T, name string) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the stub for Linux x86_64 is run on Linux x86_64")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed here", name)
	}
	return path
}

// quiet runs a program that must succeed and complain about nothing, and returns what it printed.
func quiet(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// TestEverySymbolAnswers: the machine's own loader finds every function, and each returns the stub's error.
func TestEverySymbolAnswers(t *testing.T) {
	python := program(t, "python3")
	dir, l := driver(t, "13.4", "amd64")
	const code = `import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
print(sorted({getattr(lib, name)() for name in sys.stdin.read().split()}), hasattr(lib, "cuNotThere"))`
	cmd := exec.Command(python, "-c", code, filepath.Join(dir, "libcuda.so"))
	cmd.Stdin = strings.NewReader(strings.Join(l.Symbols, "\n"))
	out, err := cmd.CombinedOutput()
	if got, want := strings.TrimSpace(string(out)), "[34] False"; err != nil || got != want {
		t.Errorf("answers of %d functions: %s, %v, want %s", len(l.Symbols), got, err, want)
	}
}

const source = `#include <stdio.h>
extern int cuInit(unsigned);
extern int cuMemAlloc_v2(void **, unsigned long);
int main(void) { printf("%d %d\n", cuInit(0), cuMemAlloc_v2(0, 0)); return 0; }
`

// TestLinks: every linker that is here links a program against the stub, with warnings as errors, and the program runs.
func TestLinks(t *testing.T) {
	gcc := program(t, "gcc")
	dir, _ := driver(t, "13.0", "amd64")
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, linker := range []string{"bfd", "gold", "lld"} {
		t.Run(linker, func(t *testing.T) {
			if _, err := exec.LookPath("ld." + linker); err != nil {
				t.Skipf("ld.%s is not installed here", linker)
			}
			exe := filepath.Join(t.TempDir(), "p")
			quiet(t, gcc, "-fuse-ld="+linker, "-Wl,--fatal-warnings", "-Wl,-z,defs", file, "-L"+dir, "-lcuda", "-Wl,-rpath,"+dir, "-o", exe)
			if got := quiet(t, exe); got != "34 34\n" {
				t.Errorf("the program prints %q, want 34 34", got)
			}
		})
	}
}

// TestTools: the tools that look into libraries have nothing to complain about.
func TestTools(t *testing.T) {
	for _, machine := range []string{"amd64", "arm64"} {
		for _, tool := range [][]string{{"readelf", "-aW"}, {"nm", "-D"}} {
			t.Run(machine+" "+tool[0], func(t *testing.T) {
				path := program(t, tool[0])
				dir, _ := driver(t, "13.0", machine)
				if out := quiet(t, path, append(tool[1:], filepath.Join(dir, "libcuda.so"))...); !strings.Contains(out, "cuInit") || strings.Contains(out, "arning") {
					t.Errorf("%q prints\n%s", tool, out)
				}
			})
		}
	}
}

// TestNvccLinks: the real compiler of a toolkit that brings no stub links a program of the driver API with ours, also with
// a default stream for each thread, which has symbols of its own.
func TestNvccLinks(t *testing.T) {
	testbed.Long(t)
	program(t, "gcc")
	root := testbed.Toolkit(t, "cuda-13.0")
	stubs, _ := driver(t, "13.0", "amd64")
	dir := t.TempDir()
	file := filepath.Join(dir, "p.cu")
	const text = `#include <cuda.h>
#include <cstdio>
__global__ void kernel(float *x) { x[threadIdx.x] = 1; }
int main() { int v; CUdeviceptr p; std::printf("%d %d %d %d\n", cuInit(0), cuDriverGetVersion(&v), cuMemAlloc(&p, 4), cuMemcpyHtoD(p, &v, 4)); }
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, stream := range []string{"legacy", "per-thread"} {
		exe := filepath.Join(dir, stream)
		quiet(t, filepath.Join(root, "bin", "nvcc"), "-arch=sm_80", "--default-stream", stream, file, "-L"+filepath.Join(root, "lib"), "-L"+stubs, "-lcuda", "-Xlinker", "-rpath="+stubs, "-o", exe)
		if got := quiet(t, exe); got != "34 34 34 34\n" {
			t.Errorf("default stream %s: the program prints %q, want 34 four times", stream, got)
		}
	}
}

// TestAsRealStub compares the names with those of NVIDIA's own stubs.
func TestAsRealStub(t *testing.T) {
	for _, tt := range []struct{ release, part string }{{"11.8", "cuda-11.8"}, {"12.4", "cuda-12.4"}} {
		t.Run(tt.release, func(t *testing.T) {
			f, err := elf.Open(filepath.Join(testbed.Toolkit(t, tt.part), "lib64", "stubs", "libcuda.so"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			symbols, err := f.DynamicSymbols()
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, s := range symbols {
				want = append(want, s.Name)
			}
			slices.Sort(want)
			_, l := driver(t, tt.release, "amd64")
			if !slices.Equal(l.Symbols, want) {
				t.Errorf("CUDA %s: %d names, the real stub has %d\nmissing %v\ntoo many %v", tt.release, len(l.Symbols), len(want), less(want, l.Symbols), less(l.Symbols, want))
			}
		})
	}
}

func less(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
