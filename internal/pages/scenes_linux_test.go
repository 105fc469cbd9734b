package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// demands is a contract with every kind of check that a script makes.
const demands = `cupel = 1
[project]
name = "demo"
build = "cargo"
builders = ["cudaforge >=0.1.5", "cudarc"]
[toolkit]
min = "12.0"
max-verified = "13.2"
exclude = [{ release = "12.5", reason = "it breaks" }]
components = ["nvcc", "cudart", "headers", "cudadevrt", "cccl"]
[driver]
linux = "525.60.13"
ptx-jit = "required"
[host.linux]
gcc = ">=9, <14"
clang = ">=14"
std = "c++17"
[arch]
targets = ["sm_75", "8.6", "sm_90"]
min = "7.5"
env = ["CUDA_ARCH"]
spelling = "8.6"
ptx = "highest"
by-toolkit = [{ toolkit = "<13", targets = ["sm_75", "sm_86"] }]
[env]
toolkit.root = ["CUDA_HOME", "CUDA_PATH"]
toolkit.lib = ["LD_LIBRARY_PATH"]
BNB_CUDA_VERSION = "{toolkit.short}"
DEMO_FLAGS = "-L{toolkit.root}/lib64 -O2"
[components.cmake]
version = ">=3.20"
[components.ninja]
required = false
[components.git]
version = ">=2"
[components.libclang]
version = ">=99"
only-for = ["bindgen"]
[components.cudnn]
severity = "warning"
[components.python]
version = ">=3.8"
[components.torch]
required = false
[pins.cuda]
files = [{ file = "Dockerfile", pattern = 'nvidia/cuda:([0-9]+\.[0-9]+)' }, { file = "ci.yml", pattern = '(?:cuda|CUDA): "?([0-9.]+)' }]
[pins.lazy]
severity = "warning"
files = [{ file = "ci.yml", pattern = 'cuda.*?([0-9]+)' }]
[gpu]
min-count = 1
min-memory = "8 GiB"
compute-mode = "default"
exclude-on = "ci"
[mps]
use = "forbidden"
[scope.linux]
off = ["the graphics demo"]
[[kernels]]
name = "k"
sources = ["*.cu"]
`

// scene is a made-up environment on this machine with real toolkits.
type scene struct {
	name  string
	parts []string          // toolkits whose bin stands first on PATH, in order
	env   map[string]string // {12.4} and {13.0} stand for their roots
	files map[string]string // of the project
	smi   string            // what the stand-in for nvidia-smi prints; "": there is none
	proc  string            // what the stand-in for /proc/driver/nvidia/version holds
	lib   bool              // the real libcuda of driver-535 is on the loader path
	edit  [2]string         // a change of the contract
	short bool              // also in a short run
	want  string            // what must come out, so that two wrong answers do not agree
}

const (
	proc535  = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.261.03  Tue Oct  1 00:00:00 UTC 2024\nGCC version:  gcc\n"
	oneL4    = "0, NVIDIA L4, 8.9, 23034, Default, 535.261.03"
	lockText = `cupel = 1

[platform.linux-amd64]
contract = "9e52f3122176cf4097662823abbc682f4e2c21ff0f6932324b059decc08ebbcc"

[platform.linux-amd64.toolkit]
release = "13.0"
source = "pip"

[platform.windows-amd64]
contract = "9e52f3122176cf4097662823abbc682f4e2c21ff0f6932324b059decc08ebbcc"

[platform.windows-amd64.toolkit]
release = "12.4.1"
source = "installer"
`
	goodPin = "FROM nvidia/cuda:12.4.1-devel\n"
)

// detectArchs makes the contract build for the GPUs that are here.
var detectArchs = [2]string{`env = ["CUDA_ARCH"]`, "env = [\"CUDA_ARCH\"]\ndetect = true\nfallback = \"8.0\""}

