package verify_test

import (
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/verify"
)

func TestEnvChecks(t *testing.T) {
	const roots = "[toolkit]\nrecommended = \"12.4\"\n[env]\ntoolkit.root = [\"CUDA_HOME\"]\nBNB_CUDA_VERSION = \"{toolkit.short}\"\nMAX_JOBS = \"4\"\nDEMO_ROOT = \"{toolkit.root}\"\n"
	run(t, []checkCase{
		{"right", five, roots, env("CUDA_HOME", "/usr/local/cuda-12.4"), "env-cuda-home", verify.Pass, "/usr/local/cuda-12.4"},
		{"right with a slash at the end", five, roots, env("CUDA_HOME", "/usr/local/cuda-12.4/"), "env-cuda-home", verify.Pass, ""},
		{"through a link", "container-gpu", roots, env("CUDA_HOME", "/usr/local/cuda"), "env-cuda-home", verify.Pass, "/usr/local/cuda"},
		{"another toolkit", five, roots, env("CUDA_HOME", "/usr/local/cuda-12.1"), "env-cuda-home", verify.Fail, "12.1.0 in /usr/local/cuda-12.1"},
		{"not set", five, roots, env(), "env-cuda-home", verify.Warn, `eval "$(cupel env --toolkit 12.4)"`},
		{"empty is not set", five, roots, env("CUDA_HOME", ""), "env-cuda-home", verify.Warn, "not set"},
		{"no toolkit", "ubuntu-bare", roots, nil, "env-cuda-home", verify.Skipped, "toolkit-present"},
		{"template", five, roots, env("BNB_CUDA_VERSION", "124"), "env-bnb-cuda-version", verify.Pass, "124"},
		{"template of another toolkit", five, roots, env("BNB_CUDA_VERSION", "121"), "env-bnb-cuda-version", verify.Fail, "export BNB_CUDA_VERSION=124"},
		{"plain value", five, roots, env("MAX_JOBS", "4"), "env-max-jobs", verify.Pass, "4"},
		{"other plain value", five, roots, env("MAX_JOBS", "8"), "env-max-jobs", verify.Warn, "export MAX_JOBS=4"},
		{"not in the snapshot", five, roots, env(), "env-demo-root", verify.Skipped, "snapshot"},
		{"asked for and not set", five, roots, edits(env(), func(in *verify.Input) { in.Asked = true }), "env-demo-root", verify.Warn, "not set"},
		{"windows in PowerShell", win, roots, env(), "env-bnb-cuda-version", verify.Warn, "$env:BNB_CUDA_VERSION = '129'"},
		{"windows names have no case", win, roots, env("Bnb_Cuda_Version", "129"), "env-bnb-cuda-version", verify.Pass, "129"},
		{"one of a list of folders", five, "[toolkit]\nrecommended = \"12.4\"\n[env]\ntoolkit.lib = [\"LD_LIBRARY_PATH\"]\n", env("LD_LIBRARY_PATH", "/opt/x:/usr/local/cuda-12.4/lib64"), "env-ld-library-path", verify.Pass, ""},
		{"not in a list of folders", five, "[toolkit]\nrecommended = \"12.4\"\n[env]\ntoolkit.lib = [\"LD_LIBRARY_PATH\"]\n", env("LD_LIBRARY_PATH", "/opt/x"), "env-ld-library-path", verify.Fail, "in front of LD_LIBRARY_PATH"},
		{"no list of folders yet", five, "[toolkit]\nrecommended = \"12.4\"\n[env]\ntoolkit.lib = [\"LD_LIBRARY_PATH\"]\n", env(), "env-ld-library-path", verify.Warn, "export LD_LIBRARY_PATH=/usr/local/cuda-12.4/lib64"},
		{"architectures as CMake reads them", five, "[arch]\ntargets = [\"8.6\", \"7.5\"]\nptx = \"highest\"\nenv = \"CUDAARCHS\"\n", env("CUDAARCHS", "75-real;86"), "env-cudaarchs", verify.Pass, ""},
		{"architectures as torch reads them", five, "[arch]\ntargets = [\"8.6\", \"7.5\"]\nptx = \"highest\"\nenv = \"TORCH_CUDA_ARCH_LIST\"\n", env(), "env-torch-cuda-arch-list", verify.Warn, "7.5;8.6+PTX"},
		{"a reader of one number", five, "[arch]\ntargets = [\"8.6\", \"7.5\"]\nenv = \"CUDA_COMPUTE_CAP\"\n", env("CUDA_COMPUTE_CAP", "75"), "env-cuda-compute-cap", verify.Pass, "75"},
		{"the contract's own spelling", five, "[arch]\ntargets = [\"8.6\", \"7.5\"]\nspelling = \"sm_86\"\nseparator = \",\"\nenv = \"CUDA_ARCH\"\n", env("CUDA_ARCH", "sm_75,sm_86"), "env-cuda-arch", verify.Pass, ""},
		{"the fallback where no GPU is", ci, "[arch]\ndetect = true\nfallback = \"8.0\"\nenv = \"CUDAARCHS\"\n", env("CUDAARCHS", "80-real"), "env-cudaarchs", verify.Pass, ""},
		{"other architectures", five, "[arch]\ntargets = [\"8.6\", \"7.5\"]\nenv = \"CUDAARCHS\"\n", env("CUDAARCHS", "86"), "env-cudaarchs", verify.Warn, "export CUDAARCHS='75;86'"},
		{"misspelt architectures", five, "[arch]\ntargets = [\"8.6\"]\nenv = \"CUDAARCHS\"\n", env("CUDAARCHS", "sm_86"), "env-cudaarchs", verify.Warn, "86"},
		{"architectures where no toolkit is", "ubuntu-bare", "[arch]\ntargets = [\"8.6\"]\nenv = \"CUDAARCHS\"\n", env("CUDAARCHS", "86"), "env-cudaarchs", verify.Pass, "86"},
	})
}

