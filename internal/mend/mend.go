// Package mend repairs the arguments of a compiler call: each repair has a name, changes as little as it can and says what
// it changed and why. It decides nothing about machines: package mend/choose makes the Plan. The shim uses it.
package mend

import (
	"encoding/json"
	"fmt"
	"slices"

	"cupel/internal/call"
	"cupel/internal/nvcc"
)

// The repairs, by name.
const (
	HostCompiler   = "host-compiler"
	ZcPreprocessor = "zc-preprocessor"
	MathDefines    = "math-defines"
	NoFPIC         = "no-fpic"
	Arch           = "arch"
)

// Plan is what may be repaired, with the values that the repairs need. It is written into the run's folder. A repair that
// is not wanted, or has nothing to do on the machine, has no entry.
type Plan struct {
	Windows   bool              `json:"windows,omitempty"` // names of files are compared as Windows does
	Compilers *Compilers        `json:"compilers,omitempty"`
	Flags     map[string]string `json:"flags,omitempty"` // zc-preprocessor, math-defines, no-fpic → why
	Archs     *Archs            `json:"archs,omitempty"`

	before, after []string // flags that nvcc takes from its environment, before and after those of the call
	named         string   // NVCC_CCBIN
}

// Compilers tells which host compilers the toolkit refuses, and which one to name instead.
type Compilers struct {
	Use     string            `json:"use"`               // for -ccbin
	Default string            `json:"default,omitempty"` // why the compiler that nvcc takes by itself does not fit; empty: it does
	Refused map[string]string `json:"refused,omitempty"` // names under which a call may ask for one that does not fit → why
}

// Archs tells which targets the toolkit knows.
type Archs struct {
	Toolkit string            `json:"toolkit"`         // CUDA 12.4.1
	Known   []string          `json:"known"`           // 75 80 90 90a
	Later   map[string]string `json:"later,omitempty"` // 120 → 12.8, the first release that knows it
}

// Parse reads a plan's text; Text writes it.
func Parse(text []byte) (Plan, error) {
	var p Plan
	if err := json.Unmarshal(text, &p); err != nil {
		return Plan{}, fmt.Errorf("read plan of repairs: %w", err)
	}
	return p, nil
}

// Text is the plan as it is written down.
func (p Plan) Text() ([]byte, error) { return json.Marshal(p) }

// Empty says that nothing can be repaired.
func (p Plan) Empty() bool { return p.Compilers == nil && len(p.Flags) == 0 && p.Archs == nil }

// Under is the plan of a call that nvcc's own variables stand around: what they say need not be said again, and a host
// compiler that they name counts as the call's.
func (p Plan) Under(getenv func(name string) string) Plan {
	p.before = nvcc.WithEnv(nil, getenv("NVCC_PREPEND_FLAGS"), "")
	p.after = nvcc.WithEnv(nil, "", getenv("NVCC_APPEND_FLAGS"))
	p.named = getenv("NVCC_CCBIN")
	return p
}

// Apply repairs the arguments (response files in their place) of a tool's call. Without changes out is args.
func (p Plan) Apply(tool string, args []string) (out []string, changes []call.Change) {
	if tool != "nvcc" || p.Empty() {
		return args, nil
	}
	w := &work{plan: p, call: nvcc.Parse(args), before: nvcc.Parse(p.before), after: nvcc.Parse(p.after), args: args, edits: map[int]edit{}}
	if w.asks() {
		return args, nil
	}
	w.compilers()
	w.flags()
	w.archs()
	if len(w.changes) == 0 {
		return args, nil
	}
	return w.done(), w.changes
}

// work is one call being repaired. Edits are by place in args, so that no repair moves the words of another.
type work struct {
	plan          Plan
	call          nvcc.Invocation
	before, after nvcc.Invocation // what the environment adds
	args          []string
	front         []string // options that come before all others: none of the call's can take them for its value
	edits         map[int]edit
	changes       []call.Change
}

// edit puts words in the place of n arguments.
type edit struct {
	n     int
	words []string
}

func (w *work) done() []string {
	out := slices.Clone(w.front)
	for i := 0; i < len(w.args); {
		e, ok := w.edits[i]
		if !ok {
			out = append(out, w.args[i])
			i++
			continue
		}
		out = append(out, e.words...)
		i += e.n
	}
	return out
}

// add puts options in front.
func (w *work) add(fix, why string, words ...string) {
	w.front = append(w.front, words...)
	w.changes = append(w.changes, call.Change{Fix: fix, After: words, Why: why})
}

// put replaces n arguments.
func (w *work) put(fix, why string, at, n int, words ...string) {
	w.edits[at] = edit{n, words}
	w.changes = append(w.changes, call.Change{Fix: fix, Before: slices.Clone(w.args[at : at+n]), After: words, Why: why})
}