var scenes = []scene{
	{name: "nothing", short: true, want: "toolkit-present=fail toolkit-band=skipped driver-present=fail host-compiler=pass component-libclang=warn pin-cuda=fail"},
	{name: "toolkit 12.4, no driver", want: "toolkit-band=pass toolkit-components=pass env-cuda-home=pass env-bnb-cuda-version=pass env-cuda-arch=pass arch-toolkit=pass toolkit-active=pass", parts: []string{"cuda-12.4"}, env: map[string]string{"CUDA_HOME": "{12.4}", "CUDA_PATH": "{12.4}", "BNB_CUDA_VERSION": "124", "CUDA_ARCH": "7.5;8.6"}},
	{name: "toolkit 12.4, driver and GPU", short: true, want: "driver-present=pass driver-floor=pass driver-toolkit=pass driver-ptx=fail gpu-count=pass gpu-memory=pass gpu-compute-mode=pass arch-min=pass pin-cuda=pass env-ld-library-path=fail", parts: []string{"cuda-12.4"}, smi: oneL4, proc: proc535, lib: true,
		files: map[string]string{"Dockerfile": goodPin, "ci.yml": "cuda: 12.4\r\n", "a.cu": ""}},
	{name: "driver as new as the toolkit", want: "driver-present=fail", parts: []string{"cuda-12.4"}, smi: "0, NVIDIA L4, 8.9, 23034, Default, 550.54.14", proc: strings.ReplaceAll(proc535, "535.261.03", "550.54.14")},
	{name: "toolkit 13.0 of pip", short: true, want: "toolkit-components=fail driver-toolkit=fail env-cuda-home=pass", parts: []string{"cuda-13.0"}, smi: oneL4, proc: proc535, lib: true, env: map[string]string{"CUDA_HOME": "{13.0}"}},
	{name: "two toolkits, recommended is second", short: true, want: "toolkit-active=warn env-cuda-home=fail env-cuda-path=pass", parts: []string{"cuda-13.0", "cuda-12.4"}, env: map[string]string{"CUDA_HOME": "{13.0}", "CUDA_PATH": "{12.4}"},
		edit: [2]string{`min = "12.0"`, "min = \"12.0\"\nrecommended = \"12.4\""}},
	{name: "CUPEL_TOOLKIT asks for another", want: "toolkit-active=warn", parts: []string{"cuda-12.4", "cuda-13.0"}, env: map[string]string{"CUPEL_TOOLKIT": "cu130"}},
	{name: "CUPEL_TOOLKIT asks for what is not here", want: "toolkit-present=fail", parts: []string{"cuda-12.4"}, env: map[string]string{"CUPEL_TOOLKIT": "11.4"}},
	{name: "CUPEL_TOOLKIT is a path", want: "env-cuda-home=pass toolkit-active=warn", parts: []string{"cuda-13.0"}, env: map[string]string{"CUPEL_TOOLKIT": "{12.4}", "CUDA_HOME": "{12.4}"}},
	{name: "CUPEL_TOOLKIT is a path of its own", want: "toolkit-active=warn", parts: []string{"cuda-13.0"}, env: map[string]string{"CUPEL_TOOLKIT": "{12.4}"}},
	{name: "choice.toml", want: "toolkit-active=warn", parts: []string{"cuda-12.4", "cuda-13.0"}, files: map[string]string{".cupel/choice.toml": "toolkit = \"13.0\"\n"}},
	{name: "cupel.lock", want: "toolkit-active=warn", parts: []string{"cuda-12.4", "cuda-13.0"}, files: map[string]string{"cupel.lock": lockText}},
	{name: "CI needs no GPU", want: "driver-present=skipped gpu-count=skipped", parts: []string{"cuda-12.4"}, env: map[string]string{"GITHUB_ACTIONS": "true"}},
	{name: "below minimum", want: "toolkit-band=fail", parts: []string{"cuda-12.4"}, edit: [2]string{`min = "12.0"`, `min = "12.6"`}},
	{name: "newer than verified", want: "toolkit-band=warn", parts: []string{"cuda-13.0"}, edit: [2]string{`max-verified = "13.2"`, `max-verified = "12.9"`}},
	{name: "excluded", want: "toolkit-band=fail", parts: []string{"cuda-12.4"}, edit: [2]string{`"12.5"`, `">=12.4, <12.6"`}},
	{name: "two GPUs, one small and old", want: "gpu-count=pass gpu-memory=pass gpu-compute-mode=fail arch-min=fail", parts: []string{"cuda-12.4"}, smi: "0, NVIDIA T4, 7.5, 15360, Default, 535.261.03\n1, Quadro P400, 6.1, 2048, Exclusive_Process, 535.261.03", proc: proc535, lib: true},
	{name: "too little memory", want: "gpu-memory=fail", parts: []string{"cuda-12.4"}, smi: "0, NVIDIA T4, 7.5, 4096, Default, 535.261.03", proc: proc535, lib: true},
	{name: "memory and mode not told", want: "gpu-memory=warn gpu-compute-mode=skipped", parts: []string{"cuda-12.4"}, smi: "0, NVIDIA L4, 8.9, [N/A], [N/A], 535.261.03", proc: proc535, lib: true},
	{name: "old nvidia-smi", want: "gpu-count=pass gpu-memory=pass arch-min=warn", parts: []string{"cuda-12.4"}, smi: "old\n0, NVIDIA Nothing, 23034, Default, 470.1.1", proc: proc535, lib: true},
	{name: "driver below the floor", want: "driver-floor=fail", parts: []string{"cuda-12.4"}, smi: oneL4, proc: proc535, lib: true, edit: [2]string{`linux = "525.60.13"`, `linux = "545.23"`}},
	{name: "kernel module without libcuda", want: "driver-present=fail", parts: []string{"cuda-12.4"}, smi: oneL4, proc: proc535},
	{name: "compiler out of the contract's range", want: "host-compiler=fail", parts: []string{"cuda-12.4"}, edit: [2]string{`gcc = ">=9, <14"`, `gcc = ">=9, <12"`}},
	{name: "compiler named for nvcc", want: "host-compiler=pass", parts: []string{"cuda-12.4"}, env: map[string]string{"NVCC_PREPEND_FLAGS": "-O2 -ccbin g++-11"}, edit: [2]string{`gcc = ">=9, <14"`, `gcc = "11"`}},
	{name: "NVCC_CCBIN is not read by 12.4", want: "host-compiler=fail", parts: []string{"cuda-12.4"}, env: map[string]string{"NVCC_CCBIN": "g++-11"}, edit: [2]string{`gcc = ">=9, <14"`, `gcc = "11"`}},
	{name: "NVCC_CCBIN is read by 13.0", want: "host-compiler=pass", parts: []string{"cuda-13.0"}, env: map[string]string{"NVCC_CCBIN": "g++-11"}, edit: [2]string{`gcc = ">=9, <14"`, `gcc = "11"`}},
	{name: "pins differ", short: true, want: "pin-cuda=fail", files: map[string]string{"Dockerfile": goodPin + "FROM nvidia/cuda:12.6.0-base\n", "ci.yml": "CUDA: \"12.4\"\n"}},
	{name: "pins agree twice on a line", want: "pin-cuda=pass", files: map[string]string{"Dockerfile": "nvidia/cuda:12.4 nvidia/cuda:12.4\n", "ci.yml": "cuda: 12.4\n"}},
	{name: "a pin that is not the contract's", want: "pin-cuda=fail", files: map[string]string{"Dockerfile": goodPin, "ci.yml": "cuda: 12.4\n"}, edit: [2]string{"[pins.cuda]", "[pins.cuda]\nvalue = \"12.6\""}},
	{name: "builders", want: "builders=pass", files: map[string]string{"Cargo.toml": "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n", "Cargo.lock": "version = 3\n\n[[package]]\nname = \"cudaforge\"\nversion = \"0.1.6\"\n\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\"cudaforge\"]\n"}},
	{name: "a builder too old", want: "builders=fail", files: map[string]string{"Cargo.toml": "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n", "Cargo.lock": "version = 3\n\n[[package]]\nname = \"cudaforge\"\nversion = \"0.1.3\"\n\n[[package]]\nname = \"demo\"\nversion = \"0.1.0\"\ndependencies = [\"cudaforge\"]\n"}},
	{name: "no GPU is needed, no driver", want: "driver-present=skipped driver-floor=skipped mps=skipped", parts: []string{"cuda-12.4"}, edit: [2]string{"min-count = 1", "min-count = 0"}},
	{name: "no GPU is needed, a driver too old", want: "driver-toolkit=warn driver-ptx=warn arch-min=skipped", parts: []string{"cuda-13.0"}, lib: true, edit: [2]string{"min-count = 1", "min-count = 0"}},
	{name: "no GPU is needed, one is here", want: "driver-toolkit=fail arch-min=fail gpu-memory=pass", parts: []string{"cuda-13.0"}, smi: "0, Quadro P6000, 6.1, 24576, Default, 535.261.03", proc: proc535, lib: true, edit: [2]string{"min-count = 1", "min-count = 0"}},
	{name: "no GPU is needed, a module without libcuda", want: "driver-present=warn", parts: []string{"cuda-12.4"}, proc: proc535, edit: [2]string{"min-count = 1", "min-count = 0"}},
	{name: "built elsewhere", short: true, want: "platform=fail", edit: [2]string{`build = "cargo"`, "build = \"cargo\"\non = [\"windows\"]"}},
	{name: "targets in another order", want: "env-cuda-arch=pass", parts: []string{"cuda-12.4"}, env: map[string]string{"CUDA_ARCH": "8.6;7.5"}},
	{name: "targets by the GPU", want: "env-cuda-arch=pass", short: true, parts: []string{"cuda-12.4"}, smi: oneL4, proc: proc535, lib: true, env: map[string]string{"CUDA_ARCH": "8.6"}, edit: detectArchs},
	{name: "targets by another GPU", want: "env-cuda-arch=warn", parts: []string{"cuda-12.4"}, smi: "0, NVIDIA T4, 7.5, 15360, Default, 535.261.03", proc: proc535, lib: true, env: map[string]string{"CUDA_ARCH": "8.6"}, edit: detectArchs},
	{name: "targets without a GPU", want: "env-cuda-arch=pass", parts: []string{"cuda-12.4"}, env: map[string]string{"CUDA_ARCH": "8.0"}, edit: detectArchs},
	{name: "targets without a toolkit", want: "env-cuda-arch=pass", smi: oneL4, proc: proc535, lib: true, env: map[string]string{"CUDA_ARCH": "8.6"}, edit: detectArchs},
	{name: "targets by two kinds of GPU", want: "env-cuda-arch=skipped", parts: []string{"cuda-12.4"}, smi: oneL4 + "\n1, NVIDIA T4, 7.5, 15360, Default, 535.261.03", proc: proc535, lib: true, env: map[string]string{"CUDA_ARCH": "8.6"}, edit: detectArchs},
	{name: "a GPU that no target fits", want: "env-cuda-arch=pass", parts: []string{"cuda-12.4"}, smi: "0, Quadro P400, 6.1, 2048, Default, 535.261.03", proc: proc535, lib: true, env: map[string]string{"CUDA_ARCH": "8.0"}, edit: detectArchs},
	{name: "an update is the minimum", want: "toolkit-band=pass", parts: []string{"cuda-13.0"}, edit: [2]string{`min = "12.0"`, `min = "13.0.0"`}},
	{name: "an update is recommended", want: "toolkit-present=pass", parts: []string{"cuda-12.4", "cuda-13.0"}, edit: [2]string{`min = "12.0"`, "min = \"12.0\"\nrecommended = \"13.0.2\""}},
	{name: "a component's bound is finer than what is known", want: "component-cmake=warn", edit: [2]string{`version = ">=3.20"`, `version = ">=3.25.1, <4"`}},
	{name: "built here", want: "platform=pass", edit: [2]string{`build = "cargo"`, "build = \"cargo\"\non = [\"linux\", \"wsl2\"]"}},
	{name: "a library that is not there", want: "toolkit-components=fail", parts: []string{"cuda-12.4"}, edit: [2]string{`"cccl"]`, `"cccl", "cufft", "cupti"]`}},
	{name: "strange values", short: true, want: "env-cuda-home=fail", parts: []string{"cuda-12.4"}, env: map[string]string{"CUDA_HOME": "$(touch evil)`touch evil`", "DEMO_FLAGS": "'\"$HOME"}},
}

