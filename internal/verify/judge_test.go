package verify_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/verify"
)

// everything asks for every check of the table.
const everything = `[project]
name = "demo"
build = ["cargo", "cmake"]
builders = ["cudarc"]
[toolkit]
min = "12.0"
recommended = "12.4"
components = ["nvcc"]
[driver]
linux = "525.60.13"
ptx-jit = "required"
[host.linux]
gcc = ">=9"
toolset = ">=14"
sdk = ">=10"
triple = "x86_64-unknown-linux-gnu"
std = "c++17"
[arch]
targets = ["8.6"]
min = "7.5"
[env]
toolkit.root = ["CUDA_HOME"]
[components.cmake]
[pins.cuda]
files = [{ file = "a", pattern = "(x)" }]
[[kernels]]
name = "k"
sources = ["a.cu"]
[gpu]
min-count = 1
min-memory = "8 GiB"
compute-mode = "default"
[mps]
use = "forbidden"
[scope.linux]
off = ["audio"]
[reference]
snapshot = "runner.json"
[[config]]
name = "cpu"
command = "make cpu"
needs = "none"
`

var order = []string{"toolkit-present", "toolkit-band", "toolkit-active", "toolkit-components", "host-compiler", "host-toolset", "host-sdk", "host-triple", "host-std",
	"driver-present", "driver-floor", "driver-toolkit", "driver-ptx", "gpu-count", "gpu-memory", "gpu-compute-mode", "arch-min", "arch-gpu", "arch-toolkit",
	"env-cuda-home", "component-cmake", "pin-cuda", "builders", "kernels-k", "mps", "scope-audio"}

func ids(all []verify.Check) []string {
	var out []string
	for _, c := range all {
		out = append(out, c.ID)
	}
	return out
}

// TestOrder: the same contract gives the same lines in the same order on every machine of its platform.
func TestOrder(t *testing.T) {
	for _, name := range []string{five, ci, "ubuntu-bare", "ubuntu-l4", "container-nogpu"} {
		in := input(t, name, everything)
		in.NoRules = true
		want := append(slices.Clone(order), "reference")
		if got := ids(verify.Judge(in).Findings); !slices.Equal(got, want) {
			t.Errorf("on %s the checks are\n%q, want\n%q", name, got, want)
		}
	}
}

// TestIDs: what can be asked for with --only is what an answer can hold.
func TestIDs(t *testing.T) {
	for _, name := range []string{five, "ubuntu-bare", "windows-broken", "container-nogpu", "broken-mismatch"} {
		in := input(t, name, everything)
		all := verify.IDs(in)
		for _, id := range ids(verify.Judge(in).Findings) {
			if !slices.Contains(all, id) {
				t.Errorf("%s: IDs does not list %s", name, id)
			}
		}
		if !slices.Contains(all, "config-cpu") {
			t.Errorf("%s: IDs lists no config: %q", name, all)
		}
	}
}

func TestNothingAsked(t *testing.T) {
	in := input(t, "ubuntu-bare", "")
	if a := verify.Judge(in); len(a.Findings) > 0 || !a.Passed || a.Band != verify.NoToolkit {
		t.Errorf("a contract that asks for nothing is answered with %s (passed %t, band %s)", lines(a.Findings), a.Passed, a.Band)
	}
}

func TestOnly(t *testing.T) {
	in := input(t, "ubuntu-bare", everything)
	in.Only = []string{"toolkit-b*", "mps"}
	a := verify.Judge(in)
	if want := []string{"toolkit-band", "mps"}; !slices.Equal(ids(a.Findings), want) || !a.Passed {
		t.Errorf("--only %q shows %q and passes %t, want %q and true: nothing shown failed", in.Only, ids(a.Findings), a.Passed, want)
	}
	if c := find(a.Findings, "toolkit-band"); c == nil || c.After != "toolkit-present" {
		t.Errorf("toolkit-band does not say that it waits for toolkit-present: %+v", c)
	}
}

// TestAfter: a check that was not made names the first of a chain, not the one just before it.
func TestAfter(t *testing.T) {
	in := input(t, five, everything)
	noDriver(&in)
	for _, id := range []string{"driver-floor", "gpu-count", "gpu-memory", "arch-gpu"} {
		if c := find(verify.Judge(in).Findings, id); c.Status != verify.Skipped || c.After != "driver-present" {
			t.Errorf("%s: %s after %q, want skipped after driver-present", id, c.Status, c.After)
		}
	}
}

func TestFailFast(t *testing.T) {
	in := input(t, "ubuntu-bare", everything)
	in.FailFast = true
	a := verify.Judge(in)
	if a.Passed || a.Findings[0].Status != verify.Fail {
		t.Fatalf("the first check ends as %s", a.Findings[0].Status)
	}
	for _, c := range a.Findings[1:] {
		if c.Status != verify.Skipped || c.After != "toolkit-present" || c.What == "" || len(c.Next) > 0 {
			t.Errorf("after the first failure: %+v", c)
		}
	}
}

