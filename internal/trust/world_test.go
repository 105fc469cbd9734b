package trust

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/build"
	"cupel/internal/cas"
	"cupel/internal/contract"
	"cupel/internal/digest"
	"cupel/internal/fact"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// world is one machine: a project and a second folder for a copy of it, two toolkits, two host compilers, a store.
type world struct {
	rand     *rand.Rand
	dir      string
	roots    [2]string
	at       int // which folder is worked in
	kits     [2]string
	hosts    [2]string
	kit      int
	host     int
	ccbin    bool // the host compiler is named in the call, else it is first on PATH
	env      map[string]string
	spec     spec
	store    cas.Store
	noCache  bool
	log      string
	serial   int // makes every edit a new one
	past     []snapshot
	runs     func(context.Context, build.Job, build.Options) (build.Result, error)
	known    map[digest.Digest]bool   // what the store has
	last     map[string]digest.Digest // what the state of a folder knows, by output
	real     bool                     // the real program builds, which names no compiler that is first on PATH
	early    bool                     // the last edit is too young for its result to be remembered
	planned  bool                     // the last build
	restored int                      // builds that placed outputs without a plan
	spare    int                      // calls that a perfect build would not have made
	calls    int
	made     int
	mine     string // a file that the next build must leave as it is
	told     string // how the steps of the last build went
	failed   int
}

// spec is what the contract says.
type spec struct {
	kinds, archs, defines, flags, includes []string
	ptx                                    string
	rdc                                    bool
}

// snapshot is the project as it was: names, bytes or links, times.
type snapshot struct {
	files map[string]kept
	spec  spec
}

type kept struct {
	text string
	link string
	time time.Time
}

const profileText = `TOP              = $(_HERE_)/..
CICC_PATH        = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH            += $(CICC_PATH):$(_HERE_):
INCLUDES        +=  "-I$(TOP)/$(_TARGET_DIR_)/include" $(_SPACE_)
SYSTEM_INCLUDES +=  "-isystem" "$(TOP)/$(_TARGET_DIR_)/include/cccl" $(_SPACE_)
LIBRARIES       =+  $(_SPACE_) "-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)/stubs" "-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)"
`

const windowsProfile = `TOP              = $(_HERE_)/..
CICC_PATH        = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH            += $(TOP)/nvvm/bin;$(_HERE_);
INCLUDES        +=  "-I$(TOP)/include" $(_SPACE_)
`

// newWorld makes one with everything in it but the project's files.
func newWorld(dir string, number uint64) (*world, error) {
	w := &world{rand: rand.New(rand.NewPCG(number, 8)), dir: dir, known: map[digest.Digest]bool{}, last: map[string]digest.Digest{}}
	w.store, w.log = cas.Store{Dir: filepath.Join(dir, "store")}, filepath.Join(dir, "log")
	w.env = map[string]string{"LANG": "C", "STANDIN_LOG": w.log, "GOGC": "off", "GOMAXPROCS": "1"}
	for _, name := range []string{"SYSTEMROOT", "TEMP", "TMP", "TMPDIR"} {
		if v := os.Getenv(name); v != "" {
			w.env[name] = v
		}
	}
	for i, name := range []string{"A", "B"} {
		w.roots[i] = filepath.Join(dir, "project-"+name)
		w.kits[i], w.hosts[i] = filepath.Join(dir, "cuda-"+name), filepath.Join(dir, "host-"+name)
		if err := w.makeKit(w.kits[i], name); err != nil {
			return nil, err
		}
		if err := w.makeHost(w.hosts[i], name); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *world) makeKit(root, name string) error {
	files := map[string]string{
		"bin/nvcc.profile": profileText, "nvvm/libdevice/libdevice.10.bc": "libdevice " + name, "nvvm/bin/" + exe("cicc"): "cicc " + name,
		"include/cuda_runtime.h": "#pragma once\n#include \"crt/host_config.h\"\nint runtime;\n", "include/crt/host_config.h": "int config;\n",
		"include/crt/host_runtime.h": "int host_runtime;\n", "include/fatbinary_section.h": "int section;\n", "include/cccl/none": "",
		"include/crt/host_defines.h": "int defines;\n", "bin/crt/link.stub": "stub " + name, "lib64/libcudadevrt.a": "devrt " + name,
	}
	if onWindows {
		files["bin/nvcc.profile"] = windowsProfile
	}
	for _, p := range []string{"cudafe++", "ptxas", "fatbinary", "nvlink"} {
		files["bin/"+exe(p)] = p + " " + name
	}
	return w.program(root, "bin/"+exe("nvcc"), name, files)
}

func (w *world) makeHost(root, name string) error {
	if onWindows {
		return writeAll(root, map[string]string{"bin/cl.exe": "cl " + name, "bin/c1xx.dll": "front " + name, "bin/c2.dll": "back " + name, "include/none": ""})
	}
	if err := w.program(root, "bin/g++", name, nil); err != nil {
		return err
	}
	return w.program(root, "bin/gcc", name, map[string]string{"libexec/cc1plus": "cc1plus " + name, "libexec/as": "as " + name, "include/stdc-predef.h": "int predef;\n"})
}

func (w *world) program(root, path, name string, files map[string]string) error {
	if err := writeAll(root, files); err != nil {
		return err
	}
	from, err := standins()
	if err != nil {
		return err
	}
	to := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if onWindows { // a program that runs is locked there, under all its names
		text, err := os.ReadFile(filepath.Join(from, exe(name)))
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o755)
	}
	// Each world has a copy of its own: links of other worlds to one file would give it a new time while this one builds. cp makes
	// it, since a file that was open for writing in a process that starts others may be busy when it is run.
	own := filepath.Join(w.dir, "program-"+name)
	if _, err := os.Stat(own); err != nil {
		if out, err := exec.Command("cp", filepath.Join(from, exe(name)), own).CombinedOutput(); err != nil {
			return fmt.Errorf("copy the stand-in: %w: %s", err, out)
		}
	}
	return os.Link(own, to)
}

