package realbuilds

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// everyKey uses each key of [[kernels]]; what it says is seen in the outputs below.
const everyKey = `cupel = 1
[project]
name = "every"
[arch]
targets = ["sm_80"]
ptx = "none"
[[kernels]]
name = "every"
sources = ["src/**/*.cu"]
exclude = ["src/old/*"]
includes = ["include"]
defines = ["FROM_CONTRACT=3", "FLAG"]
flags = ["-O3"]
flags-gcc = ["-DGCC_ALONE", "-Wl,-z,now"]
flags-clang = ["-DCLANG_ALONE"]
flags-msvc = ["/DMSVC_ALONE"]
kinds = ["ptx", "static", "shared"]
device-link = true
link-name = "all"
[[kernels.archs-by-toolkit]]
toolkit = "<13"
targets = ["sm_70"]
[[kernels.archs-by-toolkit]]
toolkit = ">=13"
targets = ["sm_75"]
[[kernels.per-file]]
sources = ["src/b/*.cu"]
defines = ["OF_B=4"]
[[kernels]]
name = "broken"
sources = ["broken.cu"]
optional = true
[[kernels]]
name = "not-here"
sources = ["src/old/*.cu"]
exclude-on = ["linux", "wsl2"]
[[kernels]]
name = "linked-later"
sources = ["src/a/x.cu"]
includes = ["include"]
defines = ["FROM_CONTRACT=3", "FLAG", "GCC_ALONE"]
rdc = true
`

var everyFiles = map[string]string{
	"cupel.toml":        everyKey,
	"include/common.h":  "__device__ int far(int);\nvoid start_a(int *);\n",
	"src/a/x.cu":        "#include \"common.h\"\n#if !defined FLAG || FROM_CONTRACT != 3 || defined CLANG_ALONE || defined OF_B\n#error options\n#endif\n__global__ void a(int *p) { p[0] = far(p[0]); }\nvoid start_a(int *p) { a<<<1, 1>>>(p); }\n",
	"src/b/x.cu":        "#if OF_B != 4 || !defined FLAG\n#error options\n#endif\n__device__ int far(int v) { return v + OF_B; }\nint on_host() { return OF_B; }\n",
	"src/old/broken.cu": "#error this one is left out\n",
	"broken.cu":         "int x = missing_name;\n",
	"main.cc":           "#include <cstdio>\nvoid start_a(int *);\nint on_host();\nint main(int n, char **) { if (n > 5) start_a(nullptr); std::printf(\"%d\\n\", on_host()); }\n",
}

// TestBuildEveryKey: every key of [[kernels]] with the real nvcc. A C++ program is linked with the static library by plain g++, and
// with the shared one, and runs.
func TestBuildEveryKey(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, root string) {
		k := newKernels(t, root, everyFiles)
		a, r := k.build(t)
		if r.code != 0 || !a.Result.OK() {
			t.Fatalf("code %d\n%s", r.code, r.stderr)
		}
		contains(t, "stderr", r.stderr, `identifier "missing_name" is undefined`)
		if len(a.Result.Failed) != 1 || !a.Result.Failed[0].Optional || a.Result.Failed[0].Kernel != "broken" {
			t.Errorf("failed: %+v, want the optional one", a.Result.Failed)
		}
		contains(t, "notes", strings.Join(a.Notes, "\n"), "kernel not-here is not built on linux")
		if len(a.Findings) != 1 || a.Findings[0].ID != "optional-kernel-failed" {
			t.Errorf("findings %+v, want the optional kernel that failed", a.Findings)
		}
		var outputs []string
		for _, o := range a.Result.Outputs {
			rel, _ := filepath.Rel(k.path("build/cupel"), o.Path)
			outputs = append(outputs, o.Kind+" "+rel)
		}
		want := []string{"ptx every/src_a_x_cu.ptx", "ptx every/src_b_x_cu.ptx", "static every/liball.a", "shared every/liball.so", "object linked-later/x.o"}
		if !slices.Equal(outputs, want) {
			t.Errorf("outputs\n got %q\nwant %q", outputs, want)
		}
		arch := "sm_70"
		if strings.Contains(root, "13.0") {
			arch = "sm_75"
		}
		contains(t, "the PTX", read(t, k.path("build/cupel/every/src_a_x_cu.ptx")), ".target "+arch)
		k.runs(t, "build/cupel/every/liball.a")
		k.runs(t, "build/cupel/every/liball.so")
		again, _ := k.build(t)
		if made := hows(again, "built") + hows(again, "cached"); made != "" {
			t.Errorf("the second build made %s", made)
		}
	})
}

