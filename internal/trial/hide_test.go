package trial

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/testbed"
)

func TestHideFrom(t *testing.T) {
	kit := func(root, origin string, parts map[string]string) fact.Toolkit {
		return fact.Toolkit{Root: root, Origin: origin, Parts: parts}
	}
	linuxHome := fact.System{OS: "linux", Home: "/home/ann"}
	for _, tt := range []struct {
		name          string
		in            fact.Machine
		roots, shared []string
		libs, progs   []string
	}{
		{"an installer's root and its link", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{{Root: "/usr/local/cuda", Real: "/usr/local/cuda-12.4", Origin: "installer"}}},
			[]string{"/usr/local/cuda", "/usr/local/cuda-12.4"}, nil, nil, nil},
		{"a distribution's root is taken apart", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{kit("/usr", "distribution", map[string]string{
			fact.PartNvcc: "/usr/bin/nvcc", fact.PartStub: "/usr/lib/x86_64-linux-gnu/stubs/libcuda.so", fact.PartHeader: "/usr/include/cuda.h"})}},
			nil, []string{"/usr"}, []string{"/usr/lib/x86_64-linux-gnu/stubs/libcuda.so"}, []string{"/usr/bin/nvcc"}},
		{"a conda environment is taken apart", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{kit("/opt/conda/envs/x", "conda", nil)}},
			nil, []string{"/opt/conda/envs/x"}, nil, nil},
		{"a root that is a system folder", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{kit("/usr/local", "unknown", nil)}}, nil, []string{"/usr/local"}, nil, nil},
		{"a root around the home folder", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{kit("/home", "unknown", nil)}}, nil, []string{"/home"}, nil, nil},
		{"a root around a compiler", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{kit("/srv/all", "unknown", nil)}, Compilers: []fact.Compiler{{Path: "/srv/all/bin/g++"}}},
			nil, []string{"/srv/all"}, nil, nil},
		{"ptxas as a tool keeps nothing", fact.Machine{System: linuxHome, Toolkits: []fact.Toolkit{kit("/srv/cuda", "unknown", nil)}, Tools: []fact.Tool{{Name: "ptxas", Path: "/srv/cuda/bin/ptxas"}}},
			[]string{"/srv/cuda"}, nil, nil, nil},
		{"wheels of a Python", fact.Machine{System: linuxHome, Pythons: []fact.Python{{Path: "/v/bin/python", Site: []string{"/v/lib/site-packages"}, Wheels: map[string]string{"nvidia-cublas": "13"}}, {Site: []string{"/w"}}}},
			[]string{"/v/lib/site-packages/nvidia"}, nil, nil, nil},
		{"the driver", fact.Machine{System: linuxHome, Driver: fact.Driver{Libraries: []fact.DriverLibrary{{Path: "/lib/libcuda.so.1", Real: "/lib/libcuda.so.535"}}, SMI: fact.Of("/usr/bin/nvidia-smi", "PATH")}},
			nil, nil, []string{"/lib/libcuda.so.1", "/lib/libcuda.so.535"}, []string{"/usr/bin/nvidia-smi"}},
		{"libraries beside the toolkit, not others", fact.Machine{System: linuxHome, Libraries: []fact.Library{{Name: "cudnn", Path: "/l/libcudnn.so.9"}, {Name: "libclang", Path: "/l/libclang.so"}}},
			nil, nil, []string{"/l/libcudnn.so.9"}, nil},
		{"Windows", fact.Machine{System: fact.System{OS: "windows", Home: `C:\Users\ann`}, Toolkits: []fact.Toolkit{kit(`C:\CUDA\v13.0`, "installer", nil)}, Driver: fact.Driver{Libraries: []fact.DriverLibrary{{Path: `C:\Windows\System32\nvcuda.dll`}}}},
			[]string{`C:\CUDA\v13.0`}, nil, []string{`C:\Windows\System32\nvcuda.dll`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := HideFrom(tt.in)
			got := [][]string{h.Roots, h.Shared, h.Libraries, h.Programs}
			if diff := cmp.Diff([][]string{tt.roots, tt.shared, tt.libs, tt.progs}, got); diff != "" {
				t.Errorf("roots, shared, libraries, programs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNamesAreCUDAs: every file of a distribution's packages is known by its name, and no other file is.
func TestNamesAreCUDAs(t *testing.T) {
	usr := filepath.Join(testbed.Root(t, "debian-12.4"), "usr")
	driver := filepath.Join(testbed.Root(t, "driver-535"), "usr", "lib", "x86_64-linux-gnu", "nvidia", "current")
	for _, tt := range []struct {
		dir  string
		name *pattern.Pattern
		also []string // entries that are no files of CUDA's
	}{
		{filepath.Join(usr, "bin"), programName, nil},
		{filepath.Join(usr, "include"), headerName, nil},
		{filepath.Join(usr, "lib", "x86_64-linux-gnu"), libraryName, []string{"cuda-gdb", "pkgconfig", "stubs"}},
		{filepath.Join(usr, "lib", "x86_64-linux-gnu", "stubs"), libraryName, nil},
		{driver, libraryName, nil},
		{filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "lib"), libraryName, []string{"cmake"}},
	} {
		entries, err := os.ReadDir(tt.dir)
		if err != nil || len(entries) == 0 {
			t.Fatalf("%s: %d entries, %v", tt.dir, len(entries), err)
		}
		for _, e := range entries {
			if !tt.name.MatchString(e.Name()) && !slices.Contains(tt.also, e.Name()) {
				t.Errorf("%s in %s is not known to be CUDA's", e.Name(), tt.dir)
			}
		}
	}
}

func TestNamesOfOthers(t *testing.T) {
	for _, tt := range []struct {
		name *pattern.Pattern
		not  []string
	}{
		{libraryName, []string{"libcurl.so.4", "libcups.so.2", "libcurses.so", "libnvme.so.1", "libnpth.so.0", "libc.so.6", "libcuda", "libnvidia.so"}},
		{programName, []string{"cc", "nvme", "nvccx", "cuda", "bin2cc", "ncurses6-config"}},
		{headerName, []string{"curses.h", "curl", "cups", "nvme.h", "stdio.h", "math.h", "cudahelper_of_others.c", "linux", "mmap.h", "driver.h"}},
	} {
		for _, n := range tt.not {
			if tt.name.MatchString(n) {
				t.Errorf("%s is taken for CUDA's", n)
			}
		}
	}
}

func TestContractVars(t *testing.T) {
	c := &contract.Contract{
		Arch: contract.Arch{Env: contract.Words{"MY_ARCHS"}},
		Env: contract.Env{
			EnvTable: contract.EnvTable{Names: map[string][]string{"toolkit.root": {"KIT"}, "host.cxx": {"CXX"}, "toolkit.bin": {"PATH"}}},
			Linux:    contract.EnvTable{Vars: map[string]string{"SHORT": "{toolkit.short}", "MODE": "fast"}},
		},
	}
	if diff := cmp.Diff([]string{"KIT", "MY_ARCHS", "SHORT"}, ContractVars(c)); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}

func TestStubDirs(t *testing.T) {
	for in, want := range map[string][]string{"/k/lib64/stubs/libcuda.so": {"/k/lib64/stubs"}, `C:\k\lib\x64\cuda.lib`: {`C:\k\lib\x64`}, "": nil} {
		if got := StubDirs(fact.Toolkit{Parts: map[string]string{fact.PartStub: in}}); !cmp.Equal(got, want) {
			t.Errorf("StubDirs(%q) = %q, want %q", in, got, want)
		}
	}
}
