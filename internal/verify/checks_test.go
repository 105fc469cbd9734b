package verify_test

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/verify"
)

// edit changes a copy of a machine or project; what it does not replace is shared with the other cases.
type edit func(in *verify.Input)

func noDriver(in *verify.Input) { in.Machine.Driver, in.Machine.GPUs = fact.Driver{}, nil }

func noToolkit(in *verify.Input) { in.Machine.Toolkits, in.Machine.Path = nil, nil }

func driver(version, level string) edit {
	return func(in *verify.Input) {
		in.Machine.Driver.Kernel, in.Machine.Driver.UserMode = fact.Of(version, "/proc/driver/nvidia/version"), fact.Of(version, "libcuda.so.1")
		in.Machine.Driver.Level = fact.Of(level, "cuDriverGetVersion")
	}
}

func gpus(list ...fact.GPU) edit { return func(in *verify.Input) { in.Machine.GPUs = list } }

func device(cc string, mib int64, mode string) fact.GPU {
	return fact.GPU{Name: "GPU " + cc, CC: fact.Of(cc, "NVML"), MemoryMiB: mib, ComputeMode: mode, Source: "NVML"}
}

func env(pairs ...string) edit {
	return func(in *verify.Input) {
		in.Machine.Env = map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			in.Machine.Env[pairs[i]] = pairs[i+1]
		}
	}
}

func as(word string) edit {
	return func(in *verify.Input) { in.Platform, _ = verify.PlatformOf(in.Machine, word) }
}

func hostCompiler(name string) edit { return func(in *verify.Input) { in.Host = name } }

func toolkit(name string) edit {
	return func(in *verify.Input) { in.Choice = choice.Options{Flag: name} }
}

func project(p fact.Project) edit { return func(in *verify.Input) { in.Project = p } }

func library(name, version, path string) edit {
	return func(in *verify.Input) {
		in.Machine.Libraries = []fact.Library{{Name: name, Version: fact.Of(version, "header"), Path: path, Origin: "system"}}
	}
}

func rust(toolchain, triple string, installed ...string) edit {
	return func(in *verify.Input) {
		in.Machine.Rust = fact.Rust{Cargo: fact.Of("/home/ann/.cargo/bin/cargo", "PATH"), Toolchain: fact.Of(toolchain, "settings.toml"), Host: fact.Of(triple, "settings.toml"), Installed: installed}
	}
}

func edits(list ...edit) edit {
	return func(in *verify.Input) {
		for _, e := range list {
			e(in)
		}
	}
}

const five, ci, win, wsl = "ubuntu-five-toolkits", "ubuntu-ci", "windows-rtx5060ti", "wsl2-rtx4090"

// checkCase is one check on one machine: how it ends and what it says, in any of its texts.
type checkCase struct {
	name, host, contract string
	edit                 edit
	id                   string
	want                 verify.Status
	says                 string
}

func run(t *testing.T, cases []checkCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.id+": "+tt.name, func(t *testing.T) {
			in := input(t, tt.host, tt.contract)
			if tt.edit != nil {
				tt.edit(&in)
			}
			a := verify.Judge(in)
			c := find(a.Findings, tt.id)
			if c == nil {
				t.Fatalf("no check %s under\n%s\nin\n%s", tt.id, tt.contract, lines(a.Findings))
			}
			told := lines([]verify.Check{*c}) + c.Where + "\n" + c.After
			for _, e := range c.Evidence {
				told += "\n" + e.Source + " " + e.Text
			}
			if c.Status != tt.want || !strings.Contains(told, tt.says) {
				t.Errorf("%s ends as %s, want %s; it says\n%s\nwant %q", tt.id, c.Status, tt.want, told, tt.says)
			}
			if bad := c.Status == verify.Fail || c.Status == verify.Warn; bad && (c.What == "" || c.Why == "") {
				t.Errorf("%s says too little: %s", tt.id, told)
			}
			if c.Status == verify.Fail && len(c.Next) == 0 {
				t.Errorf("%s fails without a next step: %s", tt.id, told)
			}
			if c.Status == verify.Skipped && c.Why == "" {
				t.Errorf("%s is skipped without a reason: %s", tt.id, told)
			}
		})
	}
}

