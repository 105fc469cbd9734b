package pages

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"cupel/internal/contract"
)

func contractOf(t testing.TB, text string) *contract.Contract {
	t.Helper()
	c, wrong := contract.Parse("cupel.toml", []byte(text))
	if len(wrong) > 0 {
		t.Fatalf("the contract of the test: %+v", wrong)
	}
	return c
}

const small = "cupel = 1\n[project]\nname = \"small\"\n"

// TestAll: every file is ours, the same twice, and carries no date.
func TestAll(t *testing.T) {
	date := regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`)
	for _, text := range []string{small, full4} {
		c := contractOf(t, text)
		first, second := All(c, Options{}), All(contractOf(t, text), Options{})
		if len(first) != len(Kinds()) {
			t.Fatalf("%d files, want %d", len(first), len(Kinds()))
		}
		for i, f := range first {
			if !bytes.Equal(f.Data, second[i].Data) {
				t.Errorf("%s differs between two runs", f.Name)
			}
			if !Ours(f.Data) || !strings.Contains(string(f.Data), "(sha256 "+c.Sum+"); do not edit; cupel docs") {
				t.Errorf("%s does not begin with our line: %.200q", f.Name, f.Data)
			}
			if d := date.FindString(string(f.Data)); d != "" {
				t.Errorf("%s holds the date %s", f.Name, d)
			}
			if bytes.Contains(f.Data, []byte("\r")) {
				t.Errorf("%s has line ends of Windows", f.Name)
			}
		}
	}
}

func TestOnly(t *testing.T) {
	got := All(contractOf(t, small), Options{Only: []string{"make", "sh"}})
	if len(got) != 2 || got[0].Name != "verify-cuda.sh" || !got[0].Exec || got[1].Name != "cuda.mk" {
		t.Errorf("files %+v, want verify-cuda.sh and cuda.mk", got)
	}
}

func TestDiffers(t *testing.T) {
	for _, tt := range []struct {
		name, have, want string
		same             bool
		line             int
	}{
		{"the same", "a\nb\n", "a\nb\n", true, 0},
		{"line ends of git on Windows", "a\r\nb\r\n", "a\nb\n", true, 0},
		{"a changed line", "a\nx\n", "a\nb\n", false, 2},
		{"shorter", "a\n", "a\nb\n", false, 2},
		{"longer", "a\nb\nc\n", "a\nb\n", false, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line, got, want := Differs([]byte(tt.have), []byte(tt.want))
			if Same([]byte(tt.have), []byte(tt.want)) != tt.same || line != tt.line {
				t.Errorf("Same %v, Differs line %d (%q, %q), want %v, %d", !tt.same, line, got, want, tt.same, tt.line)
			}
		})
	}
}

// full4 has most tables of a contract.
const full4 = `cupel = 1
[project]
name = "demo"
build = ["cargo", "cmake"]
builders = ["cudaforge >=0.1.5", "cudarc"]
[toolkit]
min = { version = "12.0", reason = "the kernels use cluster launch" }
recommended = "12.4"
max-verified = "13.2"
exclude = [{ release = "12.5", reason = "a | b" }]
components = ["nvcc", "cudart"]
windows.min = "12.4"
[driver]
linux = "525.60.13"
windows = "528.33"
ptx-jit = "required"
[host.linux]
gcc = ">=9, <14"
[host.windows]
msvc = ">=19.30"
toolset = ">=14.30"
sdk = ">=10.0.19041"
[host.ci]
gcc = "12"
[arch]
targets = ["sm_75", "8.6", "sm_90"]
env = ["CUDA_ARCH"]
by-toolkit = [{ toolkit = "<13", targets = ["sm_70", "sm_75"] }]
[[arch.note]]
arch = "sm_70"
status = "partial"
works = ["fp16"]
does-not-work = ["bf16"]
[env]
toolkit.root = ["CUDA_HOME"]
BNB_CUDA_VERSION = "{toolkit.short}"
runtime.DEMO_DEVICE = "0"
[components.libclang]
version = ">=10"
only-for = ["bindgen"]
install = { linux = "apt-get install libclang-dev", windows = "winget install LLVM.LLVM" }
[pins.cuda]
files = [{ file = "Dockerfile", pattern = 'cuda:([0-9.]+)' }]
[gpu]
min-count = 1
min-memory = "8 GiB"
exclude-on = "ci"
[[kernels]]
name = "k"
sources = ["*.cu"]
rdc = true
[[config]]
name = "plain"
command = "cargo build"
needs = "none"
smoke = true
[[explain]]
pattern = "out of memory"
cause = "the batch is too large"
fix = "halve it"
[scope.windows]
off = [{ item = "NCCL", reason = "not for Windows" }]
`

// TestPage: each section says what the contract says, and the tables what they know.
func TestPage(t *testing.T) {
	text := string(All(contractOf(t, full4), Options{Only: []string{"page"}})[0].Data)
	for _, want := range []string{
		"# CUDA setup: demo",
		"| Linux | CUDA 12.0 | CUDA 12.4 | CUDA 13.2 | CUDA 12.5 | 525.60.13 or newer | gcc `>=9, <14` | 1 or more, 8192 MiB each |",
		"| WSL2 | CUDA 12.0 | CUDA 12.4 | CUDA 13.2 | CUDA 12.5 | 528.33 or newer |",
		"- minimum CUDA 12.0 (Linux, WSL2): the kernels use cluster launch\n",
		"- excluded CUDA 12.5: a | b\n",
		"| Windows | CUDA 12.4 | CUDA 12.4 |",
		"\nOn CI: Linux, WSL2: host compiler gcc 12; GPU none needed. Windows: host compiler gcc 12; cl.exe",
		"| CUDA | Linux, WSL2 | Windows | gcc | clang |",
		"| 12.4 | recommended | recommended | 6 to 13 |",
		"| 12.5 | excluded | excluded |",
		"| 12.3 | supported | below minimum |",
		"| 13.3 | newer than verified |",
		"Under WSL2 the driver is that of Windows: never install a Linux driver inside it.",
		"| 12.4 | 525.60.13 / 527.41 |",
		"sudo apt-get install -y cuda-toolkit-12-4",
		"repos/wsl-ubuntu/x86_64/cuda-keyring",
		"winget install -e --id Nvidia.CUDA --version 12.4.1\n",
		"it gives the newest 12.4 that is offered there; NVIDIA's newest is 12.4.1; cuda-toolkit-12-4 brings no driver",
		"| `CUDA_HOME` | the root of the chosen toolkit |",
		"| `sm_70` | Volta (V100, TITAN V) | CUDA 9.0 to 12.9 | with CUDA 12.0 to 12.9 | partial |",
		"- `sm_70`: works: fp16; does not work: bf16\n",
		"| `libclang` | `>=10` | for `bindgen` |",
		"apt-get install libclang-dev",
		"| `libcuda.so.1: cannot open shared object file` |",
		"| `out of memory` |",
		"`toolkit-present`",
		"| Windows | NCCL | not for Windows |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestPlatforms: what a project is not built on is not on its page, and what its own rows explain is told once.
func TestPlatforms(t *testing.T) {
	text := string(All(contractOf(t, strings.Replace(full4, "[toolkit]", "on = \"linux\"\n[toolkit]", 1)+`[[explain]]
pattern = 'libcuda\.so(\.1)?: cannot open'
cause = "no driver"
fix = "get one"
[[explain]]
pattern = "error 222"
cause = "a newer toolkit"
fix = "take an older one"
`), Options{Only: []string{"page"}})[0].Data)
	for _, gone := range []string{"### Windows", "| Windows", "Windows |", "winget", "cl.exe", "NCCL", "| `libcuda.so.1: cannot", "(222)"} {
		if strings.Contains(text, gone) {
			t.Errorf("the page of a project for Linux has %q", gone)
		}
	}
	for _, want := range []string{"\nBuilt on: Linux, WSL2.\n", "| `error 222` |  | a newer toolkit |", "## Troubleshooting\n\n| message | where | cause | what to do | often told wrongly |\n| --- | --- | --- | --- | --- |\n| `out of memory` |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestTroubleRows: a row is shown when it concerns the contract.
func TestTroubleRows(t *testing.T) {
	const head = "cupel = 1\n[project]\nname = \"p\"\n"
	for _, tt := range []struct {
		name, contract, row string
		want                bool
	}{
		{"libclang is a component", head + "[components.libclang]\n", "libclang", true},
		{"libclang is none", head, "libclang", false},
		{"an old toolkit is in bounds", head + "[toolkit]\nmin = \"11.8\"\n", "stl1002", true},
		{"only newer ones are", head + "[toolkit]\nmin = \"12.4\"\n", "stl1002", false},
		{"the newest are not verified", head + "[toolkit]\nmax-verified = \"12.9\"\n", "c1189-preprocessor", false},
		{"PTX is compiled by the driver", head + "[driver]\nptx-jit = \"required\"\n", "error-222", true},
		{"it is not", head + "[driver]\nptx-jit = \"not-used\"\n", "error-222", false},
		{"device code is linked", head + "[[kernels]]\nname = \"k\"\nsources = [\"a.cu\"]\nrdc = true\n", "nvlink-newer", true},
		{"a builder crate", "cupel = 1\n[project]\nname = \"p\"\nbuilders = [\"cudarc >=0.13\"]\n", "allow-list", true},
		{"another builder crate", "cupel = 1\n[project]\nname = \"p\"\nbuilders = [\"cudaforge\"]\n", "allow-list", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &book{c: contractOf(t, tt.contract)}
			got := false
			for _, r := range rowsFor(b) {
				got = got || r.ID == tt.row
			}
			if got != tt.want {
				t.Errorf("row %s is shown: %v, want %v", tt.row, got, tt.want)
			}
		})
	}
}
