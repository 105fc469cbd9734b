package mirror

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
	"cupel/internal/probe"
)

// recorded is a machine of testdata/hosts.
type recorded struct{ host.Host }

func (r recorded) names(dir string) ([]string, error) { return r.Names(dir, pattern.New(`.`)) }

func (r recorded) program(path string) bool {
	info, err := r.Stat(path)
	return err == nil && info.Exec && !info.Dir
}

func (r recorded) script(path string) bool {
	b, err := r.ReadFile(path)
	return err == nil && strings.HasPrefix(string(b), "#!")
}

func (r recorded) text(path string) (string, error) {
	b, err := r.ReadFile(path)
	return string(b), err
}

// machine probes a recorded machine.
func machine(t *testing.T, name string) (fact.Machine, recorded) {
	t.Helper()
	h, err := host.LoadFile(filepath.Join("..", "..", "testdata", "hosts", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := probe.Survey(context.Background(), h, probe.Options{})
	return m, recorded{h}
}

func linksOf(p Plan) map[string]string {
	out := map[string]string{}
	for _, l := range p.Links {
		out[l.At] = l.To
	}
	return out
}

// TestPlanOfRecordedHosts: the layouts of distribution, conda, installer and Windows.
func TestPlanOfRecordedHosts(t *testing.T) {
	const conda, win = "/home/lee/mambaforge/envs/ml", `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.0`
	for _, tt := range []struct {
		host, root, home, name string // name begins so
		nvcc                   string
		links                  map[string]string
		not                    []string // no entry begins so
	}{
		{"debian-distribution", "/usr", "/h", "12.4.1-", "/usr/lib/nvidia-cuda-toolkit/bin/nvcc", map[string]string{
			"bin/ptxas": "/usr/bin/ptxas", "bin/crt": "/usr/lib/nvidia-cuda-toolkit/bin/crt", "bin/nvcc.profile": "/usr/lib/nvidia-cuda-toolkit/bin/nvcc.profile",
			"include": "/usr/include", "lib64": "/usr/lib/x86_64-linux-gnu", "lib": "/usr/lib",
			"nvvm/libdevice": "/usr/lib/nvidia-cuda-toolkit/libdevice", "nvvm/bin/cicc": "/usr/lib/nvidia-cuda-toolkit/bin/cicc",
		}, []string{"bin/g", "bin/python", "bin/cmake", "bin/nvidia-smi", "share", "local", "tools", "inner"}},
		{"conda", conda, "/h", "12.9", conda + "/bin/nvcc", map[string]string{
			"bin/ptxas": conda + "/bin/ptxas", "bin/crt": conda + "/bin/crt", "include": conda + "/targets/x86_64-linux/include",
			"lib64": conda + "/targets/x86_64-linux/lib", "lib": conda + "/lib", "nvvm": conda + "/nvvm", "targets": conda + "/targets",
		}, []string{"bin/g", "bin/python", "bin/cmake", "conda-meta", "share"}},
		{"ubuntu-l4", "", "/h", "", "", map[string]string{}, []string{"bin/g++", "tools", "inner"}},
		{"windows-rtx5060ti", win, `C:\h`, "13.0", win + `\bin\nvcc.exe`, map[string]string{
			"bin/ptxas.exe": win + `\bin\ptxas.exe`, "include": win + `\include`, "lib": win + `\lib`, "nvvm": win + `\nvvm`,
		}, []string{"lib64", "tools", "inner"}},
	} {
		t.Run(tt.host, func(t *testing.T) {
			m, l := machine(t, tt.host)
			i := slices.IndexFunc(m.Toolkits, func(k fact.Toolkit) bool { return tt.root == "" || k.Home() == tt.root })
			if i < 0 {
				t.Fatalf("no toolkit in %s: %+v", tt.root, m.Toolkits)
			}
			p, err := plan(m, m.Toolkits[i], tt.home, Options{}, l)
			if err != nil {
				t.Fatal(err)
			}
			s := m.System.Paths()
			if dir, base := s.Dir(p.Dir), s.Base(p.Dir); dir != s.Join(tt.home, "shims") || !strings.HasPrefix(base, tt.name) {
				t.Errorf("the mirror is %s, want shims/%s…", p.Dir, tt.name)
			}
			if tt.nvcc != "" && p.Tools["nvcc"] != tt.nvcc {
				t.Errorf("nvcc is %s, want %s", p.Tools["nvcc"], tt.nvcc)
			}
			got := linksOf(p)
			for at, want := range tt.links {
				if got[at] != want {
					t.Errorf("%s leads to %q, want %q", at, got[at], want)
				}
			}
			for at := range got {
				if slices.ContainsFunc(tt.not, func(begin string) bool { return strings.HasPrefix(at, begin) }) {
					t.Errorf("%s → %s should not be there", at, got[at])
				}
			}
		})
	}
}

// listing is a made-up machine: its files by path; those with #! are scripts.
type listing map[string]string

func (l listing) names(dir string) ([]string, error) {
	var out []string
	for path := range l {
		if rest, ok := strings.CutPrefix(path, dir); ok && rest != "" && strings.ContainsAny(rest[:1], `\/`) {
			out = append(out, strings.FieldsFunc(rest, func(r rune) bool { return r == '/' || r == '\\' })[0])
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (l listing) program(path string) bool { _, ok := l[path]; return ok }
func (l listing) script(path string) bool  { return strings.HasPrefix(l[path], "#!") }
func (l listing) text(path string) (string, error) {
	if text, ok := l[path]; ok {
		return text, nil
	}
	return "", filepath.ErrBadPattern
}

func madeUpRoot() (fact.Machine, fact.Toolkit, listing) {
	l := listing{
		"/c/bin/nvcc": "", "/c/bin/ptxas": "", "/c/bin/nvcc.profile": "TOP = $(_HERE_)/..\nCICC_PATH = $(TOP)/nvvm/bin\nPATH += $(CICC_PATH):$(_HERE_):\n",
		"/c/nvvm/bin/cicc": "", "/c/include/cuda.h": "", "/c/lib64/libcudart.so": "", "/c/cupel-manifest.json": "", "/c/tools/x": "",
		"/usr/bin/gcc": "", "/usr/bin/g++": "", "/usr/bin/g++-12": "", "/opt/bin/g++": "",
	}
	k := fact.Toolkit{Root: "/c", Release: fact.Of("13.0.2", ""), Parts: map[string]string{
		fact.PartNvcc: "/c/bin/nvcc", fact.PartPtxas: "/c/bin/ptxas", fact.PartCicc: "/c/nvvm/bin/cicc"}}
	m := fact.Machine{System: fact.System{OS: "linux"}, Toolkits: []fact.Toolkit{k}, Path: []fact.PathDir{{Dir: "relative"}, {Dir: "/usr/bin"}}, Env: map[string]string{}}
	return m, k, l
}

func shimsOf(p Plan) map[string]string {
	out := map[string]string{}
	for _, s := range p.Shims {
		out[s.At] = s.Real
	}
	return out
}

func TestPlanWithTools(t *testing.T) {
	m, k, l := madeUpRoot()
	set := environ.Set{OS: "linux", Vars: []environ.Var{
		{Name: "CUDAHOSTCXX", Value: "/usr/bin/g++-12", Kind: environ.Assign}, {Name: "CXX", Value: "/opt/bin/g++", Kind: environ.Assign},
	}}
	for _, tt := range []struct {
		name  string
		tools []string
		dir   string // ends so, without a digest
		want  map[string]string
		maps  map[string]string
	}{
		{"nvcc alone", nil, "/h/shims/13.0.2-", map[string]string{"bin/nvcc": "/c/bin/nvcc"},
			map[string]string{"cupel-shim": "cupel-shim 1\nnvcc\t/c/bin/nvcc\n"}},
		{"its own tools", []string{"ptxas", "cicc", "ptxas"}, "-cicc-ptxas", map[string]string{
			"bin/nvcc": "/c/bin/nvcc", "bin/ptxas": "/c/bin/ptxas", "tools/ptxas": "/c/bin/ptxas", "tools/cicc": "/c/nvvm/bin/cicc"},
			map[string]string{"inner/bin/nvcc.profile": "TOP = /c/bin/..\nCICC_PATH = $DIR/tools\nPATH += $(CICC_PATH):/c/bin:\nPATH += $DIR/tools:\n",
				"cupel-shim": "cupel-shim 1\ncicc\t/c/nvvm/bin/cicc\nnvcc\t$DIR/inner/bin/nvcc\nptxas\t/c/bin/ptxas\n"}},
		{"host compilers", []string{"g++"}, "-gxx-gcc-", map[string]string{
			"bin/nvcc": "/c/bin/nvcc", "tools/gcc": "/usr/bin/gcc", "tools/g++": "/usr/bin/g++", "host/bin/g++-12": "/usr/bin/g++-12", "host/bin/g++": "/opt/bin/g++"},
			map[string]string{"host/cupel-shim": "cupel-shim 1\ng++\t/opt/bin/g++\ng++-12\t/usr/bin/g++-12\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := plan(m, k, "/h", Options{Tools: tt.tools, Set: set}, l)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(p.Dir, tt.dir) {
				t.Errorf("the mirror is %s, want %s in it", p.Dir, tt.dir)
			}
			got := shimsOf(p)
			for at, real := range tt.want {
				if got[at] != real {
					t.Errorf("%s stands for %q, want %q", at, got[at], real)
				}
			}
			if len(got) != len(tt.want) {
				t.Errorf("shims %v, want %v", got, tt.want)
			}
			for at, want := range tt.maps {
				if want = strings.ReplaceAll(want, "$DIR", p.Dir); p.Files[at] != want {
					t.Errorf("%s is\n%s\nwant\n%s", at, p.Files[at], want)
				}
			}
			if _, there := linksOf(p)["cupel-manifest.json"]; there {
				t.Error("the mirror looks like a toolkit that cupel installed")
			}
		})
	}
}

// TestNvccsOwnCompiler: Debian's nvcc takes the gcc beside it; others take that of PATH. Both get a shim.
func TestNvccsOwnCompiler(t *testing.T) {
	m, l := machine(t, "debian-distribution")
	p, err := plan(m, m.Toolkits[0], "/h", Options{Tools: []string{"gcc"}}, l)
	if err != nil {
		t.Fatal(err)
	}
	got := shimsOf(p)
	if got["inner/own/gcc"] != "/usr/lib/nvidia-cuda-toolkit/bin/gcc" || got["tools/gcc"] != "/usr/bin/gcc" {
		t.Errorf("shims %v", got)
	}
	if text := p.Files["inner/bin/nvcc.profile"]; !strings.HasSuffix(text, "\nPATH += "+p.Dir+"/inner/own:"+p.Dir+"/tools:\n") {
		t.Errorf("the inner profile is\n%s", text)
	}
}

// TestStudio: the shim of cl.exe lies in a folder that nvcc.exe takes for Visual Studio.
func TestStudio(t *testing.T) {
	const vc = `C:\VS\VC\Tools\MSVC\14.40.33807`
	l := listing{
		`C:\c\bin\nvcc.exe`: "", `C:\c\include\cuda.h`: "", vc + `\bin\Hostx64\x64\cl.exe`: "", vc + `\bin\Hostx64\x64\link.exe`: "", vc + `\bin\Hostx64\x86\cl.exe`: "",
		vc + `\include\vcruntime.h`: "", `C:\VS\VC\Auxiliary\Build\vcvarsall.bat`: "", `C:\VS\Common7\Tools\VsDevCmd.bat`: "",
	}
	k := fact.Toolkit{Root: `C:\c`, Release: fact.Of("13.0.2", ""), Parts: map[string]string{fact.PartNvcc: `C:\c\bin\nvcc.exe`}}
	m := fact.Machine{System: fact.System{OS: "windows"}, Path: []fact.PathDir{{Dir: vc + `\bin\Hostx64\x64`}}}
	p, err := plan(m, k, `C:\h`, Options{Tools: []string{"cl.exe"}}, l)
	if err != nil {
		t.Fatal(err)
	}
	const at = "vs/VC/Tools/MSVC/14.40.33807"
	if got := shimsOf(p); got[at+"/bin/Hostx64/x64/cl.exe"] != vc+`\bin\Hostx64\x64\cl.exe` || p.Tools["cl"] != vc+`\bin\Hostx64\x64\cl.exe` {
		t.Errorf("shims %v, tools %v", got, p.Tools)
	}
	got := linksOf(p)
	for at, want := range map[string]string{
		"vs/Common7": `C:\VS\Common7`, "vs/VC/Auxiliary": `C:\VS\VC\Auxiliary`, at + "/include": vc + `\include`, at + "/bin/Hostx64/x86": vc + `\bin\Hostx64\x86`,
		at + "/bin/Hostx64/x64/link.exe": "",
	} {
		if got[at] != want {
			t.Errorf("%s leads to %q, want %q", at, got[at], want)
		}
	}
	if text := p.Files[at+"/bin/Hostx64/cupel-shim"]; text != "cupel-shim 1\ncl\t"+vc+"\\bin\\Hostx64\\x64\\cl.exe\n" {
		t.Errorf("its map is %q", text)
	}
	if want := p.Dir + `\vs\VC\Tools\MSVC\14.40.33807\bin\Hostx64\x64`; p.path[0] != want {
		t.Errorf("PATH begins with %q, want %q", p.path, want)
	}
}

func TestPlanRefuses(t *testing.T) {
	m, k, l := madeUpRoot()
	none := k
	none.Parts = nil
	for _, tt := range []struct {
		name  string
		kit   fact.Toolkit
		look  listing
		tools []string
		want  string
	}{
		{"no nvcc", none, l, nil, "it has no nvcc"},
		{"a tool nobody knows", k, l, []string{"rustc"}, "rustc is neither a tool of this toolkit nor a host compiler"},
		{"a tool of another system", k, l, []string{"cl"}, "cl is neither a tool of this toolkit nor a host compiler"},
		{"a tool that this toolkit has not", k, l, []string{"nvlink"}, "it has no nvlink"},
		{"a script in the place of nvcc", k, listing{"/c/bin/nvcc": "#!/bin/sh\n", "/c/bin/ptxas": ""}, []string{"ptxas"}, "/c/bin/nvcc is a script"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := plan(m, tt.kit, "/h", Options{Tools: tt.tools}, tt.look); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("plan: %v, want %q", err, tt.want)
			}
		})
	}
}

// TestKnownTools: what is offered is taken, and a name that is not is told apart from other trouble.
func TestKnownTools(t *testing.T) {
	m, k, l := madeUpRoot()
	for _, tool := range cudaTools {
		l["/c/bin/"+tool] = ""
	}
	l["/c/bin/nvcc.profile"] = ""
	for _, tool := range KnownTools("linux") {
		if _, err := plan(m, k, "/h", Options{Tools: []string{tool}}, l); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
	var unknown *UnknownTool
	_, err := plan(m, k, "/h", Options{Tools: []string{"nonsense"}}, l)
	if !errors.As(err, &unknown) || unknown.Tool != "nonsense" || !slices.Equal(unknown.Known, KnownTools("linux")) {
		t.Errorf("plan: %v (%+v)", err, unknown)
	}
	if slices.Contains(KnownTools("linux"), "cl") || !slices.Contains(KnownTools("windows"), "cl") {
		t.Errorf("linux: %q, windows: %q", KnownTools("linux"), KnownTools("windows"))
	}
}

func TestName(t *testing.T) {
	m, k, l := madeUpRoot()
	own := k
	own.Installed = &fact.Installed{Name: "13.0.2-pip-linux-x86_64"}
	unknown := k
	unknown.Release = fact.None[string]("")
	for _, tt := range []struct {
		name  string
		kit   fact.Toolkit
		tools []string
		want  string
	}{
		{"cupel's own", own, nil, `^13\.0\.2-pip-linux-x86_64$`},
		{"cupel's own with tools", own, []string{"ptxas", "nvcc"}, `^13\.0\.2-pip-linux-x86_64-ptxas$`},
		{"another", k, nil, `^13\.0\.2-[0-9a-f]{8}$`},
		{"no release", unknown, nil, `^cuda-[0-9a-f]{8}$`},
		{"host compilers, which depend on PATH", k, []string{"g++"}, `^13\.0\.2-[0-9a-f]{8}-gxx-gcc-[0-9a-f]{8}$`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := plan(m, tt.kit, "/h", Options{Tools: tt.tools}, l)
			if err != nil {
				t.Fatal(err)
			}
			if got := filepath.Base(p.Dir); !pattern.New(tt.want).MatchString(got) {
				t.Errorf("name %q, want %s", got, tt.want)
			}
		})
	}
}

func TestFamily(t *testing.T) {
	for in, want := range map[string]string{
		"g++": "g++", "g++-12": "g++", "x86_64-linux-gnu-g++-13": "g++", "x86_64-conda-linux-gnu-cc": "cc", "clang++-16": "clang++", "clang": "clang",
		"gcc-ar": "", "gcc-ranlib-12": "", "clang-format": "", "cl.exe": "cl", "nvcc": "", "x86_64-conda-linux-gnu-c++": "c++",
	} {
		if got := family(in); got != want {
			t.Errorf("family(%q) = %q, want %q", in, got, want)
		}
	}
}