func TestToolkitChecks(t *testing.T) {
	const bands = "[toolkit]\nmin = \"12.0\"\nrecommended = \"12.4\"\nmax-verified = \"12.9\"\nexclude = [{ release = \"12.8\", reason = \"it crashes\", source = \"issue 7\" }]\n"
	run(t, []checkCase{
		{"there", five, bands, nil, "toolkit-present", verify.Pass, "/usr/local/cuda-12.4"},
		{"none", "ubuntu-bare", bands, nil, "toolkit-present", verify.Fail, "cupel plan"},
		{"asked for and not installed", five, bands, toolkit("11.2"), "toolkit-present", verify.Fail, "--toolkit asks for 11.2"},
		{"libraries only", five, bands, func(in *verify.Input) {
			in.Machine.Toolkits = []fact.Toolkit{{Root: "/opt/x", Release: fact.Of("12.4.1", "version.json"), Parts: map[string]string{}}}
		}, "toolkit-present", verify.Fail, ""},
		{"recommended", five, bands, nil, "toolkit-band", verify.Pass, "12.4.1, recommended"},
		{"supported names the recommended one", five, bands, toolkit("12.1"), "toolkit-band", verify.Pass, "CUDA 12.4 is recommended"},
		{"below", five, bands, toolkit("11.8"), "toolkit-band", verify.Fail, "older than 12.0"},
		{"below names an installed one", five, bands, toolkit("11.8"), "toolkit-band", verify.Fail, `eval "$(cupel env --toolkit 12.4)"`},
		{"points at the line", five, bands, toolkit("11.8"), "toolkit-band", verify.Fail, "cupel.toml:5:"},
		{"excluded gives reason and source", five, bands, toolkit("12.8"), "toolkit-band", verify.Fail, "it crashes (issue 7)"},
		{"newer is a warning", five, bands, toolkit("13.0"), "toolkit-band", verify.Warn, "newer than 12.9"},
		{"an update above a short bound is not newer", five, "[toolkit]\nmax-verified = \"12.8\"\n", toolkit("12.8"), "toolkit-band", verify.Pass, "supported"},
		{"X.Y alone against a bound with an update", "h200-server", "[toolkit]\nmin = \"13.0.1\"\n", nil, "toolkit-band", verify.Warn, "cannot be told"},
		{"no toolkit", "ubuntu-bare", bands, nil, "toolkit-band", verify.Skipped, "toolkit-present"},
		{"release not told", five, bands, func(in *verify.Input) {
			in.Machine.Toolkits = []fact.Toolkit{{Root: "/opt/x", Release: fact.Fact[string]{State: fact.Unreadable, Why: "permission denied"}, Parts: map[string]string{fact.PartNvcc: "/opt/x/bin/nvcc"}}}
		}, "toolkit-band", verify.Fail, "permission denied"},
		{"nvcc of no use", five, bands, func(in *verify.Input) {
			in.Machine.Toolkits = []fact.Toolkit{{Root: "/opt/x", Parts: map[string]string{fact.PartNvcc: "/opt/x/bin/nvcc"}, Faults: map[string]string{fact.PartNvcc: "not executable"}}}
		}, "toolkit-present", verify.Fail, "not executable"},
		{"windows overrides", win, "[toolkit]\nmin = \"11.8\"\n[toolkit.windows]\nmin = \"13.0\"\n", nil, "toolkit-band", verify.Fail, "older than 13.0"},
		{"active", ci, bands, nil, "toolkit-active", verify.Pass, "12.4.1"},
		{"another one is first on PATH", five, bands, nil, "toolkit-active", verify.Warn, `eval "$(cupel env --toolkit 12.4)"`},
		{"no nvcc on PATH", five, "[toolkit]\nmin = \"12.0\"\n", func(in *verify.Input) { in.Machine.Path = nil }, "toolkit-active", verify.Warn, "no nvcc is on PATH"},
		{"no toolkit", "ubuntu-bare", bands, nil, "toolkit-active", verify.Skipped, "toolkit-present"},
		{"all parts", ci, "[toolkit]\ncomponents = [\"nvcc\", \"ptxas\", \"cublas\", \"headers\", \"cuda-stub\"]\n", nil, "toolkit-components", verify.Pass, "all of them"},
		{"a part is missing", ci, "[toolkit]\ncomponents = [\"nvcc\", \"nvlink\"]\n", func(in *verify.Input) {
			t := in.Machine.Toolkits[0]
			t.Parts = map[string]string{fact.PartNvcc: t.Parts[fact.PartNvcc]}
			in.Machine.Toolkits = []fact.Toolkit{t}
		}, "toolkit-components", verify.Fail, "lacks nvlink"},
		{"a part is of no use", ci, "[toolkit]\ncomponents = [\"ptxas\"]\n", func(in *verify.Input) {
			t := in.Machine.Toolkits[0]
			t.Faults = map[string]string{fact.PartPtxas: "the file is empty"}
			in.Machine.Toolkits = []fact.Toolkit{t}
		}, "toolkit-components", verify.Fail, "the file is empty"},
		{"one cannot be told", ci, "[toolkit]\ncomponents = [\"nvcc\", \"cufft\"]\n", unlooked, "toolkit-components", verify.Pass, "cannot tell: cufft"},
		{"none can be told", ci, "[toolkit]\ncomponents = [\"cufft\"]\n", unlooked, "toolkit-components", verify.Skipped, "cannot tell: cufft"},
		{"no toolkit", "ubuntu-bare", "[toolkit]\ncomponents = [\"nvcc\"]\n", nil, "toolkit-components", verify.Skipped, "toolkit-present"},
	})
}

