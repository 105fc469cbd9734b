package environ

import (
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/gpu"
)

func TestRoots(t *testing.T) {
	m, tk := linuxMachine()
	set := For(m, tk, Options{})
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_ROOT", "CUDA_LIBRARY_PATH"} {
		if got := set.get(t, name); got != "/usr/local/cuda-12.4" {
			t.Errorf("%s = %q, want the resolved root", name, got)
		}
	}
	for name, want := range map[string]string{
		"CUDACXX": "/usr/local/cuda-12.4/bin/nvcc", "NVCC": "/usr/local/cuda-12.4/bin/nvcc", "PATH": "/usr/local/cuda-12.4/bin",
		"LIBRARY_PATH": "/usr/local/cuda-12.4/lib64:/usr/local/cuda-12.4/lib64/stubs",
	} {
		if got := set.get(t, name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"CUDAHOSTCXX", "NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "CC", "CXX", "LD_LIBRARY_PATH", "CUDA_ARCH", "INCLUDE", "CUDNN_PATH"} {
		if set.has(name) {
			t.Errorf("%s is set, want it left alone: the default compiler fits and nothing was asked", name)
		}
	}
}

func TestPipLayoutUsesLib(t *testing.T) {
	m, tk := linuxMachine()
	tk = fact.Toolkit{Root: "/v/nvidia/cu13", Release: fact.Of("13.0.2", ""), Libs: []string{"/v/nvidia/cu13/lib"},
		Parts: map[string]string{fact.PartNvcc: "/v/nvidia/cu13/bin/nvcc"}}
	set := For(m, tk, Options{})
	if got := set.get(t, "LIBRARY_PATH"); got != "/v/nvidia/cu13/lib" {
		t.Errorf("LIBRARY_PATH = %q, want the lib folder that exists", got)
	}
	if !strings.Contains(set.notes(), "no libcuda stub") {
		t.Errorf("notes = %q, want that the stub is missing", set.notes())
	}
}

func TestDebianLayout(t *testing.T) {
	m, _ := linuxMachine()
	tk := fact.Toolkit{Root: "/usr", Release: fact.Of("12.4.1", ""), Libs: []string{"/usr/lib/x86_64-linux-gnu"},
		Parts: map[string]string{fact.PartNvcc: "/usr/lib/nvidia-cuda-toolkit/bin/nvcc", fact.PartStub: "/usr/lib/x86_64-linux-gnu/stubs/libcuda.so"}}
	m.Toolkits = []fact.Toolkit{tk}
	m.Path = []fact.PathDir{{Dir: "/usr/bin", Exists: true}}
	m.Places = map[string]fact.Place{"/usr/bin/nvcc": {Kind: "file", Exec: true}}
	set := For(m, tk, Options{})
	if got := set.get(t, "NVCC"); got != "/usr/bin/nvcc" {
		t.Errorf("NVCC = %q, want the one in the root's bin", got)
	}
	if set.has("PATH") {
		t.Error("PATH is set: /usr/bin would come before the folders a person put in front of it")
	}
	if got := set.get(t, "LIBRARY_PATH"); got != "/usr/lib/x86_64-linux-gnu/stubs" {
		t.Errorf("LIBRARY_PATH = %q, want the stubs alone: the linker searches the other by itself", got)
	}
	run := For(m, tk, Options{Runtime: true})
	if len(run.Vars) != 0 || !strings.Contains(run.notes(), "nothing to set") {
		t.Errorf("run-time environment = %v, want nothing and a note", run.Vars)
	}
}

