package build

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const head = `cupel = 1
[project]
name = "p"
[host.linux]
std = "c++17"
[host.windows]
std = "c++17"
[arch]
targets = ["sm_75", "sm_80", "sm_90"]
ptx = "highest"
`

var (
	linux   = resolve.Platform{OS: "linux", Arch: "amd64"}
	windows = resolve.Platform{OS: "windows", Arch: "amd64"}
)

// jobOf reads a contract and says which files its kernels have.
func jobOf(t *testing.T, text, release string, p resolve.Platform, files ...string) Job {
	t.Helper()
	c, wrong := contract.Parse("cupel.toml", []byte(text))
	if len(wrong) > 0 {
		t.Fatalf("contract: %v", wrong)
	}
	req := c.For(contract.Platform{Name: p.OS})
	rel := version.MustParse(release)
	job := Job{Root: "/project", Out: "build/cupel", Requirements: req, Tools: Tools{Nvcc: "/cuda/bin/nvcc", Release: rel, Family: "gcc", Platform: p}}
	if p.Windows() {
		job.Root, job.Out = `C:\project`, `build\cupel`
		job.Tools.Nvcc, job.Tools.Family, job.Tools.Compiler, job.Tools.LocalEnv = `C:\cuda\bin\nvcc.exe`, "msvc", `C:\VC\bin\cl.exe`, true
	}
	job.Targets, _ = req.Targets(rel)
	for _, k := range c.Kernels {
		job.Sources = append(job.Sources, fact.Sources{Kernel: k.Name, Files: files})
	}
	return job
}