func TestHostChecks(t *testing.T) {
	const old = "[toolkit]\nmin = \"11\"\n"
	run(t, []checkCase{
		{"fits both", ci, "[host.linux]\ngcc = \">=9, <14\"\n", nil, "host-compiler", verify.Pass, "gcc 13.3.0"},
		{"none is the default", ci, "[host.linux]\ngcc = \"<13\"\n", noDefault, "host-compiler", verify.Fail, "--host-compiler g++-12"},
		{"not known whether it fits", ci, "[toolkit]\nmin = \"12\"\n", func(in *verify.Input) {
			release("99.0")(in)
			in.Machine.Toolkits[0].Bounds = fact.Fact[fact.Bounds]{}
		}, "host-compiler", verify.Warn, "not known whether"},
		{"32-bit", "windows-broken", "[host.windows]\nmsvc = \">=19\"\n", func(in *verify.Input) {
			in.Machine.Toolkits = []fact.Toolkit{{Root: `C:\cuda`, Release: fact.Of("12.4.1", "x"), Parts: map[string]string{fact.PartNvcc: `C:\cuda\bin\nvcc.exe`}}}
		}, "host-compiler", verify.Fail, "32-bit"},
		{"outside the contract", ci, "[host.linux]\ngcc = { range = \">=9, <13\", reason = \"ICE\" }\n", nil, "host-compiler", verify.Fail, "ICE"},
		{"names a fitting one", ci, "[host.linux]\ngcc = \">=9, <13\"\n", nil, "host-compiler", verify.Fail, `eval "$(cupel env --host-compiler g++-12)"`},
		{"told to use it", ci, "[host.linux]\ngcc = \">=9, <13\"\n", hostCompiler("g++-12"), "host-compiler", verify.Pass, "gcc 12.4.0"},
		{"told to use one that is not here", ci, "[host.linux]\ngcc = \">=9\"\n", hostCompiler("g++-7"), "host-compiler", verify.Fail, "g++-7 was not found"},
		{"too new for the toolkit", five, old, toolkit("11.8"), "host-compiler", verify.Fail, "too new for CUDA 11.8.0"},
		{"allowed by the contract", five, old + "[host.linux]\nunsupported-compiler = \"allow\"\n", toolkit("11.8"), "host-compiler", verify.Warn, "-allow-unsupported-compiler"},
		{"another family", ci, "[host.linux]\nclang = \">=14\"\n", nil, "host-compiler", verify.Fail, "clang >=14"},
		{"none", "ubuntu-bare", "[host.linux]\ngcc = \">=9\"\n", nil, "host-compiler", verify.Fail, "no host compiler"},
		{"no toolkit and no range", "ubuntu-bare", old, nil, "host-compiler", verify.Skipped, "toolkit-present"},
		{"msvc", win, "[host.windows]\nmsvc = \">=19.30\"\n", nil, "host-compiler", verify.Pass, "19.44"},
		{"msvc not on PATH", win, "[host.windows]\nmsvc = \">=19.30\"\n", noDefault, "host-compiler", verify.Warn, "not on PATH"},
		{"msvc too old for the contract", win, "[host.windows]\nmsvc = \">=19.50\"\n", nil, "host-compiler", verify.Fail, "outside >=19.50"},
		{"wsl2 has its own range", wsl, "[host.linux]\ngcc = \"<20\"\n[host.wsl2]\ngcc = \"<12\"\n", nil, "host-compiler", verify.Fail, "outside <12"},
		{"toolset of the compiler in use", win, "[host.windows]\ntoolset = \">=14.40\"\n", nil, "host-toolset", verify.Pass, "14.44"},
		{"toolset too old", win, "[host.windows]\ntoolset = \">=14.50\"\n", nil, "host-toolset", verify.Fail, "14.44"},
		{"toolset on Linux", ci, "[host.linux]\ntoolset = \">=14.40\"\n", nil, "host-toolset", verify.Skipped, "only Windows"},
		{"sdk", win, "[host.windows]\nsdk = \">=10.0.19041\"\n", nil, "host-sdk", verify.Pass, "10.0.26100.0"},
		{"no sdk", "windows-broken", "[host.windows]\nsdk = \">=10.0.19041\"\n", nil, "host-sdk", verify.Fail, "none"},
		{"sdk on Linux", ci, "[host.linux]\nsdk = \">=10\"\n", nil, "host-sdk", verify.Skipped, "only Windows"},
		{"triple", win, "[host.windows]\ntriple = \"x86_64-pc-windows-msvc\"\n", nil, "host-triple", verify.Pass, "windows-msvc"},
		{"other triple", "windows-broken", "[host.windows]\ntriple = \"x86_64-pc-windows-msvc\"\n", nil, "host-triple", verify.Fail, "rustup default stable-x86_64-pc-windows-msvc"},
		{"no Rust", "ubuntu-bare", "[host.linux]\ntriple = \"x86_64-unknown-linux-gnu\"\n", nil, "host-triple", verify.Skipped, "no Rust"},
		{"standard not in the tables", ci, "[host.linux]\nstd = \"c++17\"\n", toolkit("12.8"), "host-std", verify.Skipped, "do not say"},
		{"standard in the tables", ci, "[host.linux]\nstd = \"c++17\"\n", release("13.4.0"), "host-std", verify.Pass, "c++17"},
		{"no toolkit", "ubuntu-bare", "[host.linux]\nstd = \"c++17\"\ngcc = \">=9\"\n", nil, "host-std", verify.Skipped, "toolkit-present"},
	})
}

