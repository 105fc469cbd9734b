package choose

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

const kernel = "__global__ void k(float *x) { *x = 1; }\n"

// folder holds sources for one test.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func nvcc(t *testing.T, root, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(limit(t), filepath.Join(root, "bin", "nvcc"), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func repaired(t *testing.T, m fact.Machine, release string, wanted string, args ...string) []string {
	t.Helper()
	p, _, err := For(m, toolkit(release), nil, []string{wanted})
	if err != nil {
		t.Fatal(err)
	}
	out, changes := p.Apply("nvcc", args)
	if len(changes) == 0 {
		t.Fatalf("%q was not repaired", args)
	}
	return out
}

// TestRealArch: nvcc refuses the call, takes the repaired one, and the result holds the PTX that was promised.
func TestRealArch(t *testing.T) {
	for _, tt := range []struct{ name, part, release, args, message, ptx string }{
		{"12.4, -arch", "cuda-12.4", "12.4.1", "-arch=sm_120", "'sm_120' is not defined", ".target sm_90"},
		{"12.4, gencodes", "cuda-12.4", "12.4.1", "-gencode arch=compute_80,code=sm_80 --generate-code=arch=compute_120,code=[compute_120,sm_120]", "compute_120", ".target sm_90"},
		{"12.4, cudaforge's own", "cuda-12.4", "12.4.1", "-gencode=arch=compute_120a,code=sm_120a", "compute_120a", ".target sm_90"},
		{"12.4, codes", "cuda-12.4", "12.4.1", "-arch=compute_80 -code=sm_80,sm_120", "'sm_120'", ".target sm_80"},
		{"13.0, of no table", "cuda-13.0", "13.0.2", "-arch sm_130", "'sm_130'", ".target sm_121"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := testbed.Toolkit(t, tt.part)
			dir := folder(t, map[string]string{"k.cu": kernel})
			args := append(strings.Fields(tt.args), "-fatbin", "--no-compress", "-o", "k.fatbin", "k.cu")
			if out, err := nvcc(t, root, dir, args...); err == nil || !strings.Contains(out, tt.message) {
				t.Fatalf("nvcc %q: %v\n%s\nwant it to refuse %s", args, err, out, tt.message)
			}
			args = repaired(t, linux(), tt.release, "arch", args...)
			if out, err := nvcc(t, root, dir, args...); err != nil {
				t.Fatalf("nvcc %q: %v\n%s", args, err, out)
			}
			if b, err := os.ReadFile(filepath.Join(dir, "k.fatbin")); err != nil || !bytes.Contains(b, []byte(tt.ptx)) {
				t.Errorf("the result of %q has no %s (%v)", args, tt.ptx, err)
			}
		})
	}
}

// TestRealArchLinks: a whole program, device-linked, is made of PTX alone too.
func TestRealArchLinks(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	dir := folder(t, map[string]string{"m.cu": kernel + "int main() { k<<<1, 1>>>(nullptr); }\n"})
	for _, call := range []string{"-rdc=true -arch=sm_120 -c -o m.o m.cu", "-arch=sm_120 -dlink -o d.o m.o", "-arch=sm_120 -o m m.o"} {
		args := repaired(t, linux(), "12.4.1", "arch", strings.Fields(call)...)
		if out, err := nvcc(t, root, dir, args...); err != nil {
			t.Fatalf("nvcc %q: %v\n%s", args, err, out)
		}
	}
}

// TestRealHostCompiler: 11.8 refuses gcc 12, by default and by name, and takes what is named instead.
func TestRealHostCompiler(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-11.8")
	dir := folder(t, map[string]string{"k.cu": kernel})
	m := linux(gxx("g++", "12.2.0", true), gxx("g++-12", "12.2.0", false), gxx("g++-11", "11.3.0", false))
	for _, call := range []string{"-c k.cu", "-ccbin g++-12 -c k.cu", "-ccbin=/usr/bin -c k.cu"} {
		args := strings.Fields(call)
		if out, err := nvcc(t, root, dir, args...); err == nil || !strings.Contains(out, "unsupported GNU version") {
			t.Fatalf("nvcc %q: %v\n%s\nwant gcc 12 refused", args, err, out)
		}
		args = repaired(t, m, "11.8.0", "host-compiler", args...)
		if out, err := nvcc(t, root, dir, args...); err != nil || out != "" {
			t.Errorf("nvcc %q: %v\n%s", args, err, out)
		}
	}
}

// TestRealPreprocessorBound holds the table against the headers themselves.
func TestRealPreprocessorBound(t *testing.T) {
	first := version.V{}
	for _, r := range data.Mends() {
		if r.Name == "zc-preprocessor" {
			first, _ = version.Parse(r.First)
		}
	}
	for _, part := range []string{"cuda-13.1", "cuda-13.2", "cuda-13.3", "cuda-13.4", "win-cuda-13.0", "win-cuda-13.4"} {
		t.Run(part, func(t *testing.T) {
			path := filepath.Join(testbed.Toolkit(t, part), "include", "cccl", "cuda", "std", "__cccl", "preprocessor.h")
			b, err := os.ReadFile(path)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			release, _ := version.Parse(part[strings.LastIndex(part, "-")+1:])
			stops := bytes.Contains(b, []byte("error \\\nMSVC/cl.exe with traditional preprocessor"))
			if want := release.AtLeast(first); stops != want {
				t.Errorf("the header stops: %t, the table says %t\n%s", stops, want, b)
			}
		})
	}
}