func TestComponentChecks(t *testing.T) {
	cudnn := func(more string) string { return "[components.cudnn]\nversion = \">=9\"\n" + more }
	run(t, []checkCase{
		{"in range", five, cudnn(""), library("cudnn", "9.1.0", "/usr/lib/libcudnn.so.9"), "component-cudnn", verify.Pass, "9.1.0"},
		{"out of range", five, cudnn("reason = \"new API\"\n"), library("cudnn", "8.9.7", "/usr/lib/libcudnn.so.8"), "component-cudnn", verify.Fail, "new API"},
		{"missing, with the contract's hint", five, cudnn("install = { linux = \"apt-get install cudnn9\", windows = \"x\" }\n"), nil, "component-cudnn", verify.Fail, "apt-get install cudnn9"},
		{"missing and a warning", five, cudnn("severity = \"warning\"\n"), nil, "component-cudnn", verify.Warn, "not found"},
		{"missing and mere information", five, cudnn("severity = \"info\"\n"), nil, "component-cudnn", verify.Skipped, "not found"},
		{"missing on WSL2, with the hint of Linux", wsl, cudnn("install = { linux = \"apt-get install cudnn9\" }\n"), nil, "component-cudnn", verify.Fail, "apt-get install cudnn9"},
		{"missing on CI, with its own hint", ci, cudnn("install = { linux = \"x\", ci = \"setup-cudnn\" }\n"), nil, "component-cudnn", verify.Fail, "setup-cudnn"},
		{"missing and optional", five, cudnn("required = false\n"), nil, "component-cudnn", verify.Skipped, "optional"},
		{"missing and for one config only", five, cudnn("only-for = [\"conv\"]\n"), nil, "component-cudnn", verify.Warn, "for conv"},
		{"version unreadable", five, cudnn(""), func(in *verify.Input) {
			in.Machine.Libraries = []fact.Library{{Name: "cudnn", Path: "/x", Version: fact.Fact[string]{State: fact.Unreadable, Why: "no header"}}}
		}, "component-cudnn", verify.Warn, "no header"},
		{"toolchain", five, "[components.rust]\ntoolchain = \"nightly-2026-01-01\"\n", rust("nightly-2026-01-01-x86_64-unknown-linux-gnu", "x"), "component-rust", verify.Pass, "nightly"},
		{"other toolchain, installed", five, "[components.rust]\ntoolchain = \"1.80\"\nseverity = \"warning\"\n", rust("stable-x86_64-unknown-linux-gnu", "x", "1.80-x86_64-unknown-linux-gnu"), "component-rust", verify.Warn, "rustup override set 1.80"},
		{"other toolchain, not installed", five, "[components.rust]\ntoolchain = \"1.80\"\n", rust("stable-x86_64-unknown-linux-gnu", "x"), "component-rust", verify.Fail, "rustup toolchain install 1.80"},
		{"tool", ci, "[components.cmake]\nversion = \">=3.24\"\n", nil, "component-cmake", verify.Pass, "3.31"},
		{"tool too old", ci, "[components.cmake]\nversion = \">=4\"\n", nil, "component-cmake", verify.Fail, "outside >=4"},
		{"python", five, "[components.python]\nversion = \">=3.9\"\n", nil, "component-python", verify.Pass, "3.12"},
		{"torch of conda", "conda", "[components.torch]\nversion = \">=2.4\"\n", nil, "component-torch", verify.Pass, "2.7.1"},
		{"helper", five, "[components.cupel-gpu]\n", nil, "component-cupel-gpu", verify.Pass, "cupel-gpu"},
	})
	in := input(t, five, cudnn("on = \"windows\"\n"))
	if c := find(verify.Judge(in).Findings, "component-cudnn"); c != nil {
		t.Errorf("a component of Windows is asked for on Linux: %+v", *c)
	}
}

