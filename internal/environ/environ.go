// Package environ decides the environment in which a build uses one chosen toolkit, and writes it down in the
// language of a shell or tool. It reads a fact.Machine and the tables; it touches no machine: storing the
// result in a profile or registry is package profile's work.
package environ

import (
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/ospath"
)

// Kind says how a variable gets its value.
type Kind string

const (
	Assign  Kind = "set"     // the value replaces any other
	Prepend Kind = "prepend" // folders put in front of a list variable; an earlier copy of them is removed
)

// Options are what a person or contract may ask for.
type Options struct {
	Compiler  *fact.Compiler // host compiler to use; nil: the default, or the newest fitting one when it does not fit
	CCAndCXX  bool           // CC and CXX too
	NvccCCBin bool           // NVCC_CCBIN even when the default compiler fits
	Archs     []gpu.Arch     // empty: those of the GPUs found
	Runtime   bool           // only what a running program needs

	Contract *contract.Requirements // what the project's contract asks for besides
	Root     string                 // the project's folder, for its templates
}

// Var is one variable of the result.
type Var struct {
	Name    string   `json:"name"`
	Value   string   `json:"value"`          // for Prepend: the folders joined
	Dirs    []string `json:"dirs,omitempty"` // for Prepend: what goes in front, first one first
	Kind    Kind     `json:"kind"`
	Why     string   `json:"why"`
	Readers []string `json:"readers,omitempty"` // tools that read it, from the table
}

// Set is the whole environment, in the order it is shown. OS is the machine's, as Go names it.
type Set struct {
	OS    string `json:"os"`
	Title string `json:"title"` // CUDA 13.0.2 in /usr/local/cuda-13.0
	// Runtime: for a running program. Such a set only adds to an environment and takes nothing of a build away.
	Runtime bool     `json:"runtime,omitempty"`
	Vars    []Var    `json:"vars"`
	Notes   []string `json:"notes,omitempty"` // what a person should know before using it
}

// For computes the environment of a toolkit on a machine.
func For(m fact.Machine, t fact.Toolkit, opt Options) Set {
	if opt.Contract != nil && len(opt.Archs) == 0 {
		opt.Archs = Archs(m, t, *opt.Contract)
	}
	w := &writer{m: m, t: t, opt: opt, path: m.System.Paths()}
	w.set.OS = m.System.OS
	w.set.Title = choice.Name(t) + " in " + t.Home()
	if w.set.Runtime = opt.Runtime; opt.Runtime {
		w.runtime()
		w.contract()
		return w.set
	}
	w.roots()
	w.compilers()
	w.archs()
	w.libraries()
	w.lists()
	w.contract()
	return w.set
}

// writer collects the set; every step adds variables and notes.
type writer struct {
	m    fact.Machine
	t    fact.Toolkit
	opt  Options
	path ospath.Style
	set  Set

	studioPath []string // folders of the Microsoft toolset for PATH
}

func (w *writer) assign(name, value, why string) {
	if value == "" {
		return
	}
	w.set.Vars = append(w.set.Vars, Var{Name: name, Value: value, Kind: Assign, Why: why, Readers: w.readers(name)})
}

func (w *writer) prepend(name string, dirs []string, why string) {
	var kept []string
	for _, d := range dirs {
		if d != "" && !contains(w.path, kept, d) {
			kept = append(kept, d)
		}
	}
	if len(kept) == 0 {
		return
	}
	w.set.Vars = append(w.set.Vars, Var{Name: name, Value: strings.Join(kept, w.path.ListSeparator()), Dirs: kept,
		Kind: Prepend, Why: why, Readers: w.readers(name)})
}

func (w *writer) note(text string) { w.set.Notes = append(w.set.Notes, text) }

func (w *writer) windows() bool { return w.path.Windows() }

// env reads the machine's environment; Windows names have no case.
func (w *writer) env(name string) string {
	if v, ok := w.m.Env[name]; ok || !w.windows() {
		return v
	}
	for k, v := range w.m.Env {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// free says that nobody but cupel set a variable.
func (w *writer) free(name string) bool {
	return w.env(name) == "" || recorded(w.m.Env, name, w.m.System.OS)
}

// added says that an earlier environment put a folder into a list.
func (w *writer) added(list, dir string) bool {
	return contains(w.path, recordedDirs(w.m.Env, list, w.m.System.OS), dir)
}

func (w *writer) readers(name string) []string {
	row, ok := data.VariableByName(name, w.m.System.OS)
	if !ok {
		return nil
	}
	var tools []string
	for _, r := range row.Readers {
		tools = append(tools, r.Tool)
	}
	return tools
}

func contains(s ospath.Style, dirs []string, dir string) bool {
	for _, d := range dirs {
		if s.Same(d, dir) {
			return true
		}
	}
	return false
}
