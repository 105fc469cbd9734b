package environ

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/contract"
	"cupel/internal/fact"
)

func parsed(t *testing.T, text string) *contract.Contract {
	t.Helper()
	c, wrong := contract.Parse("cupel.toml", []byte("cupel = 1\n[project]\nname = \"p\"\n"+text))
	if len(wrong) > 0 {
		t.Fatalf("the contract has findings: %+v", wrong)
	}
	return c
}

func TestFill(t *testing.T) {
	values := map[string]string{"toolkit.root": "/opt/cuda", "toolkit.short": "124"}
	for _, tt := range []struct{ name, in, want, missing string }{
		{"plain text", "cuda", "cuda", ""},
		{"one word", "{toolkit.root}/bin", "/opt/cuda/bin", ""},
		{"twice and another", "{toolkit.short}-{toolkit.short}-{toolkit.root}", "124-124-/opt/cuda", ""},
		{"no value here", "{arch.list}", "{arch.list}", "{arch.list}"},
		{"braces that are no word", "${HOME} {} {x}", "${HOME} {} {x}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, missing := Fill(tt.in, values)
			if got != tt.want || strings.Join(missing, " ") != tt.missing {
				t.Errorf("Fill(%q) = %q, missing %q; want %q, missing %q", tt.in, got, missing, tt.want, tt.missing)
			}
		})
	}
}

func contractMachine() (fact.Machine, fact.Toolkit) {
	tk := fact.Toolkit{
		Root: "/usr/local/cuda", Real: "/usr/local/cuda-12.4", Release: fact.Of("12.4.1", "version.json"),
		Parts: map[string]string{fact.PartNvcc: "/usr/local/cuda-12.4/bin/nvcc", fact.PartHeader: "/usr/local/cuda-12.4/include/cuda.h"},
		Libs:  []string{"/usr/local/cuda-12.4/lib64"}, Bounds: fact.Of(fact.Bounds{GCCMax: 13}, "host_config.h"),
	}
	m := fact.Machine{System: fact.System{OS: "linux", Platform: "linux", Arch: "amd64"}, Toolkits: []fact.Toolkit{tk}, Env: map[string]string{}}
	m.Compilers = []fact.Compiler{{Family: "gcc", Command: "g++-12", Path: "/usr/bin/g++-12", Version: fact.Of("12.2.0", "g++"), Default: true, Cxx: true}}
	return m, tk
}