func TestProjectChecks(t *testing.T) {
	const pins = "[pins.cuda]\nreason = \"one image\"\nfiles = [{ file = \"Dockerfile\", pattern = \"cuda:(\\\\S+)\" }, { file = \"ci.yml\", pattern = \"cuda: (\\\\S+)\" }]\n"
	pin := func(values ...fact.PinValue) edit { return project(fact.Project{Root: "/p", Pins: values}) }
	at := func(file string, line int, value string) fact.PinValue {
		return fact.PinValue{Pin: "cuda", File: file, Line: line, Value: value}
	}
	const builders = "[project]\nname = \"demo\"\nbuilders = [\"cudaforge >=0.1.6\", \"cudarc\"]\n"
	crates := func(list ...fact.Crate) edit { return project(fact.Project{Root: "/p", Crates: list}) }
	locked := project(fact.Project{Root: "/p", Locks: []string{"/p/Cargo.lock"}})
	const kernels = "[[kernels]]\nname = \"my_kernels\"\nsources = [\"src/*.cu\", \"gen/*.cu\"]\n"
	sources := func(s fact.Sources) edit { return project(fact.Project{Root: "/p", Kernels: []fact.Sources{s}}) }
	run(t, []checkCase{
		{"agree", five, pins, pin(at("Dockerfile", 1, "12.4.1"), at("ci.yml", 9, "12.4.1")), "pin-cuda", verify.Pass, "12.4.1"},
		{"differ", five, pins, pin(at("Dockerfile", 1, "12.4.1"), at("ci.yml", 9, "12.5")), "pin-cuda", verify.Fail, "Dockerfile:1 says 12.4.1, ci.yml:9 says 12.5"},
		{"not the contract's value", five, "[pins.cuda]\nvalue = \"12.4\"\nfiles = [{ file = \"a\", pattern = \"(x)\" }]\n", pin(at("a", 3, "12.1")), "pin-cuda", verify.Fail, "write the same value everywhere: 12.4"},
		{"a file is gone", five, pins, pin(at("Dockerfile", 1, "12.4.1"), fact.PinValue{Pin: "cuda", File: "ci.yml", Why: "no such file"}), "pin-cuda", verify.Fail, "no such file"},
		{"a warning", five, strings.Replace(pins, "reason", "severity = \"warning\"\nreason", 1), pin(at("Dockerfile", 1, "1"), at("ci.yml", 9, "2")), "pin-cuda", verify.Warn, "one image"},
		{"not read", five, pins, nil, "pin-cuda", verify.Skipped, "were not read"},
		{"allowed builders", five, builders, crates(fact.Crate{Name: "cudaforge", Version: "0.1.6"}, fact.Crate{Name: "serde", Version: "1.0.0"}), "builders", verify.Pass, "cudaforge 0.1.6"},
		{"too old a builder", five, builders, crates(fact.Crate{Name: "cudaforge", Version: "0.1.2", File: "Cargo.lock", Line: 12}), "builders", verify.Fail, "Cargo.lock:12"},
		{"another builder", five, builders, crates(fact.Crate{Name: "bindgen_cuda", Version: "0.1.6", File: "Cargo.lock", Line: 3}), "builders", verify.Fail, "cargo tree -i bindgen_cuda@0.1.6"},
		{"a range with more space", five, "[project]\nname = \"demo\"\nbuilders = [\" cudaforge   >=0.1.6, <0.2 \"]\n", crates(fact.Crate{Name: "cudaforge", Version: "0.1.6"}), "builders", verify.Pass, "cudaforge 0.1.6"},
		{"a version nobody can read", five, builders, crates(fact.Crate{Name: "cudaforge", Version: "git"}), "builders", verify.Fail, "cudaforge git"},
		{"none locked", five, builders, locked, "builders", verify.Pass, "none is locked"},
		{"no lock file", five, builders, nil, "builders", verify.Skipped, "no Cargo.lock"},
		{"files found", five, kernels, sources(fact.Sources{Kernel: "my_kernels", Files: []string{"src/a.cu"}}), "kernels-my-kernels", verify.Pass, "1 file"},
		{"a pattern matches nothing", five, kernels, sources(fact.Sources{Kernel: "my_kernels", Files: []string{"src/a.cu"}, Empty: []string{"gen/*.cu"}}), "kernels-my-kernels", verify.Fail, "gen/*.cu matches no file"},
		{"it points at the pattern", five, kernels, sources(fact.Sources{Kernel: "my_kernels", Empty: []string{"gen/*.cu"}}), "kernels-my-kernels", verify.Fail, "cupel.toml:6:24"},
		{"optional", five, kernels + "optional = true\n", sources(fact.Sources{Kernel: "my_kernels", Empty: []string{"src/*.cu"}}), "kernels-my-kernels", verify.Warn, "matches no file"},
		{"not read", five, kernels, nil, "kernels-my-kernels", verify.Skipped, "were not read"},
	})
}