func TestCompilers(t *testing.T) {
	chosen := gcc("12.2.0", "/opt/my tools/g++-12", false)
	for _, tt := range []struct {
		name   string
		change func(*fact.Machine)
		opt    Options
		want   map[string]string
		absent []string
		note   string
	}{
		{"default too new", func(m *fact.Machine) { m.Compilers[0] = gcc("14.2.0", "/usr/bin/g++", true) }, Options{},
			map[string]string{"CUDAHOSTCXX": "/usr/bin/g++-12", "NVCC_CCBIN": "/usr/bin/g++-12", "NVCC_PREPEND_FLAGS": "-ccbin=/usr/bin/g++-12"}, nil, "gcc 14.2.0 is newer than CUDA 12.4.1 accepts"},
		{"default too new and none fits", func(m *fact.Machine) { m.Compilers = []fact.Compiler{gcc("14.2.0", "/usr/bin/g++", true)} }, Options{},
			nil, []string{"CUDAHOSTCXX", "NVCC_CCBIN"}, "no host compiler is named"},
		{"flags of somebody else are kept", func(m *fact.Machine) {
			m.Compilers[0] = gcc("14.2.0", "/usr/bin/g++", true)
			m.Env["NVCC_PREPEND_FLAGS"] = "-Xptxas -v"
		}, Options{}, map[string]string{"NVCC_CCBIN": "/usr/bin/g++-12"}, []string{"NVCC_PREPEND_FLAGS"}, "NVCC_PREPEND_FLAGS is left as it is"},
		{"chosen while the default fits", func(m *fact.Machine) {}, Options{Compiler: &chosen},
			map[string]string{"CUDAHOSTCXX": "/opt/my tools/g++-12"}, []string{"NVCC_CCBIN"}, "CUDAHOSTCXX is read by CMake alone"},
		{"NVCC_CCBIN asked for", func(m *fact.Machine) {}, Options{NvccCCBin: true},
			map[string]string{"NVCC_CCBIN": "/usr/bin/g++"}, []string{"CUDAHOSTCXX"}, "add -allow-unsupported-compiler"},
		{"CC and CXX asked for", func(m *fact.Machine) {}, Options{Compiler: &chosen, CCAndCXX: true},
			map[string]string{"CC": "/opt/my tools/gcc-12", "CXX": "/opt/my tools/g++-12"}, nil, ""},
		{"CC and CXX of the default", func(m *fact.Machine) {}, Options{CCAndCXX: true},
			map[string]string{"CC": "/usr/bin/gcc", "CXX": "/usr/bin/g++"}, []string{"CUDAHOSTCXX"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, tk := linuxMachine()
			tt.change(&m)
			set := For(m, tk, tt.opt)
			for name, want := range tt.want {
				if got := set.get(t, name); got != want {
					t.Errorf("%s = %q, want %q", name, got, want)
				}
			}
			for _, name := range tt.absent {
				if set.has(name) {
					t.Errorf("%s = %q, want it not set", name, set.get(t, name))
				}
			}
			if !strings.Contains(set.notes(), tt.note) {
				t.Errorf("notes = %q, want %q", set.notes(), tt.note)
			}
		})
	}
}

func TestNoteNamesTheBuilders(t *testing.T) {
	for _, crate := range []string{"bindgen_cuda 0.1.0–0.1.6", "cudaforge 0.1.0–0.1.6"} {
		if !strings.Contains(unchecking(), crate) {
			t.Errorf("builders that switch the check off = %q, want %s among them", unchecking(), crate)
		}
	}
}

func TestArchs(t *testing.T) {
	arch := func(names ...string) (list []gpu.Arch) {
		for _, n := range names {
			list = append(list, gpu.MustArch(n))
		}
		return list
	}
	for _, tt := range []struct {
		name              string
		gpus              []string
		asked             []gpu.Arch
		cap, cmake, torch string
		note              string
	}{
		{"one GPU", []string{"8.6"}, nil, "86", "86", "8.6", ""},
		{"two kinds of GPU", []string{"9.0", "8.0", "9.0"}, nil, "80", "80;90", "8.0;9.0", "CUDA_COMPUTE_CAP takes one number: 80"},
		{"GPU newer than the toolkit", []string{"12.0"}, nil, "", "", "", "makes no code for GPU"},
		{"GPU without a target of its own", []string{"8.8"}, nil, "87", "87", "8.7", "sm_87 is used"},
		{"asked for before the GPUs", []string{"8.6"}, arch("sm_75"), "75", "75", "7.5", ""},
		{"machine code and PTX", nil, arch("sm_80", "sm_90", "compute_90"), "80", "80;90", "8.0;9.0+PTX", ""},
		{"PTX alone", nil, arch("compute_80"), "80", "80-virtual", "8.0+PTX", ""},
		{"with a suffix", nil, arch("sm_90a"), "90a", "90a", "9.0a", "bindgen_cuda takes digits only"},
		{"asked for and unknown to the toolkit", nil, arch("sm_120"), "120", "120", "12.0", "does not know sm_120"},
		{"none known", nil, nil, "", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, tk := linuxMachine()
			m.GPUs = nil
			for _, cc := range tt.gpus {
				m.GPUs = append(m.GPUs, fact.GPU{Name: "GPU", CC: fact.Of(cc, "")})
			}
			set := For(m, tk, Options{Archs: tt.asked})
			for name, want := range map[string]string{"CUDA_COMPUTE_CAP": tt.cap, "CUDAARCHS": tt.cmake, "TORCH_CUDA_ARCH_LIST": tt.torch} {
				if want == "" && set.has(name) {
					t.Errorf("%s = %q, want it not set", name, set.get(t, name))
				} else if want != "" && set.get(t, name) != want {
					t.Errorf("%s = %q, want %q", name, set.get(t, name), want)
				}
			}
			if !strings.Contains(set.notes(), tt.note) {
				t.Errorf("notes = %q, want %q", set.notes(), tt.note)
			}
		})
	}
}

