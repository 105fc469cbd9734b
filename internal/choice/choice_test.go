package choice

import (
	"strings"
	"testing"

	"cupel/internal/fact"
)

func toolkit(root, release string, missing ...string) fact.Toolkit {
	return fact.Toolkit{
		Root: root, Release: fact.Of(release, "version.json"), Missing: missing,
		Parts: map[string]string{fact.PartNvcc: root + "/bin/nvcc"},
	}
}

func gcc(version string, def bool) fact.Compiler {
	return fact.Compiler{Family: "gcc", Path: "/usr/bin/g++-" + version, Command: "g++-" + version,
		Version: fact.Of(version, "test"), Default: def, Cxx: true}
}

func machine(toolkits ...fact.Toolkit) fact.Machine {
	return fact.Machine{
		System:    fact.System{OS: "linux", Platform: fact.Linux, Arch: "amd64"},
		Toolkits:  toolkits,
		Compilers: []fact.Compiler{gcc("12.2.0", true)},
	}
}

func path(dirs ...string) []fact.PathDir {
	var list []fact.PathDir
	for _, d := range dirs {
		list = append(list, fact.PathDir{Dir: d, Exists: true})
	}
	return list
}

func TestChosen(t *testing.T) {
	old, mid, new := toolkit("/usr/local/cuda-11.8", "11.8.0"), toolkit("/usr/local/cuda-12.4", "12.4.1"), toolkit("/opt/cuda 13", "13.0.2")
	for _, tt := range []struct {
		name   string
		opt    Options
		path   []fact.PathDir
		root   string
		by     By
		reason string
	}{
		{"flag before everything", Options{Flag: "11.8", Env: "12.4", Lock: "13.0"}, path("/opt/cuda 13/bin"), old.Root, ByFlag, "--toolkit"},
		{"variable before the project", Options{Env: "cu124", ProjectChoice: "13"}, nil, mid.Root, ByEnv, "CUPEL_TOOLKIT"},
		{"project choice before the lock", Options{ProjectChoice: "12.4.1", Lock: "13.0.2"}, nil, mid.Root, ByProject, "choice.toml"},
		{"lock before recommended", Options{Lock: "12.4.1", Recommended: "13.0"}, nil, mid.Root, ByLock, "cupel.lock"},
		{"recommended before active", Options{Recommended: "13.0"}, path("/usr/local/cuda-11.8/bin"), new.Root, ByRecommended, "recommended"},
		{"active before newest", Options{}, path("/usr/bin", "/usr/local/cuda-11.8/bin"), old.Root, ByActive, "first nvcc on PATH"},
		{"newest when nothing is said", Options{}, path("/usr/bin"), new.Root, ByNewest, "newest"},
		{"a root with a space", Options{Flag: "/opt/cuda 13/"}, nil, new.Root, ByFlag, "--toolkit"},
		{"an update that is not here is not replaced", Options{Flag: "12.4.0"}, path("/opt/cuda 13/bin"), "", ByFlag, "not installed here (installed: CUDA 11.8.0 in"},
		{"a missing lock goes on", Options{Lock: "12.9.1"}, path("/opt/cuda 13/bin"), new.Root, ByActive, "first nvcc"},
		{"a wish that is no release", Options{Env: "latest"}, nil, "", ByNone, "is not a CUDA release"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(old, mid, new)
			m.Path = tt.path
			_, got := Toolkit(m, tt.opt)
			if got.Root != tt.root || got.By != tt.by || !strings.Contains(got.Reason, tt.reason) {
				t.Errorf("chosen = %q by %q because %q, want %q by %q because %q", got.Root, got.By, got.Reason, tt.root, tt.by, tt.reason)
			}
			if (got.Toolkit == nil) != (tt.root == "") {
				t.Errorf("Toolkit = %v for root %q", got.Toolkit, tt.root)
			}
		})
	}
}