// runs links a C++ program with a library and runs it, which needs no GPU.
func (k kernels) runs(t *testing.T, library string) {
	t.Helper()
	cudart := cudartOf(t, k.root)
	program := filepath.Join(t.TempDir(), "main")
	r := run(t, k.dir, nil, "g++", "main.cc", "-o", program, library, "-L"+cudart, "-lcudadevrt", "-lcudart_static", "-lpthread", "-ldl", "-lrt", "-Wl,-rpath,"+filepath.Dir(k.path(library)))
	if r.code != 0 {
		t.Fatalf("link with %s: %s", library, r.all)
	}
	if r := run(t, k.dir, nil, program); r.code != 0 || r.stdout != "4\n" {
		t.Errorf("%s: code %d, output %q, want 4", library, r.code, r.all)
	}
	if f, err := elf.Open(program); err != nil {
		t.Error(err)
	} else {
		_ = f.Close()
	}
}

// cudartOf is where a toolkit has its static run time.
func cudartOf(t *testing.T, root string) string {
	t.Helper()
	for _, dir := range []string{"lib64", "lib"} {
		if _, err := os.Stat(filepath.Join(root, dir, "libcudart_static.a")); err == nil {
			return filepath.Join(root, dir)
		}
	}
	t.Fatalf("%s has no libcudart_static.a", root)
	return ""
}

const plainContract = "cupel = 1\n[project]\nname = \"p\"\n[arch]\ntargets = [\"sm_80\"]\nptx = \"none\"\n[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\nkinds = \"ptx\"\n"

const plainKernel = "__global__ void k(float *p) { p[0] = 1; }\n"

// TestBuildArchs: what --arch says becomes the targets of nvcc's own words; what the toolkit does not know becomes its best
// PTX with a note.
func TestBuildArchs(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, root string) {
		k := newKernels(t, root, map[string]string{"cupel.toml": strings.Replace(plainContract, `"ptx"`, `"fatbin"`, 1), "k.cu": plainKernel})
		for _, word := range []string{"all-major", "all"} {
			a := k.built(t, "--arch", word, "--dry-run")
			if got, want := targetsOf(a.Result.Steps[0].Argv), dryRunTargets(t, k, word); !slices.Equal(got, want) {
				t.Errorf("--arch %s\n got %q\nnvcc %q", word, got, want)
			}
		}
		native := k.built(t, "--arch", "native", "--dry-run")
		if len(testbedGPUs()) == 0 {
			contains(t, "notes", strings.Join(native.Notes, "\n"), "--arch native: no GPU is seen here")
		}
		unknown := k.built(t, "--arch", "sm_199,80")
		if len(unknown.Findings) != 1 || unknown.Findings[0].ID != "arch-newer-than-toolkit" {
			t.Errorf("findings %+v, want that the target is newer than the toolkit", unknown.Findings)
		}
		sameFiles(t, "sm_199", k.files(t, unknown), k.byHand(t, unknown))
	})
}

func testbedGPUs() []string {
	found, _ := filepath.Glob("/dev/nvidia[0-9]*")
	return found
}

// targetsOf are the targets that a call has machine code for.
func targetsOf(argv []string) []string {
	var out []string
	for _, a := range argv {
		if _, code, ok := strings.Cut(a, ",code=sm_"); ok {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}

// dryRunTargets are those for which nvcc itself would start ptxas.
func dryRunTargets(t *testing.T, k kernels, word string) []string {
	t.Helper()
	out, err := exec.Command(filepath.Join(k.root, "bin", "nvcc"), "--dryrun", "-arch="+word, "-c", k.path("k.cu"), "-o", filepath.Join(t.TempDir(), "k.o")).CombinedOutput()
	if err != nil {
		t.Fatalf("nvcc --dryrun -arch=%s: %v\n%s", word, err, out)
	}
	var list []string
	for line := range strings.Lines(string(out)) {
		_, rest, ok := strings.Cut(line, "ptxas ")
		if !ok {
			continue
		}
		for _, f := range strings.Fields(strings.ReplaceAll(rest, "=", " ")) {
			if code, ok := strings.CutPrefix(strings.Trim(f, `"`), "sm_"); ok {
				list = append(list, code)
				break
			}
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		t.Fatalf("nvcc --dryrun -arch=%s names no target:\n%s", word, out)
	}
	return list
}

// TestBuildExample: the example of the repository, as its README says, with the newest toolkit of make test.
func TestBuildExample(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	root := testbed.Toolkit(t, "cuda-13.4")
	k := newKernels(t, root, nil)
	copyTree(t, filepath.Join(testbed.Repo(t), "examples", "vector-add"), k.dir)
	a := k.built(t)
	if hows(a, "built") != "libvector-add.a vector_add.o vector_add.ptx" {
		t.Errorf("built %q", hows(a, "built"))
	}
	sameFiles(t, "vector-add", k.files(t, a), k.byHand(t, a))
}