// build makes the project folder and the environment of this process: the survey reads it, the script inherits it.
func (s scene) build(t *testing.T) string {
	dir := t.TempDir()
	driver := ""
	if s.lib {
		driver = filepath.Join(testbed.Root(t, "driver-535"), "usr/lib/x86_64-linux-gnu/nvidia/current")
	}
	roots := map[string]string{"{12.4}": testbed.Toolkit(t, "cuda-12.4"), "{13.0}": testbed.Toolkit(t, "cuda-13.0")}
	bins := []string{filepath.Join(dir, "bin")}
	for _, p := range s.parts {
		bins = append(bins, filepath.Join(testbed.Toolkit(t, p), "bin"))
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if name != "HOME" && name != "USER" && !strings.HasPrefix(name, "GO") && name != "TMPDIR" {
			t.Setenv(name, "") // the test's own environment says nothing
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", dir)
	t.Setenv("PATH", strings.Join(append(bins, "/usr/bin", "/bin"), ":"))
	if s.lib {
		t.Setenv("LD_LIBRARY_PATH", driver)
	}
	for name, value := range s.env {
		for mark, root := range roots {
			value = strings.ReplaceAll(value, mark, root)
		}
		t.Setenv(name, value)
	}
	files := map[string]string{"cupel.toml": "cupel = 1\n", "bin/keep": ""}
	for n, text := range s.files {
		files[n] = text
	}
	if s.smi != "" {
		files["bin/nvidia-smi"] = standIn(s.smi)
	}
	if s.proc != "" {
		files["proc-version"] = s.proc
	}
	for n, text := range files {
		p := filepath.Join(dir, n)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// standIn is a program that answers --query-gpu as nvidia-smi does, from a table with the columns index, name,
// compute_cap, memory.total, compute_mode, driver_version. One that begins with "old" refuses compute_cap.
func standIn(table string) string {
	old, columns := "no", "index,name,compute_cap,memory.total,compute_mode,driver_version"
	if rest, ok := strings.CutPrefix(table, "old\n"); ok {
		old, table, columns = "yes", rest, "index,name,memory.total,compute_mode,driver_version"
	}
	return `#!/bin/sh
# Stand-in for nvidia-smi.
fields=${1#--query-gpu=}
case $fields in *compute_cap*) if [ ` + old + ` = yes ]; then echo 'Field "compute_cap" is not a valid field to query.'; exit 2; fi;; esac
while IFS= read -r line; do
  printf '%s\n' "$line" | awk -F ', ' -v have=` + columns + ` -v want="$fields" '{
    n = split(have, h, ","); for (i = 1; i <= n; i++) v[h[i]] = $i
    m = split(want, w, ","); for (i = 1; i <= m; i++) printf "%s%s", (i > 1 ? ", " : ""), (w[i] in v ? v[w[i]] : "[N/A]"); print "" }'
done << 'END'
` + table + "\nEND\n"
}
