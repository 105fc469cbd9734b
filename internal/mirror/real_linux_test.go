package mirror

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

const kernel = "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(0); }\n"

// compile runs nvcc in dir and gives back the bytes it made.
func compile(t *testing.T, nvcc, dir, log string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	cmd := exec.CommandContext(limit(t), nvcc, append(args, "-o", out, "k.cu")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), logVariable+"="+log)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return read(t, out)
}

// TestRealNvccThroughMirror: nvcc and, where asked for, its own tools are called by their shims, and what they make is what
// plain nvcc makes. A fatbin takes all of them, nvlink apart.
func TestRealNvccThroughMirror(t *testing.T) {
	all := []string{"ptxas", "cicc", "cudafe++", "fatbinary", "nvlink"}
	for _, tt := range []struct {
		part, cxx    string
		tools, kinds []string
		long         bool
	}{
		{"cuda-13.0", "g++-12", all, []string{"-fatbin"}, false},
		{"cuda-13.0", "g++-12", []string{"ptxas"}, nil, false},
		{"cuda-13.0", "g++-12", nil, []string{"-cubin"}, true},
		{"cuda-11.8", "g++-11", all, []string{"-ptx", "-cubin", "-fatbin"}, true},
		{"cuda-12.4", "g++-12", all, []string{"-ptx", "-cubin", "-fatbin"}, true},
		{"cuda-13.4", "g++-12", all, []string{"-ptx", "-cubin", "-fatbin"}, true},
	} {
		t.Run(tt.part+" "+strings.Join(tt.tools, " "), func(t *testing.T) {
			if tt.long {
				testbed.Long(t)
			}
			root := testbed.Toolkit(t, tt.part)
			dir := t.TempDir()
			p, log := mirrorOf(t, root, t.TempDir(), Options{Tools: tt.tools}), filepath.Join(dir, "log")
			write(t, filepath.Join(dir, "k.cu"), kernel)
			plain := filepath.Join(root, "bin", "nvcc")
			for _, kind := range tt.kinds {
				args := []string{kind, "-arch=sm_80", "-ccbin", tt.cxx}
				if got, want := compile(t, p.Nvcc, dir, log, args...), compile(t, plain, dir, log, args...); got != want {
					t.Errorf("%s: %d bytes through the mirror differ from the %d of plain nvcc", kind, len(got), len(want))
				}
			}
			compile(t, p.Nvcc, dir, log, "-arch=sm_80", "-rdc=true", "-c", "-ccbin", tt.cxx)
			compile(t, p.Nvcc, dir, log, "-arch=sm_80", "-dlink", "-ccbin", tt.cxx) // crt/link.stub beside the inner nvcc
			got := calls(t, log)
			for _, tool := range append([]string{"nvcc"}, tt.tools...) {
				if got[tool] == 0 {
					t.Errorf("%s was never called by its shim: %v", tool, got)
				}
			}
			if got["nvcc"] != len(tt.kinds)+2 || len(got) != 1+len(tt.tools) {
				t.Errorf("calls %v, want nvcc %d times and %v", got, len(tt.kinds)+2, tt.tools)
			}
		})
	}
}

// TestHostCompilersThroughMirror: nvcc takes the host compiler by its shim, by name and by variable.
func TestHostCompilersThroughMirror(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-13.0")
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	p := mirrorOf(t, root, t.TempDir(), Options{Tools: []string{"g++"}})
	write(t, filepath.Join(dir, "k.cu"), kernel)
	cmd := exec.CommandContext(limit(t), p.Nvcc, "-c", "-arch=sm_80", "k.cu")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), logVariable+"="+log, "PATH="+strings.Join(p.path, ":")+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := calls(t, log); got["gcc"] < 3 || got["nvcc"] != 1 {
		t.Errorf("calls %v, want gcc for both passes and the object", got)
	}
}