func TestRestChecks(t *testing.T) {
	const runs = "[gpu]\nmin-count = 1\nexclude-on = \"ci\"\n"
	daemon := func(in *verify.Input) { in.Machine.MPS.Daemon = fact.Of("77", "/proc/77") }
	run(t, []checkCase{
		{"required and running", five, runs + "[mps]\nuse = \"required\"\n", daemon, "mps", verify.Pass, "pid 77"},
		{"required and not running", five, runs + "[mps]\nuse = \"required\"\n", nil, "mps", verify.Fail, "nvidia-cuda-mps-control -d"},
		{"forbidden and running", five, runs + "[mps]\nuse = \"forbidden\"\nreason = \"it forks\"\n", daemon, "mps", verify.Fail, "it forks"},
		{"no GPU is needed", ci, runs + "[mps]\nuse = \"required\"\n", nil, "mps", verify.Skipped, "no GPU is needed here"},
		{"built here", five, "[project]\nname = \"p\"\non = \"linux\"\n", nil, "platform", verify.Pass, "linux"},
		{"built on Linux, so under WSL2 too", wsl, "[project]\nname = \"p\"\non = \"linux\"\n", nil, "platform", verify.Pass, "wsl2"},
		{"not built here", win, "[project]\nname = \"p\"\non = [\"linux\"]\n", nil, "platform", verify.Fail, "not built on windows"},
		{"off here", win, "[scope.windows]\noff = [{ item = \"Flash attention\", reason = \"no MSVC\", follow-up = \"issue 12\" }]\n", nil, "scope-flash-attention", verify.Skipped, "no MSVC; follow-up: issue 12"},
		{"off on CI", ci, "[scope.ci]\noff = [\"GPU tests\"]\n", nil, "scope-gpu-tests", verify.Skipped, "leaves it out"},
	})
}
