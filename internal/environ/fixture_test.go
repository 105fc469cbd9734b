package environ

import (
	"strings"
	"testing"

	"cupel/internal/fact"
)

// linuxMachine has one installer's toolkit, two compilers and a GPU.
func linuxMachine() (fact.Machine, fact.Toolkit) {
	root := "/usr/local/cuda-12.4"
	t := fact.Toolkit{
		Root: "/usr/local/cuda", Real: root, Release: fact.Of("12.4.1", "version.json"), Libs: []string{root + "/lib64"},
		Parts: map[string]string{fact.PartNvcc: root + "/bin/nvcc", fact.PartLib64: root + "/lib64", fact.PartStub: root + "/lib64/stubs/libcuda.so"},
	}
	m := fact.Machine{
		System:    fact.System{OS: "linux", Platform: fact.Linux, Arch: "amd64"},
		Toolkits:  []fact.Toolkit{t},
		Compilers: []fact.Compiler{gcc("13.2.0", "/usr/bin/g++", true), gcc("12.2.0", "/usr/bin/g++-12", false)},
		GPUs:      []fact.GPU{{Name: "L4", CC: fact.Of("8.9", "nvidia-smi")}},
		Env:       map[string]string{"PATH": "/usr/bin"},
	}
	return m, t
}

func gcc(version, path string, def bool) fact.Compiler {
	return fact.Compiler{Family: "gcc", Path: path, Version: fact.Of(version, ""), Default: def, Cxx: true}
}

const winRoot = `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.0`

// windowsMachine has the newer DLL layout and two toolsets, of which the first is on PATH.
func windowsMachine() (fact.Machine, fact.Toolkit) {
	vs := `C:\Program Files\Microsoft Visual Studio\2022\BuildTools`
	old, new := vs+`\VC\Tools\MSVC\14.38.33130`, vs+`\VC\Tools\MSVC\14.40.33807`
	t := fact.Toolkit{Root: winRoot, Release: fact.Of("13.0.2", ""), Libs: []string{winRoot + `\lib\x64`}, DLLs: []string{winRoot + `\bin\x64`},
		Parts: map[string]string{fact.PartNvcc: winRoot + `\bin\nvcc.exe`, fact.PartStub: winRoot + `\lib\x64\cuda.lib`}}
	cl := func(dir, version string, def bool) fact.Compiler {
		return fact.Compiler{Family: "msvc", Path: dir + `\bin\Hostx64\x64\cl.exe`, Version: fact.Of(version, ""), Target: "x64", Cxx: true, Default: def}
	}
	m := fact.Machine{
		System: fact.System{OS: "windows", Platform: fact.Windows, Arch: "amd64"}, Toolkits: []fact.Toolkit{t},
		Compilers: []fact.Compiler{cl(old, "19.38.33135", true), cl(new, "19.40.33811", false)},
		VS: []fact.VisualStudio{{Path: vs, Toolsets: []fact.Toolset{
			{Version: "14.38.33130", Dir: old, ClPath: old + `\bin\Hostx64\x64\cl.exe`, Hosts: []string{"Hostx64/x64"}},
			{Version: "14.40.33807", Dir: new, ClPath: new + `\bin\Hostx64\x64\cl.exe`, Hosts: []string{"Hostx64/x64"}},
		}}},
		SDKs: []fact.WindowsSDK{{Version: "10.0.19041.0", Root: `C:\Kits\10`, Libs: true}, {Version: "10.0.22621.0", Root: `C:\Kits\10`, Libs: true}},
		Env:  map[string]string{"Path": `C:\Windows\system32`},
	}
	return m, t
}

// get is the value of a variable; the test fails when it is not set.
func (s Set) get(t *testing.T, name string) string {
	t.Helper()
	for _, v := range s.Vars {
		if v.Name == name {
			return v.Value
		}
	}
	t.Errorf("%s is not set", name)
	return ""
}

func (s Set) has(name string) bool {
	for _, v := range s.Vars {
		if v.Name == name {
			return true
		}
	}
	return false
}

func (s Set) notes() string { return strings.Join(s.Notes, "\n") }