// noDefault: compilers are installed, none is what nvcc takes by itself.
func noDefault(in *verify.Input) {
	in.Machine.Compilers = slices.Clone(in.Machine.Compilers)
	for i := range in.Machine.Compilers {
		in.Machine.Compilers[i].Default = false
	}
}

// release makes the first toolkit one of another release.
func release(text string) edit {
	return func(in *verify.Input) {
		t := in.Machine.Toolkits[0]
		t.Release = fact.Of(text, "version.json")
		in.Machine.Toolkits = []fact.Toolkit{t}
	}
}

func TestDriverChecks(t *testing.T) {
	const floor = "[toolkit]\nmin = \"12.0\"\n[driver]\nlinux = { version = \"550\", reason = \"new API\" }\nwindows = \"551\"\nptx-jit = \"required\"\n"
	run(t, []checkCase{
		{"there", five, floor, nil, "driver-present", verify.Pass, "580.95.05"},
		{"none where one is needed", five, floor + "[gpu]\nmin-count = 1\n", noDriver, "driver-present", verify.Fail, "no NVIDIA driver"},
		{"none on a machine that only builds", five, floor, noDriver, "driver-present", verify.Skipped, "asks for no GPU"},
		{"kernel module alone where one is needed", "container-nogpu", floor + "[gpu]\nmin-count = 1\n", nil, "driver-present", verify.Fail, "docker run --gpus all"},
		{"kernel module alone on a machine that only builds", "container-nogpu", floor, nil, "driver-present", verify.Warn, "no libcuda"},
		{"none on CI", ci, floor, nil, "driver-present", verify.Skipped, "asks for no GPU"},
		{"needed on CI", ci, floor + "[gpu]\nmin-count = 1\n", nil, "driver-present", verify.Fail, "no NVIDIA driver"},
		{"excused from a GPU", five, floor + "[gpu]\nmin-count = 1\nexclude-on = \"linux\"\n", noDriver, "driver-present", verify.Skipped, "no GPU is needed here"},
		{"wsl2 has a library of Windows' driver", wsl, floor, nil, "driver-present", verify.Pass, "581.42"},
		{"new enough", five, floor, nil, "driver-floor", verify.Pass, "580.95.05"},
		{"too old", five, floor, driver("525.60.13", "12.0"), "driver-floor", verify.Fail, "new API"},
		{"wsl2 takes the floor of Windows", wsl, floor, nil, "driver-floor", verify.Pass, "551 or newer"},
		{"wsl2 is upgraded on Windows", wsl, strings.Replace(floor, "551", "600", 1), nil, "driver-floor", verify.Fail, "on Windows"},
		{"jetson has no number", "jetson-orin", floor, nil, "driver-floor", verify.Skipped, "L4T"},
		{"none on CI", ci, floor, nil, "driver-floor", verify.Skipped, "asks for no GPU"},
		{"serves the toolkit", five, floor, nil, "driver-toolkit", verify.Pass, "minor-version"},
		{"older than the major needs", five, floor, edits(toolkit("13.0"), driver("570.26", "12.8")), "driver-toolkit", verify.Fail, "cuda-compat-13-0"},
		{"no toolkit", five, floor, noToolkit, "driver-toolkit", verify.Skipped, "toolkit-present"},
		{"compiles its PTX", five, floor, nil, "driver-ptx", verify.Pass, "CUDA 13.0"},
		{"PTX is newer", five, floor, edits(toolkit("12.8"), driver("550.54.14", "12.4")), "driver-ptx", verify.Fail, "error 222"},
		{"level not told", five, floor, edits(driver("1.0", ""), func(in *verify.Input) { in.Machine.Driver.Level = fact.Fact[string]{} }), "driver-ptx", verify.Warn, "not known which CUDA"},
		{"no number", five, floor, func(in *verify.Input) {
			in.Machine.Driver.Kernel, in.Machine.Driver.UserMode = fact.Fact[string]{}, fact.Fact[string]{}
		}, "driver-floor", verify.Warn, "could not be read"},
		{"unreadable", five, floor, func(in *verify.Input) {
			in.Machine.Driver = fact.Driver{Kernel: fact.Fact[string]{State: fact.Unreadable, Why: "permission denied"}}
		}, "driver-present", verify.Warn, "permission denied"},
		{"a toolkit without a floor in the tables", five, floor, release("99.0"), "driver-toolkit", verify.Skipped, "no driver floor"},
		{"no driver", five, floor, noDriver, "driver-ptx", verify.Skipped, "driver-present"},
	})
}