func TestCuDNN(t *testing.T) {
	lib := func(path, include, version, origin string, major int) fact.Library {
		return fact.Library{Name: "cudnn", Path: path, Include: include, Version: fact.Of(version, ""), Origin: origin, CUDAMajor: major}
	}
	system := lib("/usr/lib/x86_64-linux-gnu/libcudnn.so.9", "/usr/include/x86_64-linux-gnu", "9.14.0", "system", 12)
	pip := lib("/v/nvidia/cudnn/lib/libcudnn.so.9", "/v/nvidia/cudnn/include", "9.19.0", "pip", 12)
	other := lib("/o/lib64/libcudnn.so.9", "/o/include", "9.20.0", "system", 13)
	untold := lib("/u/lib/libcudnn.so.9", "/u/include", "9.14.0", "system", 0)
	inside := lib("/usr/local/cuda-12.4/lib64/libcudnn.so.9", "/usr/local/cuda-12.4/include", "9.1.0", "toolkit", 0)
	for _, tt := range []struct {
		name       string
		libs       []fact.Library
		root, dir  string
		note, load string
	}{
		{"the system's before pip's", []fact.Library{pip, system}, "/usr", "/usr/lib/x86_64-linux-gnu", "", "/usr/local/cuda-12.4/lib64"},
		{"pip's when alone", []fact.Library{pip}, "/v/nvidia/cudnn", "/v/nvidia/cudnn/lib", "", "/usr/local/cuda-12.4/lib64:/v/nvidia/cudnn/lib"},
		{"inside the toolkit first", []fact.Library{system, inside}, "/usr/local/cuda-12.4", "/usr/local/cuda-12.4/lib64", "", "/usr/local/cuda-12.4/lib64"},
		{"for another major", []fact.Library{other}, "", "", "no cuDNN here is known to be built for CUDA 12", "/usr/local/cuda-12.4/lib64"},
		{"major not told", []fact.Library{untold}, "", "", "no cuDNN here is known", "/usr/local/cuda-12.4/lib64"},
		{"none", nil, "", "", "", "/usr/local/cuda-12.4/lib64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, tk := linuxMachine()
			m.Libraries = tt.libs
			set := For(m, tk, Options{})
			for name, want := range map[string]string{"CUDNN_PATH": tt.root, "CUDNN_LIB": tt.root, "CUDNN_LIB_DIR": tt.dir} {
				if want == "" && set.has(name) {
					t.Errorf("%s = %q, want it not set", name, set.get(t, name))
				} else if want != "" && set.get(t, name) != want {
					t.Errorf("%s = %q, want %q", name, set.get(t, name), want)
				}
			}
			if !strings.Contains(set.notes(), tt.note) {
				t.Errorf("notes = %q, want %q", set.notes(), tt.note)
			}
			if got := For(m, tk, Options{Runtime: true}).get(t, "LD_LIBRARY_PATH"); got != tt.load {
				t.Errorf("LD_LIBRARY_PATH = %q, want %q", got, tt.load)
			}
		})
	}
}

func TestLibclangAndMKL(t *testing.T) {
	m, tk := linuxMachine()
	m.Libraries = []fact.Library{
		{Name: "libclang", Path: "/usr/lib/llvm-14/lib/libclang.so.1", Version: fact.Of("14.0.6", "")},
		{Name: "libclang", Path: "/usr/lib/llvm-16/lib/libclang.so.1", Version: fact.Of("16.0.0", "")},
		{Name: "mkl", Path: "/opt/intel/mkl/lib/libmkl_rt.so.2", Version: fact.Of("2024.0", "")},
	}
	set := For(m, tk, Options{})
	if got := set.get(t, "LIBCLANG_PATH"); got != "/usr/lib/llvm-16/lib" {
		t.Errorf("LIBCLANG_PATH = %q, want the newest one's folder", got)
	}
	if got := set.get(t, "MKLROOT"); got != "/opt/intel/mkl" {
		t.Errorf("MKLROOT = %q, want the root", got)
	}
	m.Env["LIBCLANG_PATH"], m.Env["MKLROOT"] = "/mine", "/mine"
	if set = For(m, tk, Options{}); set.has("LIBCLANG_PATH") || set.has("MKLROOT") {
		t.Error("a value that is set already is replaced")
	}
}