// TestAskedFor: of several toolkits that a wish may mean, one that can be used is taken.
func TestAskedFor(t *testing.T) {
	libraries := toolkit("/venv/nvidia/cu13", "13.0.2", fact.PartNvcc)
	libraries.Parts = map[string]string{}
	vague := toolkit("/usr/local/cuda-13.0", "13.0")
	exact := toolkit("/opt/13.0.2", "13.0.2")
	part := toolkit("/opt/part", "13.0.2", fact.PartStub)
	otherBuild, linked := vague, vague
	linked.Found = []string{"PATH", "--toolkit", "/home/me/cuda"}
	otherBuild.Nvcc = fact.Of("13.0.48", "nvcc")
	for _, tt := range []struct {
		name   string
		all    []fact.Toolkit
		opt    Options
		root   string
		reason string
	}{
		{"X.Y alone may be it", []fact.Toolkit{libraries, vague}, Options{Recommended: "13.0.2"}, vague.Root, "CUDA 13.0 in /usr/local/cuda-13.0 does not say which update it is"},
		{"X.Y alone, by the flag", []fact.Toolkit{vague}, Options{Flag: "13.0.2"}, vague.Root, "may be it"},
		{"the exact one wins", []fact.Toolkit{vague, exact}, Options{Recommended: "13.0.2"}, exact.Root, "recommended in cupel.toml asks for 13.0.2"},
		{"X.Y alone before an incomplete one", []fact.Toolkit{part, vague}, Options{Recommended: "13.0.2"}, vague.Root, "may be it"},
		{"nvcc before libraries alone", []fact.Toolkit{libraries, part}, Options{Recommended: "13.0"}, part.Root, "asks for 13.0"},
		{"nothing but libraries", []fact.Toolkit{libraries}, Options{Recommended: "13.0.2"}, libraries.Root, "asks for 13.0.2"},
		{"by another name", []fact.Toolkit{exact, linked}, Options{Flag: "/home/me/cuda/"}, linked.Root, "--toolkit asks for /home/me/cuda/"},
		{"from the current folder", []fact.Toolkit{exact, linked}, Options{Flag: "./cuda"}, linked.Root, "--toolkit asks for ./cuda"},
		{"a word is no folder", []fact.Toolkit{exact, linked}, Options{Flag: "./PATH"}, "", "where no CUDA toolkit is"},
		{"a build of nvcc is no update", []fact.Toolkit{vague}, Options{Flag: "13.0.88"}, "", "not installed here"},
		{"nvcc is of another update", []fact.Toolkit{otherBuild}, Options{Flag: "13.0.2"}, "", "not installed here"},
		{"another X.Y is never it", []fact.Toolkit{toolkit("/usr/local/cuda-12.9", "12.9")}, Options{Flag: "13.0.2"}, "", "not installed here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(tt.all...)
			m.System.Cwd = "/home/me"
			_, got := Toolkit(m, tt.opt)
			if got.Root != tt.root || !strings.Contains(got.Reason, tt.reason) {
				t.Errorf("chosen = %q because %q, want %q because %q", got.Root, got.Reason, tt.root, tt.reason)
			}
		})
	}
}

func TestLinuxDriverInWSL(t *testing.T) {
	linux := fact.DriverLibrary{Path: "/lib/libcuda.so.1", Version: "580.95.05", Rank: 1}
	for _, tt := range []struct {
		name, platform string
		libraries      []fact.DriverLibrary
		want           string
	}{
		{"it shadows Windows' own", fact.WSL2, []fact.DriverLibrary{linux, {Path: "/usr/lib/wsl/lib/libcuda.so.1"}}, "/lib/libcuda.so.1"},
		{"Windows' own comes first", fact.WSL2, []fact.DriverLibrary{{Path: "/lib/libcuda.so.1", Version: "580.95.05", Rank: 2}, {Path: "/usr/lib/wsl/lib/libcuda.so.1", Rank: 1}}, ""},
		{"on no path of the loader", fact.WSL2, []fact.DriverLibrary{{Path: "/opt/libcuda.so.1", Version: "580.95.05"}}, ""},
		{"Linux", fact.Linux, []fact.DriverLibrary{linux}, ""},
		{"none", fact.WSL2, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := fact.Machine{System: fact.System{Platform: tt.platform}, Driver: fact.Driver{Libraries: tt.libraries}}
			if got := LinuxDriverInWSL(m); got != tt.want {
				t.Errorf("LinuxDriverInWSL = %q, want %q of %+v", got, tt.want, tt.libraries)
			}
			m.Driver.UserMode = fact.Of("500.0", "")
			if got := driverReasons(m, toolkit("/a", "13.0.2")); (len(got) == 0) != (tt.want != "") {
				t.Errorf("driver 500.0 is held against the floor: %q", got)
			}
		})
	}
}

