package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/cas"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/resolve"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// realJob is a contract in a folder of its own, built with a real toolkit.
func realJob(t *testing.T, part, release, text string, files map[string]string) Job {
	t.Helper()
	root := testbed.Toolkit(t, part)
	dir := t.TempDir()
	var names []string
	for name, body := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".cu") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	job := jobOf(t, text, release, linux, names...)
	job.Root, job.Tools.Nvcc = dir, filepath.Join(root, "bin", "nvcc")
	job.Tools.Env = os.Environ()
	return job
}

// options has a store of its own.
func options(t *testing.T) Options {
	return Options{Store: cas.Store{Dir: filepath.Join(t.TempDir(), "store")}}
}

func namesOf(r Result, root string) []string {
	var out []string
	for _, o := range r.Outputs {
		rel, _ := filepath.Rel(root, o.Path)
		out = append(out, o.Kind+" "+filepath.ToSlash(rel))
	}
	return out
}

const (
	twice = "extern \"C\" __device__ int twice(int x);\nextern \"C\" __global__ void run(int *p) { *p = twice(*p); }\nvoid start(int *p) { run<<<1, 1>>>(p); }\n"
	other = "extern \"C\" __device__ int twice(int x) { return 2 * x; }\n"
)

// TestRun: the example's library and PTX come out of two majors of nvcc, for all of the contract's targets.
func TestRun(t *testing.T) {
	example := filepath.Join(testbed.Repo(t), "examples", "vector-add")
	text, err := os.ReadFile(filepath.Join(example, "cupel.toml"))
	if err != nil {
		t.Fatal(err)
	}
	c, wrong := contract.Parse("cupel.toml", text)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for _, tt := range []struct{ part, release string }{{"cuda-12.4", "12.4"}, {"cuda-13.0", "13.0"}} {
		t.Run(tt.part, func(t *testing.T) {
			root := testbed.Toolkit(t, tt.part)
			req := c.For(contract.Platform{Name: "linux"})
			rel := version.MustParse(tt.release)
			job := Job{Root: example, Out: t.TempDir(), Requirements: req, Sources: []fact.Sources{{Kernel: "vector-add", Files: []string{"vector_add.cu"}}},
				Tools: Tools{Nvcc: filepath.Join(root, "bin", "nvcc"), Release: rel, Family: "gcc", Env: os.Environ(), Platform: resolve.Platform{OS: "linux", Arch: "amd64"}}}
			job.Targets, _ = req.Targets(rel)
			got, err := Run(t.Context(), job, options(t))
			if err != nil || !got.OK() {
				t.Fatalf("build: %v, %+v", err, got.Failed)
			}
			want := []string{"ptx vector-add/vector_add.ptx", "static vector-add/libvector-add.a"}
			if names := namesOf(got, job.Out); !slices.Equal(names, want) {
				t.Errorf("outputs %q, want %q", names, want)
			}
			inside(t, filepath.Join(job.Out, "vector-add", "libvector-add.a"), job.Targets)
		})
	}
}

// inside asks cuobjdump for the targets in a library, where the test bed has one.
func inside(t *testing.T, library string, want []gpu.Arch) {
	t.Helper()
	tool := filepath.Join(testbed.Toolkit(t, "cuda-12.4"), "bin", "cuobjdump")
	if _, err := os.Stat(tool); err != nil {
		t.Logf("no cuobjdump: the targets in %s were not looked at", library)
		return
	}
	out, err := exec.Command(tool, "--list-elf", library).CombinedOutput()
	if err != nil {
		t.Fatalf("cuobjdump: %v\n%s", err, out)
	}
	for _, a := range want {
		if !strings.Contains(string(out), "."+a.String()+".cubin") {
			t.Errorf("%s holds no code for %s:\n%s", library, a, out)
		}
	}
}