func writeAll(root string, files map[string]string) error {
	for path, text := range files {
		at := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) root() string { return w.roots[w.at] }

func (w *world) compiler() string {
	if onWindows {
		return filepath.Join(w.hosts[w.host], "bin", "cl.exe")
	}
	return filepath.Join(w.hosts[w.host], "bin", "gcc")
}

// environ is that of a build.
func (w *world) environ() []string {
	env := maps.Clone(w.env)
	path := []string{filepath.Join(w.hosts[w.host], "bin")}
	if onWindows {
		env["INCLUDE"] = filepath.Join(w.hosts[w.host], "include")
		path = append(path, filepath.Join(os.Getenv("SYSTEMROOT"), "system32"))
	}
	env["PATH"] = strings.Join(path, string(os.PathListSeparator))
	var list []string
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// text is the contract.
func (s spec) text() string {
	list := func(all []string) string { return fmt.Sprintf("[%s]", strings.Join(quoted(all), ", ")) }
	return fmt.Sprintf(`cupel = 1
[project]
name = "p"
[host.linux]
std = "c++17"
[host.windows]
std = "c++17"
[arch]
targets = %s
ptx = %q
[[kernels]]
name = "k"
sources = ["src/*.cu"]
kinds = %s
includes = %s
defines = %s
flags = %s
device-link = %v
`, list(s.archs), s.ptx, list(s.kinds), list(s.includes), list(s.defines), list(s.flags), s.rdc)
}

func quoted(all []string) (out []string) {
	for _, s := range all {
		out = append(out, fmt.Sprintf("%q", s))
	}
	return out
}

// job is what is to be built now, as the command line would have it.
func (w *world) job() (build.Job, error) {
	text := w.spec.text()
	c, wrong := contract.Parse("cupel.toml", []byte(text))
	if len(wrong) > 0 {
		return build.Job{}, fmt.Errorf("contract: %v\n%s", wrong, text)
	}
	system := "linux"
	family := "gcc"
	if onWindows {
		system, family = "windows", "msvc"
	}
	rel := version.MustParse("13.0")
	j := build.Job{
		Root: w.root(), Out: filepath.Join("build", "cupel"), Requirements: c.For(contract.Platform{Name: system}),
		Tools: build.Tools{Nvcc: filepath.Join(w.kits[w.kit], "bin", exe("nvcc")), Release: rel, Family: family, Env: w.environ(), LocalEnv: onWindows, Platform: resolve.Platform{OS: system, Arch: "amd64"}},
	}
	if w.ccbin {
		j.Tools.Compiler = w.compiler()
	}
	j.Targets, _ = j.Requirements.Targets(rel)
	files, err := filepath.Glob(filepath.Join(w.root(), "src", "*.cu"))
	if err != nil {
		return j, err
	}
	var sources []string
	for _, f := range files {
		sources = append(sources, "src/"+filepath.Base(f))
	}
	j.Sources = []fact.Sources{{Kernel: "k", Files: sources}}
	return j, nil
}

// plan is what the command line would say of the job: the request, and every file that the choice of tools looks at.
func (w *world) plan(j build.Job) build.Plan {
	h := digest.NewHash()
	h.Field("job", j.Root, j.Tools.Nvcc, j.Tools.Compiler)
	h.Field("environment", j.Tools.Env...)
	p := build.Plan{Request: h.Sum(), Began: time.Now(), Paths: []string{filepath.Join(w.root(), "cupel.toml"), filepath.Join(w.root(), "src")}}
	// Headers are not among them: what reads them says so.
	for _, root := range []string{w.kits[w.kit] + "/bin", w.kits[w.kit] + "/nvvm", w.hosts[w.host] + "/bin", w.hosts[w.host] + "/libexec"} {
		_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err == nil {
				p.Paths = append(p.Paths, path)
			}
			return nil
		})
	}
	return p
}