func TestStrict(t *testing.T) {
	for _, strict := range []bool{false, true} {
		in := input(t, five, "[toolkit]\nmin = \"12.0\"\nmax-verified = \"12.4\"\n")
		in.Strict, in.Only = strict, []string{"toolkit-band"}
		a := verify.Judge(in)
		if a.Passed != !strict || a.Findings[0].Status != verify.Warn || a.Band != verify.Newer {
			t.Errorf("strict %t: passed %t with %s, band %s", strict, a.Passed, a.Findings[0].Status, a.Band)
		}
	}
}

func TestPlatformOf(t *testing.T) {
	for _, tt := range []struct {
		name, host, as string
		want           contract.Platform
		err            string
	}{
		{"linux", five, "", contract.Platform{Name: "linux"}, ""},
		{"by itself on CI", ci, "", contract.Platform{Name: "linux", CI: true}, ""},
		{"as a desk", ci, "linux", contract.Platform{Name: "linux"}, ""},
		{"as CI", win, "ci", contract.Platform{Name: "windows", CI: true}, ""},
		{"wsl2 as linux", wsl, "linux", contract.Platform{Name: "linux"}, ""},
		{"jetson", "jetson-orin", "", contract.Platform{Name: "jetson"}, ""},
		{"linux as windows", five, "windows", contract.Platform{}, "runs linux"},
		{"macOS", "macos", "", contract.Platform{}, "--snapshot"},
		{"a word that is none", five, "mac", contract.Platform{}, "ci, linux, windows, wsl2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := verify.PlatformOf(machine(t, tt.host), tt.as)
			if tt.err == "" && (err != nil || got != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("PlatformOf(%s, %q) = %+v, %v, want %+v, %q", tt.host, tt.as, got, err, tt.want, tt.err)
			}
		})
	}
}

// TestJSON: a check is a finding with more fields, in one object.
func TestJSON(t *testing.T) {
	in := input(t, five, "[toolkit]\nmin = \"13.0\"\n")
	in.Only, in.Version = []string{"toolkit-band"}, "1.2.3"
	b, err := json.Marshal(verify.Judge(in))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Format, Cupel, Contract, Project, Platform, Toolkit, Band string
		Passed                                                    bool
		Findings                                                  []map[string]any
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "cupel.verify/1" || got.Cupel != "1.2.3" || got.Contract != "cupel.toml" || got.Project != "demo" || got.Platform != "linux" || got.Band != "below minimum" || got.Passed {
		t.Errorf("the answer's own part is %+v", got)
	}
	f := got.Findings[0]
	for key, want := range map[string]any{"id": "toolkit-band", "severity": "error", "status": "fail", "expected": "13.0 or newer", "found": "12.8.1, below minimum", "key": "toolkit.min", "where": "cupel.toml:5:1"} {
		if !cmp.Equal(f[key], want) {
			t.Errorf("%s is %v, want %v in %s", key, f[key], want, b)
		}
	}
	for _, key := range []string{"what", "why", "next"} {
		if f[key] == nil {
			t.Errorf("no %s in %s", key, b)
		}
	}
}

func path(dir string) edit {
	return func(in *verify.Input) { in.Machine.Path = []fact.PathDir{{Dir: dir, Exists: true}} }
}

