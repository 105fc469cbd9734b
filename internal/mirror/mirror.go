// Package mirror makes the root that a build under cupel exec sees: a toolkit's folder whose bin has the shim in the place
// of nvcc and whose other entries lead to the real one. Its place is stable, because CMake writes it down.
package mirror

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/ospath"
	"cupel/internal/shim"
)

// Plan says what a mirror root holds. Places below Dir are written with forward slashes.
type Plan struct {
	Dir   string            // $CUPEL_HOME/shims/NAME
	Root  string            // the real root
	Nvcc  string            // the shim in the place of nvcc: DIR/bin/nvcc
	Tools map[string]string // tools with a shim, by name → the real program
	Shims []Shim            // the places of the shim's program
	Links []Link            // the other entries
	Files map[string]string // texts, by their place: what the shims read, the inner nvcc.profile

	os      string
	release string
	fronts  []string          // how the environment may name the real nvcc
	shared  bool              // other things than CUDA lie in the root
	path    []string          // what goes in front of PATH
	user    map[string]string // what a person set
}

// Shim is one place of the shim's program.
type Shim struct {
	At   string // below Plan.Dir
	Real string // the program that it stands for
	runs string // what it starts, where that is not Real itself: the inner nvcc
}

// Link is one entry that leads to the real toolkit.
type Link struct {
	At string // below Plan.Dir
	To string // absolute
}

// Options are what a person may ask for besides nvcc.
type Options struct {
	Tools []string    // ptxas, cicc, cudafe++, fatbinary, nvlink, g++, gcc, clang++, cl …
	Set   environ.Set // the environment that Redirect will be given: host compilers are looked for in it first
}

// Places below a mirror root that are its own. A toolkit's entry of such a name is left out.
const (
	rootFile  = call.RootFile // for Real
	activeDir = call.ActiveDir
	toolsDir  = "tools" // shims of other tools, first on PATH
	innerDir  = "inner" // the root in which nvcc finds those of its own tools
	newDir    = ".new"  // what is being made
	oldDir    = ".old"  // what could not be removed while it ran
)

// shims is the folder of all mirrors below $CUPEL_HOME.
const shims = "shims"

// For plans the mirror of a toolkit below home ($CUPEL_HOME). A toolkit that is a mirror itself stands for its real one:
// exec inside of exec sees it first on PATH.
func For(m fact.Machine, t fact.Toolkit, home string, opt Options) (Plan, error) {
	if root, ok := Real(home, t.Home()); ok {
		i := slices.IndexFunc(m.Toolkits, func(k fact.Toolkit) bool { return m.System.Paths().Same(k.Home(), root) })
		if i < 0 {
			return Plan{}, fmt.Errorf("plan the mirror of %s: it is cupel's own stand-in for %s, which was not found on this machine", t.Home(), root)
		}
		t = m.Toolkits[i]
	}
	p, err := plan(m, t, home, opt, disk{m.System.Paths()})
	if err != nil {
		return Plan{}, fmt.Errorf("plan the mirror of %s: %w", t.Home(), err)
	}
	return p, nil
}

// planner puts a plan together; look is what it knows of the machine.
type planner struct {
	Plan
	t     fact.Toolkit
	style ospath.Style
	look  look
}

// look answers what a plan needs to know of a real root.
type look interface {
	names(dir string) ([]string, error)
	program(path string) bool // a file that can be started
	script(path string) bool
	text(path string) (string, error)
}

func plan(m fact.Machine, t fact.Toolkit, home string, opt Options, l look) (Plan, error) {
	nvcc := t.Parts[fact.PartNvcc]
	if nvcc == "" {
		return Plan{}, fmt.Errorf("it has no nvcc")
	}
	s := m.System.Paths()
	w := &planner{t: t, style: s, look: l, Plan: Plan{
		Root: t.Home(), os: m.System.OS, release: t.Release.Value, Tools: map[string]string{}, Files: map[string]string{},
		user: map[string]string{"PYTORCH_NVCC": m.Env["PYTORCH_NVCC"]},
	}}
	for _, root := range []string{t.Home(), t.Root} {
		w.fronts = append(w.fronts, s.Join(root, "bin", s.Program("nvcc")))
	}
	w.fronts = append(w.fronts, nvcc)
	asked, err := w.sort(opt.Tools)
	if err != nil {
		return Plan{}, err
	}
	hosts := w.hostCompilers(m, asked.hosts, opt.Set)
	w.Dir = s.Join(home, shims, name(t, s, asked, hosts))
	w.Nvcc = s.Join(w.Dir, "bin", s.Program("nvcc"))
	if err := w.layout(asked.cuda); err != nil {
		return Plan{}, err
	}
	w.hosts(hosts)
	if err := w.inner(nvcc, asked); err != nil {
		return Plan{}, err
	}
	return w.finish()
}

// finish writes the maps of the shims: each looks for its own in the folder above the one it lies in.
func (w *planner) finish() (Plan, error) {
	w.path = append(w.path, w.style.Join(w.Dir, "bin"))
	texts := map[string]map[string]string{}
	for _, s := range w.Shims {
		at := above(above(s.At))
		if texts[at] == nil {
			texts[at] = map[string]string{}
		}
		tool := s.At[strings.LastIndexByte(s.At, '/')+1:]
		if w.style.Windows() { // as the shim spells its own name
			tool = strings.TrimSuffix(strings.ToLower(tool), ".exe")
		}
		runs := s.runs
		if runs == "" {
			runs = s.Real
		}
		texts[at][tool] = runs
		if _, named := w.Tools[tool]; !named {
			w.Tools[tool] = s.Real
		}
	}
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		text, err := shim.WriteMap(texts[at])
		if err != nil {
			return Plan{}, err
		}
		w.Files[join(at, shim.MapFile)] = string(text)
		if at != "" { // its shims look for the run there, too
			w.Links = append(w.Links, Link{join(at, activeDir), w.style.Join(w.Dir, activeDir)})
		}
	}
	w.Files[rootFile] = w.Root + "\n"
	slices.SortFunc(w.Links, func(a, b Link) int { return strings.Compare(a.At, b.At) })
	return w.Plan, nil
}

// Programs are the places of the shim's program, absolute.
func (p Plan) Programs() []string {
	var out []string
	for _, s := range p.Shims {
		out = append(out, p.at(s.At))
	}
	return out
}

func (p Plan) at(below string) string { return ospath.For(p.os).Join(p.Dir, below) }

// above is the folder of a place below Plan.Dir; of the first level it is "".
func above(at string) string { return at[:max(0, strings.LastIndexByte(at, '/'))] }

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