func TestMissedIsTold(t *testing.T) {
	m := machine(toolkit("/usr/local/cuda", "13.0.2"))
	_, got := Toolkit(m, Options{Lock: "12.9.1", Recommended: "12.8"})
	if len(got.Missed) != 2 || !strings.Contains(got.Missed[0], "cupel.lock asks for 12.9.1") {
		t.Errorf("Missed = %q, want the lock's and the recommended release", got.Missed)
	}
}

func TestActive(t *testing.T) {
	for _, tt := range []struct {
		name   string
		path   []fact.PathDir
		places map[string]fact.Place
		want   string
	}{
		{"by its bin folder", path("/usr/local/cuda-12.4/bin"), nil, "/usr/local/cuda-12.4"},
		{"by a linked folder", []fact.PathDir{{Dir: "/usr/local/cuda/bin", Exists: true, Real: "/usr/local/cuda-12.4/bin"}}, nil, "/usr/local/cuda-12.4"},
		{"by a linked program", path("/usr/bin"), map[string]fact.Place{"/usr/bin/nvcc": {Kind: "file", Real: "/usr/local/cuda-12.4/bin/nvcc"}}, "/usr/local/cuda-12.4"},
		{"a wrapper of nobody is passed over", path("/usr/lib/ccache", "/usr/local/cuda-12.4/bin"), map[string]fact.Place{"/usr/lib/ccache/nvcc": {Kind: "file", Real: "/usr/bin/ccache"}}, "/usr/local/cuda-12.4"},
		{"none", path("/usr/bin"), nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(toolkit("/usr/local/cuda-11.8", "11.8.0"), toolkit("/usr/local/cuda-12.4", "12.4.1"))
			m.Path, m.Places = tt.path, tt.places
			if active, _ := Toolkit(m, Options{}); active.Root != tt.want {
				t.Errorf("active = %q (%s), want %q", active.Root, active.Reason, tt.want)
			}
		})
	}
}

func TestActiveOnWindowsIgnoresCase(t *testing.T) {
	m := fact.Machine{System: fact.System{OS: "windows", Platform: fact.Windows, Arch: "amd64"}}
	root := `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.0`
	m.Toolkits = []fact.Toolkit{{Root: root, Release: fact.Of("13.0", ""), Parts: map[string]string{fact.PartNvcc: root + `\bin\nvcc.exe`}}}
	m.Path = path(`c:\program files\nvidia gpu computing toolkit\cuda\V13.0\BIN\`)
	if active, _ := Toolkit(m, Options{}); active.Root != root {
		t.Errorf("active = %q (%s), want %q", active.Root, active.Reason, root)
	}
}

func TestNewest(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(*fact.Machine)
		release string
	}{
		{"newest of all that fit", func(m *fact.Machine) {}, "13.0.2"},
		{"complete before newer", func(m *fact.Machine) { m.Toolkits[2].Missing = []string{fact.PartCicc} }, "12.4.1"},
		{"driver too old for the newest", func(m *fact.Machine) { m.Driver.UserMode = fact.Of("550.54.15", "") }, "12.4.1"},
		{"GPU dropped by the newest", func(m *fact.Machine) {
			m.GPUs = []fact.GPU{{Name: "GTX 1080", CC: fact.Of("6.1", "")}}
		}, "12.4.1"},
		{"GPU unknown to the older ones", func(m *fact.Machine) {
			m.GPUs = []fact.GPU{{Name: "RTX 5060 Ti", CC: fact.Of("12.0", "")}}
			m.Toolkits[2].Missing = []string{fact.PartStub}
		}, "13.0.2"},
		{"only an old compiler's toolkit", func(m *fact.Machine) { m.Compilers = []fact.Compiler{gcc("15.1.0", true), gcc("11.4.0", false)} }, "13.0.2"},
		{"PTX too new for the driver decides between two that fit", func(m *fact.Machine) {
			m.Driver.UserMode, m.Driver.Level = fact.Of("580.65.06", ""), fact.Of("13.0", "")
			m.Toolkits = append(m.Toolkits, toolkit("/opt/13.4", "13.4.2"))
		}, "13.0.2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(toolkit("/a", "11.8.0"), toolkit("/b", "12.4.1"), toolkit("/c", "13.0.2"))
			tt.change(&m)
			_, got := Toolkit(m, Options{})
			if got.Toolkit == nil || got.Toolkit.Release.Value != tt.release {
				t.Errorf("chosen = %q (%s), want release %s", got.Root, got.Reason, tt.release)
			}
		})
	}
}
