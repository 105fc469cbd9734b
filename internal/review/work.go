package review

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/nvcc"
	"cupel/internal/ospath"
)

// judge is a run while it is judged.
type judge struct {
	Input
	path    ospath.Style
	works   []*work // in the order in which the calls began
	log     output  // the command's own output, where it was kept
	passed  []call.Process
	machine string // whose facts were asked, in words
}

// work is a call with what can be read off it.
type work struct {
	*call.Call
	read    nvcc.Invocation
	windows bool
	source  string // the first source file, as it was called
	target  string
	check   bool            // a try of the build tool
	real    bool            // a call of nvcc that compiles or links something of the project
	asked   []string        // the files that its options ask for
	verdict *verdict        // nil: not asked yet
	said    map[string]bool // nil: not asked yet
}

func newJudge(in Input) *judge {
	j := &judge{Input: in, path: ospath.For(in.Run.OS)}
	for i := range in.Calls {
		c := &in.Calls[i]
		if real := in.Run.Tools[c.Begin.Tool]; real != "" && j.path.Within(c.Begin.Path, in.Run.Toolkit.Mirror) && in.Run.Toolkit.Mirror != "" {
			c.Begin.Path = real // it was started by a link of the mirror's, so that it finds the other shims
		}
		w := &work{Call: c, read: nvcc.Parse(c.Argv()), windows: j.path.Windows()}
		if w.source = w.read.Source(); slices.Contains(objects, strings.ToLower(ending(w.source))) {
			w.source = "" // it links
		}
		w.asked = w.read.Outputs(w.windows)
		w.target, w.check = j.targetOf(w)
		w.real = w.Begin.Tool == "nvcc" && w.read.Compiles() && !w.check
		j.works = append(j.works, w)
	}
	j.log = j.newOutput(j.logLines())
	j.passed = j.reallyPassed()
	return j
}

// failed says that the command did not end well.
func (j *judge) failed() bool { return failed(j.Run) }

// id names a call for ever.
func (w *work) id() string { return fmt.Sprintf("%s.%d", w.Run, w.Number) }

// command is the call as it can be pasted.
func (w *work) command() string {
	return nvcc.Paste(append([]string{w.Begin.Path}, call.Shown(w.Argv())...), w.windows)
}

// ended says how the call ended, as a person would.
func (w *work) ended() string {
	if w.End == nil {
		return "not known"
	}
	return w.End.Words()
}

// objects are the endings of what is only linked.
var objects = []string{".o", ".obj", ".a", ".lib", ".so"}

// ending is the last dot of a path and what follows it.
func ending(path string) string { return path[max(0, strings.LastIndexByte(path, '.')):] }

// links says that the call only links: its inputs are objects and libraries.
func (w *work) links() bool { return w.source == "" }

// files are the paths that the call names, as far as they are told: outputs first.
func (w *work) files() []string {
	var out []string
	if w.End != nil {
		for _, f := range w.End.Outputs {
			out = append(out, f.Path)
		}
	}
	out = append(out, w.asked...)
	return append(out, w.read.Inputs...)
}

// env is the value of a variable in the call.
func (j *judge) env(w *work, name string) string {
	if v, ok := w.Begin.Env.Set[name]; ok {
		return v
	}
	for _, gone := range w.Begin.Env.Unset {
		if gone == name {
			return ""
		}
	}
	return j.Base.Values[name]
}