func shown(calls []PlannedCall, notes []string) string {
	var b strings.Builder
	for _, c := range calls {
		marks := []string{c.Kernel, c.Kind, fmt.Sprint("stage ", c.Stage)}
		if c.Optional {
			marks = append(marks, "optional")
		}
		if c.Asked {
			marks = append(marks, "asked")
		}
		fmt.Fprintf(&b, "# %s\n%s\n", strings.Join(marks, ", "), strings.Join(c.Argv, " "))
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}

// TestCalls: every key of [[kernels]] as command lines, for both systems and for toolkits that do not know all targets.
func TestCalls(t *testing.T) {
	all := head + `
[[kernels]]
name = "all"
sources = ["src/*.cu"]
includes = ["include", "third/party"]
defines = ["NAME", "N=2", "LIST=1,2"]
flags = ["-O3", "--use_fast_math"]
flags-gcc = ["-Wall", "-Wl,x"]
flags-clang = ["-Weverything"]
flags-msvc = ["/O2"]
kinds = ["ptx", "cubin", "fatbin", "object", "static", "shared"]
device-link = true
link-name = "every"
[[kernels.archs-by-toolkit]]
toolkit = "<12"
targets = ["sm_70"]
[[kernels.per-file]]
sources = ["src/b.cu"]
defines = ["B"]
flags = ["-std=c++20"]
min-arch = "8.0"
optional = true
`
	for _, tt := range []struct {
		name, text, release string
		on                  resolve.Platform
		files               []string
	}{
		{"all-linux", all, "13.0", linux, []string{"src/a.cu", "src/b.cu"}},
		{"all-windows", all, "13.0", windows, []string{"src/a.cu", "src/b.cu"}},
		{"by-toolkit", all, "11.8", linux, []string{"src/a.cu"}},
		{"object-unless-said", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\n", "12.4", linux, []string{"k.cu"}},
		{"newer-target", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\narchs = [\"sm_80\", \"sm_120\"]\nkinds = [\"ptx\", \"cubin\", \"static\"]\n", "12.4", linux, []string{"k.cu"}},
		{"gone-target", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\narchs = [\"sm_60\", \"sm_80\"]\nkinds = \"fatbin\"\n", "13.0", linux, []string{"k.cu"}},
		{"newer-target-cubin", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\narchs = [\"sm_80\", \"sm_120\"]\nkinds = \"cubin\"\n", "12.4", linux, []string{"k.cu"}},
		{"suffixes", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\narchs = [\"sm_80\", \"sm_90a\"]\nkinds = [\"ptx\", \"object\"]\n", "13.0", linux, []string{"k.cu"}},
		{"suffixes-only", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\narchs = [\"sm_90a\", \"sm_100f\"]\nkinds = [\"ptx\", \"object\"]\n", "13.0", linux, []string{"k.cu"}},
		{"same-names", head + "[[kernels]]\nname = \"k\"\nsources = [\"**/*.cu\"]\nkinds = \"static\"\nrdc = true\n", "13.0", linux, []string{"a/x.cu", "b/X.cu", "y.cu"}},
		{"shared-runtime", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\nkinds = \"shared\"\nflags = [\"-cudart\", \"shared\"]\n", "13.0", linux, []string{"k.cu"}},
		{"excluded-here", head + "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\nexclude-on = \"windows\"\n", "13.0", windows, []string{"k.cu"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls, notes, err := Calls(jobOf(t, tt.text, tt.release, tt.on, tt.files...))
			if err != nil {
				t.Fatal(err)
			}
			got, file := shown(calls, notes), filepath.Join("testdata", tt.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, _ := os.ReadFile(file)
			if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); d != "" {
				t.Errorf("calls of %s (-want +got):\n%s", tt.name, d)
			}
		})
	}
}

// TestCallsOfNothing: what cannot be built is told, with the kernel's name.
func TestCallsOfNothing(t *testing.T) {
	kernel := head + "[[kernels]]\nname = \"k\"\nsources = [\"src/*.cu\"]\n"
	for _, tt := range []struct {
		name, text, want string
		files            []string
	}{
		{"no file", kernel, "kernel k: no file matches src/*.cu (cupel.toml:13:1)", nil},
		{"no file of an optional one", kernel + "optional = true\n", "", nil},
		{"all excluded", kernel + "exclude = [\"**/a.cu\"]\n", "kernel k: no file matches src/*.cu that exclude = **/a.cu leaves (cupel.toml:13:1)", nil},
		{"none by min-arch", kernel + "archs = [\"sm_80\"]\n[[kernels.per-file]]\nsources = [\"src/a.cu\"]\nmin-arch = \"9.0\"\n", "kernel k: src/a.cu has no target left: all are below its min-arch", []string{"src/a.cu"}},
		{"a cubin of a virtual target", kernel + "kinds = [\"cubin\"]\narchs = [\"compute_80\"]\n", "kernel k: src/a.cu: no cubin is made for compute_80, which is PTX alone: write sm_80", []string{"src/a.cu"}},
		{"a cubin beside the PTX of virtual targets", kernel + "kinds = [\"ptx\", \"cubin\"]\narchs = [\"compute_80\", \"compute_90a\"]\n", "kernel k: src/a.cu: no cubin is made for compute_80, compute_90a, which is PTX alone: write sm_80, sm_90a", []string{"src/a.cu"}},
		{"an optional cubin of a virtual target", kernel + "kinds = [\"cubin\"]\narchs = [\"compute_80\"]\noptional = true\n", "", []string{"src/a.cu"}},
		{"no target", kernel + "archs = [\"sm_60\"]\n", "kernel k: src/a.cu has no target that CUDA 13.0 makes code for: sm_60 is asked for, it begins with sm_75 (see: cupel compat gpu 6.0)", []string{"src/a.cu"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, notes, err := Calls(jobOf(t, tt.text, "13.0", linux, tt.files...))
			if got := fmt.Sprint(err); tt.want != "" && got != tt.want || tt.want == "" && (err != nil || len(notes) == 0) {
				t.Errorf("error %q, notes %q; want %q", got, notes, tt.want)
			}
		})
	}
}

func TestOnly(t *testing.T) {
	job := jobOf(t, head+"[[kernels]]\nname = \"a\"\nsources = [\"*.cu\"]\n[[kernels]]\nname = \"b\"\nsources = [\"*.cu\"]\n", "13.0", linux, "k.cu")
	job.Only = []string{"b"}
	calls, _, err := Calls(job)
	if err != nil || slices.ContainsFunc(calls, func(c PlannedCall) bool { return c.Kernel != "b" }) || len(calls) != 1 {
		t.Errorf("calls %v, error %v; want one of b", calls, err)
	}
}

// TestOneOutput: a file that two calls would write is told with what it is made of, also where that is no source.
func TestOneOutput(t *testing.T) {
	err := oneOutput([]PlannedCall{{Kernel: "k", Out: "k/a.o", Source: "a.cu"}, {Kernel: "k", Out: "k/A.o"}})
	if want := "kernel k: k/A.o is made of a.cu and of the kernel's objects: rename one of them"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAsFile(t *testing.T) {
	for name, want := range map[string]string{"-dash.cu": "./-dash.cu", "src/-dash.cu": "src/-dash.cu", "k.cu": "k.cu"} {
		if got := asFile(name); got != want {
			t.Errorf("nvcc is given %s for %s, want %s", got, name, want)
		}
	}
}

// TestUntoldResources: PTX is made without ptxas, which is said to who asks what kernels take.
func TestUntoldResources(t *testing.T) {
	for _, tt := range []struct {
		kinds     string
		resources bool
		want      int
	}{{`"ptx"`, true, 1}, {`"ptx"`, false, 0}, {`["ptx", "cubin"]`, true, 0}} {
		job := jobOf(t, head+"[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\narchs = [\"sm_80\"]\nkinds = "+tt.kinds+"\n", "13.0", linux, "k.cu")
		job.Resources = tt.resources
		_, notes, err := Calls(job)
		if err != nil || len(notes) != tt.want || tt.want > 0 && !strings.Contains(notes[0], "of PTX there is no table of resources") {
			t.Errorf("%s, resources %t: notes %q, error %v; want %d", tt.kinds, tt.resources, notes, err, tt.want)
		}
	}
}

// TestShellReads: a file whose name the shell of nvcc would change is refused before nvcc is called, by the character.
func TestShellReads(t *testing.T) {
	const kernel = "[[kernels]]\nname = \"k\"\nsources = [\"*.cu\"]\n"
	for _, tt := range []struct {
		file, out string
		on        resolve.Platform
		want      string
	}{
		{"$(touch x).cu", "build/cupel", linux, "kernel k: $(touch x).cu has $ in its name, which means something to the shell that nvcc calls: rename it"},
		{"`touch x`.cu", "build/cupel", linux, "kernel k: `touch x`.cu has ` in its name, which means something to the shell that nvcc calls: rename it"},
		{"a\nb.cu", "build/cupel", linux, "kernel k: a\nb.cu has a line break in its name, which means something to the shell that nvcc calls: rename it"},
		{"k.cu", "/tmp/$x", linux, "kernel k: /tmp/$x/k/k.o would be made, and $ in its name means something to the shell that nvcc calls: choose another folder with --out, or another name for the kernel"},
		{"a b & 'c' (d) 50%.cu", "build/cupel", linux, ""},
		{"-k.cu", "build/cupel", linux, ""},
		{"$a.cu", `build\cupel`, windows, ""},
	} {
		job := jobOf(t, head+kernel, "13.0", tt.on, tt.file)
		job.Out = tt.out
		_, _, err := Calls(job)
		if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && got != tt.want {
			t.Errorf("%q: %s, want %s", tt.file, got, tt.want)
		}
	}
}
