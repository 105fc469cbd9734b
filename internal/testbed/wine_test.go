//go:build linux

package testbed

import (
	"bytes"
	"context"
	"debug/pe"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPathsOfPrefix(t *testing.T) {
	p := Prefix{Path: "/bed/wine/prefix"}
	for _, tt := range []struct{ name, linux, windows string }{
		{"inside drive C", "/bed/wine/prefix/drive_c/Program Files/x", `C:\Program Files\x`},
		{"elsewhere", "/tmp/a b/k.cu", `Z:\tmp\a b\k.cu`},
		{"a folder that only begins like drive C", "/bed/wine/prefix/drive_cc/x", `Z:\bed\wine\prefix\drive_cc\x`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Windows(tt.linux); got != tt.windows {
				t.Errorf("Windows(%q) = %q, want %q", tt.linux, got, tt.windows)
			}
			if got := p.Linux(tt.windows); got != tt.linux {
				t.Errorf("Linux(%q) = %q, want %q", tt.windows, got, tt.linux)
			}
		})
	}
	if got := p.Linux(`D:\x`); got != `D:\x` {
		t.Errorf(`Linux(D:\x) = %q, want it unchanged`, got)
	}
}

const kernel = "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\nvoid launch() { k<<<1, 1>>>(0); }\n"

// TestRealNvccUnderWine proves the lane: NVIDIA's nvcc.exe finds the Visual Studio folder, loads its environment and compiles.
func TestRealNvccUnderWine(t *testing.T) {
	p := Wine(t)
	Root(t, "vs")
	Root(t, "win-cuda-13.0")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), kernel)

	out, err := nvcc(t, p, dir, "-ptx", "-arch=sm_80", "-o", "k.ptx", "k.cu")
	if err != nil {
		t.Fatalf("nvcc.exe -ptx: %v\n%s", err, out)
	}
	if ptx := read(t, filepath.Join(dir, "k.ptx")); !bytes.Contains(ptx, []byte(".target sm_80")) {
		t.Errorf("k.ptx has no .target sm_80:\n%s", ptx)
	}
	if out, err = nvcc(t, p, dir, "-c", "-arch=sm_80", "-o", "k.obj", "k.cu"); err != nil {
		t.Fatalf("nvcc.exe -c: %v\n%s", err, out)
	}
	obj, err := pe.NewFile(bytes.NewReader(read(t, filepath.Join(dir, "k.obj"))))
	if err != nil {
		t.Fatalf("k.obj is no COFF object: %v", err)
	}
	if obj.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
		t.Errorf("k.obj is for machine %#x, want amd64", obj.Machine)
	}
}

// TestStandInNeedsEnvironment: as with the real cl, no INCLUDE means no headers.
func TestStandInNeedsEnvironment(t *testing.T) {
	p := Wine(t)
	Root(t, "vs")
	Root(t, "win-cuda-13.0")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), kernel)
	out, err := nvcc(t, p, dir, "--use-local-env", "-c", "k.cu")
	if err == nil || !strings.Contains(out, "crtdefs.h") {
		t.Errorf("nvcc.exe --use-local-env without INCLUDE: %v\n%s\nwant crtdefs.h not found", err, out)
	}
}

// TestGoProgramUnderWine: Go's runtime needs ProcessPrng, which the prefix's own bcryptprimitives.dll gives.
func TestGoProgramUnderWine(t *testing.T) {
	p := Wine(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), "package main\n\nimport \"os\"\n\nfunc main() { println(os.Args[1]); os.Exit(3) }\n")
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "hello.exe"), filepath.Join(dir, "main.go"))
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := p.Command(limit(t), filepath.Join(dir, "hello.exe"), `a "b" c\`)
	out, _ := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); got != `a "b" c\` || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf(`hello.exe printed %q and exited %d, want a "b" c\ and 3`, got, cmd.ProcessState.ExitCode())
	}
}

func nvcc(t *testing.T, p Prefix, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := p.Command(limit(t), CUDAFolder+`\v13.0\bin\nvcc.exe`, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "WINEPATH="+HostX64)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