// TestDoctor: the doctor's findings stand behind the checks, and never say twice what a check said.
func TestDoctor(t *testing.T) {
	const builds, runs = "[toolkit]\nmin = \"11.0\"\n", "[toolkit]\nmin = \"11.0\"\n[gpu]\nmin-count = 1\n"
	for _, tt := range []struct {
		name, host, contract string
		edit                 edit
		id                   string
		want                 verify.Status // "" : not told
		cause                string
	}{
		{"says the same", "ubuntu-bare", builds, nil, "no-toolkit", verify.Fail, "toolkit-present"},
		{"driver trouble where nothing runs", "broken-mismatch", builds, nil, "driver-library-mismatch", "", ""},
		{"driver trouble where something runs", "broken-mismatch", runs, nil, "driver-library-mismatch", verify.Fail, ""},
		{"container", "container-nogpu", runs, nil, "gpu-not-passed-to-container", verify.Fail, "driver-present"},
		{"a cause that is mere information hides its consequence", "container-nogpu", builds, nil, "user-mode-driver-missing", "", ""},
		{"compiler, told another", five, builds, edits(toolkit("11.8"), hostCompiler("g++-11")), "host-compiler-too-new", verify.Fail, "host-compiler"},
		{"a consequence of mere information", "ubuntu-bare", "[driver]\nlinux = \"525\"\n", func(in *verify.Input) {
			in.Machine.System.Container = fact.Of("docker", "/.dockerenv")
			in.Machine.Driver = fact.Driver{UserMode: fact.Of("580.95.05", "libcuda.so.1"), SMI: fact.Fact[string]{State: fact.Unreadable, Why: "it hangs"}}
		}, "nvidia-smi-fails", "", ""},
		{"information is left out", "conda", builds, nil, "toolkit-conda-layout", "", ""},
		{"python where nobody asks", five, builds, func(in *verify.Input) {
			in.Machine.Pythons = []fact.Python{{Path: "/p", Torch: fact.Of("2.1.0+cu118", "dist-info"), TorchCUDA: fact.Of("11.8", "version.py")}}
		}, "torch-cuda-version-mismatch", "", ""},
		{"python where torch is named", five, builds + "[components.torch]\n", func(in *verify.Input) {
			in.Machine.Pythons = []fact.Python{{Path: "/p", Torch: fact.Of("2.1.0+cu118", "dist-info"), TorchCUDA: fact.Of("11.8", "version.py")}}
		}, "torch-cuda-version-mismatch", verify.Warn, ""},
		{"PTX that is not used", five, runs + "[driver]\nptx-jit = \"not-used\"\n", edits(toolkit("12.8"), driver("550.54.14", "12.4")), "ptx-newer-than-driver", "", ""},
		{"PTX where nothing is said", five, runs, edits(toolkit("12.8"), driver("550.54.14", "12.4")), "ptx-newer-than-driver", verify.Warn, ""},
		{"PTX that must work", five, runs + "[driver]\nptx-jit = \"required\"\n", edits(toolkit("12.8"), driver("550.54.14", "12.4")), "ptx-newer-than-driver", verify.Warn, "driver-ptx"},
		{"the mode the contract wants", five, runs + "compute-mode = \"exclusive-process\"\n", gpus(device("8.6", 8192, "exclusive-process")), "compute-mode-exclusive", verify.Warn, "gpu-compute-mode"},
		{"another toolkit's compiler", five, "[toolkit]\nrecommended = \"12.8\"\n", path("/usr/local/cuda-11.8/bin"), "host-compiler-too-new", "", ""},
		{"another toolkit's compiler, chosen", five, "[toolkit]\nmin = \"11\"\n", path("/usr/local/cuda-11.8/bin"), "host-compiler-too-new", verify.Fail, "host-compiler"},
		{"a variable of the contract that leads nowhere", five, builds + "[env]\ntoolkit.root = [\"CUDA_HOME\"]\n", env("CUDA_HOME", "/nowhere"), "toolkit-path-wrong", verify.Fail, "env-cuda-home"},
		{"another variable that leads nowhere", five, builds + "[env]\nMAX_JOBS = \"4\"\n", env("CUDA_HOME", "/nowhere", "MAX_JOBS", "8"), "toolkit-path-wrong", verify.Fail, ""},
		{"libclang where it is named", "ubuntu-ci", builds + "[components.libclang]\n", func(in *verify.Input) { in.Project.Bindgen = true }, "libclang-missing", verify.Fail, "component-libclang"},
		{"libclang where bindgen is used", "ubuntu-ci", builds, func(in *verify.Input) { in.Project.Bindgen = true }, "libclang-missing", verify.Fail, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, tt.host, tt.contract)
			if tt.edit != nil {
				tt.edit(&in)
			}
			a := verify.Judge(in)
			c := find(a.Findings, tt.id)
			switch {
			case tt.want == "" && c != nil:
				t.Errorf("%s is told: %s", tt.id, lines([]verify.Check{*c}))
			case tt.want != "" && (c == nil || c.Status != tt.want || c.CausedBy != tt.cause):
				t.Errorf("%s: want %s caused by %q in\n%s", tt.id, tt.want, tt.cause, lines(a.Findings))
			}
			if want := verify.Passed(a.Findings, false); a.Passed != want {
				t.Errorf("passed %t, want %t", a.Passed, want)
			}
		})
	}
}

// TestNextStaysInBounds: the doctor's advice about toolkits knows nothing of the contract, so no check takes it over.
func TestNextStaysInBounds(t *testing.T) {
	in := input(t, five, "[toolkit]\nmin = \"11\"\nmax-verified = \"11.8\"\n")
	in.Choice.Flag = "11.8"
	c := find(verify.Judge(in).Findings, "host-compiler")
	if text := lines([]verify.Check{*c}); c.Status != verify.Fail || strings.Contains(text, "--toolkit 12") || strings.Contains(text, "--toolkit 13") {
		t.Errorf("the way out leads out of the contract:\n%s", text)
	}
}

// TestSilencedDoNotCount: a consequence alone does not fail.
func TestSilencedDoNotCount(t *testing.T) {
	silenced := verify.Check{Finding: finding.Finding{ID: "a", CausedBy: "b"}, Status: verify.Fail}
	if !verify.Passed([]verify.Check{silenced}, true) {
		t.Error("a silenced failure counts")
	}
}

// TestSameMachineSameAnswer: maps inside must not show in the order or the words.
func TestSameMachineSameAnswer(t *testing.T) {
	in := input(t, five, everything)
	first := verify.Judge(in)
	for range 5 {
		if again := verify.Judge(in); !cmp.Equal(first, again) {
			t.Fatalf("judged in two ways: %s", cmp.Diff(first, again))
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	for _, quick := range []bool{true, false} {
		b.Run(map[bool]string{true: "NoRules", false: "all"}[quick], func(b *testing.B) {
			in := input(b, five, everything)
			in.NoRules = quick
			for b.Loop() {
				verify.Judge(in)
			}
		})
	}
}