func TestContractVariables(t *testing.T) {
	c := parsed(t, `
[arch]
targets = ["8.0", "sm_86", "90"]
ptx = "highest"
spelling = "8.6+PTX"
separator = " "
env = ["MY_ARCHS"]
[env]
toolkit.root = ["MY_CUDA", "CUDA_HOME"]
host.cc = ["MY_CC"]
BNB_CUDA_VERSION = "{toolkit.short}"
CMAKE_ARGS = "-DCMAKE_CUDA_COMPILER={toolkit.nvcc} -DARCHS={arch.list}"
toolkit.bin = ["PATH"]
project.root = ["LD_LIBRARY_PATH"]
[env.windows]
ONLY_THERE = "x"
[env.runtime]
MY_LIBS = "{toolkit.lib}"
`)
	m, tk := contractMachine()
	r := c.For(contract.Platform{Name: "linux"})
	set := For(m, tk, Options{Contract: &r, Root: "/src"})
	for name, want := range map[string]string{
		"MY_CUDA": "/usr/local/cuda-12.4", "CUDA_HOME": "/usr/local/cuda-12.4", "MY_CC": "/usr/bin/gcc-12",
		"BNB_CUDA_VERSION": "124", "MY_ARCHS": "8.0 8.6 9.0+PTX",
		"CMAKE_ARGS":           "-DCMAKE_CUDA_COMPILER=/usr/local/cuda-12.4/bin/nvcc -DARCHS=8.0 8.6 9.0+PTX",
		"TORCH_CUDA_ARCH_LIST": "8.0;8.6;9.0",
	} {
		if got := set.get(t, name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	after := set.Apply(map[string]string{"PATH": "/usr/bin", "LD_LIBRARY_PATH": "/opt/lib"})
	if after["PATH"] != "/usr/local/cuda-12.4/bin:/usr/bin" || after["LD_LIBRARY_PATH"] != "/src:/opt/lib" {
		t.Errorf("lists are not kept: PATH=%s LD_LIBRARY_PATH=%s", after["PATH"], after["LD_LIBRARY_PATH"])
	}
	if set.has("ONLY_THERE") || set.has("MY_LIBS") {
		t.Errorf("variables of another platform or of the runtime are in the build's set: %+v", set.Vars)
	}
	if got := For(m, tk, Options{Contract: &r, Runtime: true}).get(t, "MY_LIBS"); got != "/usr/local/cuda-12.4/lib64" {
		t.Errorf("MY_LIBS of the runtime = %q", got)
	}
}

// Without a spelling of the contract each variable gets that of its readers.
func TestContractSpelling(t *testing.T) {
	c := parsed(t, `
[arch]
targets = ["8.0", "8.6"]
ptx = "highest"
env = ["CUDAARCHS", "CUDA_COMPUTE_CAP", "TORCH_CUDA_ARCH_LIST", "MINE"]
`)
	m, tk := contractMachine()
	r := c.For(contract.Platform{Name: "linux"})
	set := For(m, tk, Options{Contract: &r})
	for name, want := range map[string]string{
		"CUDAARCHS": "80-real;86", "CUDA_COMPUTE_CAP": "80", "TORCH_CUDA_ARCH_LIST": "8.0;8.6+PTX", "MINE": "sm_80;sm_86",
	} {
		if got := set.get(t, name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

// archCase is a contract's [arch] on a machine.
type archCase struct {
	name, contract string
	machine        fact.Machine
	want           string
}

func runArchs(t *testing.T, toolkit fact.Toolkit, cases []archCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			r := parsed(t, "[arch]\n"+tt.contract).For(contract.Platform{Name: "linux"})
			var got []string
			for _, a := range Archs(tt.machine, toolkit, r) {
				got = append(got, a.String())
			}
			if want := strings.Fields(tt.want); !slices.Equal(got, want) {
				t.Errorf("Archs = %q, want %q", got, want)
			}
		})
	}
}

func withH100(m fact.Machine) fact.Machine {
	m.GPUs = []fact.GPU{{Name: "H100", CC: fact.Of("9.0", "nvml")}}
	return m
}

func TestContractArchs(t *testing.T) {
	m, tk := contractMachine()
	h100 := withH100(m)
	runArchs(t, tk, []archCase{
		{"its targets", `targets = ["8.0", "8.6"]`, h100, "sm_80 sm_86"},
		{"by toolkit", "targets = [\"8.0\"]\n[[arch.by-toolkit]]\ntoolkit = \"<13\"\ntargets = [\"7.0\"]", m, "sm_70"},
		{"the GPUs here", "detect = true\nfallback = \"8.0\"", h100, "sm_90"},
		{"fallback without a GPU", "detect = true\nfallback = \"8.0\"", m, "sm_80"},
		{"the GPU's own variant among the targets", "detect = true\ntargets = [\"8.0\", \"90a\"]", h100, "sm_90a"},
		{"the highest target that runs here", "detect = true\ntargets = [\"7.5\", \"8.0\", \"10.0\"]", h100, "sm_80"},
		{"none of the targets runs here", "detect = true\ntargets = [\"10.0\"]\nfallback = \"8.0\"", h100, "sm_80"},
		{"nothing said", `ptx = "none"`, h100, ""},
	})
}

// TestContractArchsWithoutToolkit: what the contract and the GPU say does not wait for a toolkit.
func TestContractArchsWithoutToolkit(t *testing.T) {
	m, _ := contractMachine()
	h100 := withH100(m)
	runArchs(t, fact.Toolkit{}, []archCase{
		{"its targets", `targets = ["8.0", "8.6"]`, h100, "sm_80 sm_86"},
		{"no row of a toolkit", "targets = [\"8.0\"]\n[[arch.by-toolkit]]\ntoolkit = \"<13\"\ntargets = [\"7.0\"]", m, "sm_80"},
		{"fallback before the targets", "detect = true\ntargets = [\"7.5\", \"8.0\"]\nfallback = \"8.0\"", m, "sm_80"},
		{"the target of the GPU", "detect = true\ntargets = [\"7.5\", \"9.0\"]\nfallback = \"8.0\"", h100, "sm_90"},
		{"the GPU's own", "detect = true\nfallback = \"8.0\"", h100, "sm_90"},
	})
}