func TestDeviceChecks(t *testing.T) {
	const one = "[toolkit]\nmin = \"12.0\"\n[gpu]\nmin-count = 1\nmin-memory = \"8 GiB\"\ncompute-mode = \"default\"\n[arch]\nmin = \"7.5\"\ntargets = [\"7.5\", \"8.0\"]\n"
	run(t, []checkCase{
		{"enough", five, one, nil, "gpu-count", verify.Pass, "RTX 3090"},
		{"too few", five, strings.Replace(one, "min-count = 1", "min-count = 2", 1), nil, "gpu-count", verify.Fail, "1 GPU found, 2 needed"},
		{"no driver", five, one, noDriver, "gpu-count", verify.Skipped, "driver-present"},
		{"enough memory", five, one, nil, "gpu-memory", verify.Pass, "24 GiB"},
		{"too little memory", five, one, gpus(device("8.6", 4096, "default")), "gpu-memory", verify.Fail, "8 GiB needed"},
		{"a small one beside", five, one, gpus(device("8.6", 2048, "default"), device("8.6", 16384, "default")), "gpu-memory", verify.Pass, "16 GiB"},
		{"only one of two is big enough", five, strings.Replace(one, "min-count = 1", "min-count = 2", 1), gpus(device("8.6", 2048, "default"), device("8.6", 16384, "default")), "gpu-memory", verify.Fail, "2 GPUs with 8 GiB needed, 1 found"},
		{"excused", five, one + "[scope.linux]\noff = [\"x\"]\n", func(in *verify.Input) { in.Contract.GPU.ExcludeOn = []string{"linux"}; in.Contract.GPU.MinCount = 0 }, "gpu-memory", verify.Skipped, "no GPU is needed here"},
		{"memory not told", five, one, gpus(device("8.6", 0, "default")), "gpu-memory", verify.Warn, "not known"},
		{"no driver", five, one, noDriver, "gpu-memory", verify.Skipped, "driver-present"},
		{"too little where none is needed", five, strings.Replace(one, "min-count = 1", "min-count = 0", 1), gpus(device("8.6", 4096, "default")), "gpu-memory", verify.Warn, "needs no GPU here"},
		{"mode", five, one, nil, "gpu-compute-mode", verify.Pass, "default"},
		{"other mode", five, one, gpus(device("8.6", 16384, "prohibited")), "gpu-compute-mode", verify.Fail, "sudo nvidia-smi -i 0 -c DEFAULT"},
		{"mode not told", "jetson-orin", one, nil, "gpu-compute-mode", verify.Skipped, "not told"},
		{"capability", five, one, nil, "arch-min", verify.Pass, "8.6"},
		{"capability too low", five, one, gpus(device("6.1", 16384, "default")), "arch-min", verify.Fail, "below 7.5"},
		{"capability not told", five, one, gpus(fact.GPU{Name: "odd", MemoryMiB: 16384, ComputeMode: "default"}), "arch-min", verify.Warn, "not known"},
		{"nothing to look at", five, "[arch]\nmin = \"7.5\"\n", gpus(), "arch-min", verify.Skipped, "no GPU is here"},
		{"machine code runs", five, one, nil, "arch-gpu", verify.Pass, "sm_80"},
		{"another major without PTX", five, one, gpus(device("9.0", 16384, "default")), "arch-gpu", verify.Fail, "arch.ptx keeps no PTX"},
		{"another major with PTX", five, strings.Replace(one, "[arch]\n", "[arch]\nptx = \"highest\"\n", 1), gpus(device("9.0", 16384, "default")), "arch-gpu", verify.Pass, "runs PTX"},
		{"PTX of the highest target runs on no older device", five, "[arch]\nptx = \"highest\"\ntargets = [\"7.5\", \"9.0\"]\n", nil, "arch-gpu", verify.Warn, "nothing that is built runs"},
		{"the fallback alone", five, "[arch]\nfallback = \"8.0\"\n", nil, "arch-gpu", verify.Pass, "8.6"},
		{"capability not told", five, one, gpus(fact.GPU{Name: "odd", MemoryMiB: 16384, ComputeMode: "default"}), "arch-gpu", verify.Warn, "not known"},
		{"PTX that the driver refuses", five, strings.Replace(one, "[arch]\n", "[arch]\nptx = \"all\"\n", 1), edits(gpus(device("9.0", 16384, "default")), driver("525.60.13", "12.0")), "arch-gpu", verify.Fail, "error 222"},
		{"older than every target", five, one, gpus(device("7.0", 16384, "default")), "arch-gpu", verify.Fail, "nothing that is built runs"},
		{"detected", five, "[arch]\ndetect = true\n", nil, "arch-gpu", verify.Pass, "sm_86"},
		{"nothing to look at", five, "[arch]\ntargets = [\"8.6\"]\n", gpus(), "arch-gpu", verify.Skipped, "no GPU is here"},
		{"targets known", five, one, nil, "arch-toolkit", verify.Pass, "all of them"},
		{"target dropped", five, "[arch]\ntargets = [\"7.0\", \"8.6\"]\n", toolkit("13.0"), "arch-toolkit", verify.Fail, "sm_70 is known from CUDA 9.0 to 12.9"},
		{"target too new", five, "[arch]\ntargets = [\"12.0\"]\n", toolkit("12.4"), "arch-toolkit", verify.Fail, `eval "$(cupel env --toolkit 1`},
		{"other targets for that toolkit", five, "[arch]\ntargets = [\"7.0\"]\nby-toolkit = [{ toolkit = \">=13\", targets = [\"7.5\"] }]\n", toolkit("13.0"), "arch-toolkit", verify.Pass, "sm_75"},
		{"a file of a kernel", five, "[[kernels]]\nname = \"k\"\nsources = [\"a.cu\"]\nper-file = [{ sources = [\"a.cu\"], archs = [\"12.0\"] }]\n", toolkit("12.4"), "arch-toolkit", verify.Fail, "sm_120"},
		{"a kernel's own by toolkit", five, "[[kernels]]\nname = \"k\"\nsources = [\"a.cu\"]\narchs = [\"12.0\"]\narchs-by-toolkit = [{ toolkit = \"<12.8\", targets = [\"8.6\"] }]\n", toolkit("12.4"), "arch-toolkit", verify.Pass, "sm_86"},
		{"a variant the toolkit lacks", five, "[arch]\ntargets = [\"9.0a\"]\n", toolkit("11.8"), "arch-toolkit", verify.Fail, "sm_90a is a variant"},
		{"deprecated targets are told", five, "[arch]\ntargets = [\"7.0\"]\n", toolkit("12.8"), "arch-toolkit", verify.Pass, "will go"},
		{"no target for this toolkit", five, "[arch]\nby-toolkit = [{ toolkit = \"<12\", targets = [\"7.5\"] }]\n", toolkit("12.8"), "arch-toolkit", verify.Skipped, "names no target"},
		{"a toolkit newer than the tables", five, "[arch]\ntargets = [\"8.6\"]\n", release("99.0"), "arch-toolkit", verify.Skipped, "do not know the targets"},
		{"a kernel's own", five, "[[kernels]]\nname = \"k\"\nsources = [\"a.cu\"]\narchs = [\"12.0\"]\n", toolkit("12.4"), "arch-toolkit", verify.Fail, "sm_120"},
		{"no toolkit", "ubuntu-bare", one, nil, "arch-toolkit", verify.Skipped, "toolkit-present"},
	})
}