// TestEveryKind: each kind of output, device code linked over two files, and a C++ program linked with the library.
func TestEveryKind(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) + `
[[kernels]]
name = "k"
sources = ["**/*.cu"]
kinds = ["ptx", "cubin", "fatbin", "object", "static", "shared"]
device-link = true
`
	job := realJob(t, "cuda-12.4", "12.4", text, map[string]string{"a/x.cu": twice, "b/x.cu": other, "main.cc": "void start(int *); int main() { start(0); }\n"})
	got, err := Run(t.Context(), job, options(t))
	if err != nil || !got.OK() {
		t.Fatalf("build: %v, %+v", err, got.Failed)
	}
	want := []string{
		"ptx build/cupel/k/a_x_cu.ptx", "cubin build/cupel/k/a_x_cu.cubin", "fatbin build/cupel/k/a_x_cu.fatbin", "object build/cupel/k/a_x_cu.o",
		"ptx build/cupel/k/b_x_cu.ptx", "cubin build/cupel/k/b_x_cu.cubin", "fatbin build/cupel/k/b_x_cu.fatbin", "object build/cupel/k/b_x_cu.o",
		"device-link build/cupel/k/k-device-link.o", "static build/cupel/k/libk.a", "shared build/cupel/k/libk.so",
	}
	if names := namesOf(got, job.Root); !slices.Equal(names, want) {
		t.Errorf("outputs\n got %q\nwant %q", names, want)
	}
	lib := filepath.Join(filepath.Dir(filepath.Dir(job.Tools.Nvcc)), "lib64")
	link := exec.Command("g++", "main.cc", "build/cupel/k/libk.a", "-L"+lib, "-lcudadevrt", "-lcudart_static", "-lpthread", "-ldl", "-lrt", "-o", "main")
	link.Dir = job.Root
	if out, err := link.CombinedOutput(); err != nil {
		t.Errorf("a plain g++ cannot link the library: %v\n%s", err, out)
	}
}

// TestFailingSource: what nvcc said is kept whole, nothing old stays, and an optional file is left out of the library.
func TestFailingSource(t *testing.T) {
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\nkinds = \"static\"\n"
	optional := "[[kernels.per-file]]\nsources = [\"bad.cu\"]\noptional = true\n"
	files := map[string]string{"good.cu": other, "bad.cu": "int x = missing_name;\n"}
	for _, tt := range []struct {
		name, text string
		ok         bool
		outputs    int
	}{{"needed", text, false, 0}, {"optional", text + optional, true, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			job := realJob(t, "cuda-12.4", "12.4", tt.text, files)
			old := filepath.Join(job.Root, "build", "cupel", "k", "libk.a")
			if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(old, []byte("!<arch>\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := Run(t.Context(), job, options(t))
			if err != nil || got.OK() != tt.ok || len(got.Failed) != 1 || len(got.Outputs) != tt.outputs {
				t.Fatalf("error %v, result %+v", err, got)
			}
			if said := got.Failed[0].Output; !strings.Contains(said, `identifier "missing_name" is undefined`) {
				t.Errorf("nvcc's own words are lost: %q", said)
			}
			if _, err := os.Stat(old); (err == nil) != tt.ok {
				t.Errorf("library there: %v, want %v", err == nil, tt.ok)
			}
		})
	}
}

// TestInterrupted: a build that is stopped says so and leaves no children behind.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	slow := filepath.Join(dir, "nvcc")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	job := jobOf(t, head+"[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\n", "13.0", linux, "a.cu", "b.cu", "c.cu")
	job.Root, job.Tools.Nvcc = dir, slow
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, job, options(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

// TestNoCompiler: a call that cannot start is a failed call with the reason.
func TestNoCompiler(t *testing.T) {
	job := jobOf(t, head+"[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\n", "13.0", linux, "a.cu")
	job.Root, job.Tools.Nvcc = t.TempDir(), "/no/such/nvcc"
	got, err := Run(t.Context(), job, options(t))
	if err != nil || got.OK() || !strings.Contains(got.Failed[0].Output, "no such file") {
		t.Errorf("error %v, result %+v", err, got)
	}
}