func TestRuntimeNeverNamesStubs(t *testing.T) {
	m, tk := linuxMachine()
	tk.Parts[fact.PartLib64] = ""
	tk.Libs = []string{"/usr/local/cuda-12.4/lib64/stubs", "/usr/local/cuda-12.4/lib64"}
	set := For(m, tk, Options{Runtime: true})
	if len(set.Vars) != 1 || set.get(t, "LD_LIBRARY_PATH") != "/usr/local/cuda-12.4/lib64" {
		t.Errorf("run-time environment = %+v, want LD_LIBRARY_PATH without stubs and nothing else", set.Vars)
	}
}

func TestWindows(t *testing.T) {
	m, tk := windowsMachine()
	set := For(m, tk, Options{Compiler: &m.Compilers[1]})
	tools := `C:\Program Files\Microsoft Visual Studio\2022\BuildTools\VC\Tools\MSVC\14.40.33807`
	path := set.get(t, "PATH")
	for _, want := range []string{winRoot + `\bin;` + winRoot + `\bin\x64;`, tools + `\bin\Hostx64\x64`} {
		if !strings.Contains(path, want) {
			t.Errorf("PATH = %q, want %q in it", path, want)
		}
	}
	if got := set.get(t, "INCLUDE"); !strings.HasPrefix(got, tools+`\include;`) || !strings.Contains(got, `10.0.22621.0\ucrt`) {
		t.Errorf("INCLUDE = %q, want the chosen toolset and the newest SDK", got)
	}
	if got := set.get(t, "LIB"); !strings.Contains(got, tools+`\lib\x64`) {
		t.Errorf("LIB = %q, want the chosen toolset", got)
	}
	for _, name := range []string{"LIBRARY_PATH", "LD_LIBRARY_PATH", "NVCC_CCBIN"} {
		if set.has(name) {
			t.Errorf("%s is set on Windows", name)
		}
	}
	run := For(m, tk, Options{Runtime: true})
	if len(run.Vars) != 1 || run.get(t, "PATH") != winRoot+`\bin\x64` {
		t.Errorf("run-time environment = %+v, want PATH with the DLL folders", run.Vars)
	}
}

func TestLoadedStudioIsLeftAlone(t *testing.T) {
	for _, tt := range []struct {
		name, arch, dir string
		set             bool
	}{
		{"same toolset, x64", "x64", `c:\program files\Microsoft Visual Studio\2022\BuildTools\VC\Tools\MSVC\14.38.33130\`, false},
		{"32-bit prompt", "x86", `C:\Program Files\Microsoft Visual Studio\2022\BuildTools\VC\Tools\MSVC\14.38.33130\`, true},
		{"another toolset", "x64", `C:\Program Files\Microsoft Visual Studio\2022\BuildTools\VC\Tools\MSVC\14.16.27023\`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, tk := windowsMachine()
			m.Env["vcToolsInstallDir"], m.Env["VSCMD_ARG_TGT_ARCH"] = tt.dir, tt.arch
			if got := For(m, tk, Options{}).has("INCLUDE"); got != tt.set {
				t.Errorf("INCLUDE set = %v, want %v", got, tt.set)
			}
		})
	}
}

// TestEveryVariableHasARow: no variable is written that the reference page does not explain.
func TestEveryVariableHasARow(t *testing.T) {
	seen := map[string]string{Recorded: "linux"}
	chosen := gcc("12.2.0", "/usr/bin/g++-12", false)
	for _, opt := range []Options{{}, {Compiler: &chosen, CCAndCXX: true, NvccCCBin: true}, {Runtime: true}} {
		m, tk := linuxMachine()
		m.Libraries = []fact.Library{{Name: "cudnn", Path: "/c/lib/libcudnn.so", CUDAMajor: 12}, {Name: "libclang", Path: "/l/libclang.so"}, {Name: "mkl", Path: "/m/lib/libmkl_rt.so"}}
		for _, v := range For(m, tk, opt).Vars {
			seen[v.Name] = "linux"
		}
	}
	m, tk := windowsMachine()
	for _, v := range For(m, tk, Options{}).Vars {
		if seen[v.Name] == "" {
			seen[v.Name] = "windows"
		}
	}
	for name, os := range seen {
		if row, ok := data.VariableByName(name, os); !ok || (len(row.OS) > 0 && !slices.Contains(row.OS, os)) {
			t.Errorf("%s has no row in data/variables.toml for %s", name, os)
		}
	}
}
