package review

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/finding"
)

// changed is a variable that exec set and that calls had otherwise.
type changed struct {
	name, value string // value is empty: it was not there
	calls       []string
	callers     []string
}

// overridden: a value that exec set did not reach the compiler.
func (j *judge) overridden() []finding.Finding {
	var out []finding.Finding
	for _, c := range j.changes() {
		was := "is not set"
		if c.value != "" {
			was = "is " + c.value
		}
		f := finding.Finding{ID: ValueOverridden, Severity: finding.Warning, Subject: c.name, What: fmt.Sprintf("%s %s in %s, not what cupel exec set", c.name, shortened([]string{was})[0], amount(len(c.calls), "call"))}
		if c.name == j.pathName() {
			f.What = fmt.Sprintf("PATH leads %s past the shim to another nvcc", amount(len(c.calls), "call"))
		}
		f.Where = "call " + list(c.calls)
		if f.Why, f.Next, f.Evidence = j.whyChanged(c); len(f.Evidence) == 0 && j.byCommand(c) && c.name != j.pathName() {
			f.Severity, f.Why = finding.Info, "the command that cupel exec was given changes it itself; exec set "+j.Run.Set[c.name]
		}
		out = append(out, f)
	}
	return out
}

// whyChanged names the file that makes the value, else the program that called.
func (j *judge) whyChanged(c changed) (string, []finding.Step, []finding.Evidence) {
	for _, v := range j.settings() {
		if j.sameName(v.Name, c.name) && (c.value == "" || j.path.Same(v.Value, c.value) || strings.Contains(c.value, v.Value)) {
			return fmt.Sprintf("%s sets it to %s; exec set %s", place(v), v.Value, j.Run.Set[c.name]), j.obey(v), setting(v)
		}
	}
	why := "a program on the way to the compiler set it; exec set " + j.Run.Set[c.name]
	if by := list(each(c.callers)); by != "" {
		why = "a program on the way to the compiler set it (the caller was " + by + "); exec set " + j.Run.Set[c.name]
	}
	return why, []finding.Step{{Command: "cupel replay " + c.calls[0] + " --diff-env", Note: "everything that the call had other than this shell"}}, nil
}

// byCommand says that cupel itself stands above every call: the command became the compiler (env -u NAME nvcc …), and nothing
// of a build is between them.
func (j *judge) byCommand(c changed) bool {
	return !slices.ContainsFunc(c.callers, func(by string) bool { return !j.isCupel(by) })
}

// isCupel says that a program is this one.
func (j *judge) isCupel(path string) bool {
	return strings.TrimSuffix(strings.ToLower(j.path.Base(path)), ".exe") == "cupel"
}

// changes lists the variables in the order of their names, each value apart.
func (j *judge) changes() []changed {
	var out []changed
	for _, name := range slices.Sorted(maps.Keys(j.Run.Set)) {
		row, known := data.VariableByName(name, j.Run.OS)
		if !known || row.Private || !slices.Contains(mattering, row.Kind) && !row.List && name != j.pathName() {
			continue
		}
		for _, w := range j.works {
			if w.Begin.Tool != "nvcc" || w.Begin.Outside {
				continue // nvcc gives its own tools a PATH of its own making; a cleaned environment is told as one
			}
			value, other := j.otherwise(w, name, row)
			if !other {
				continue
			}
			at := slices.IndexFunc(out, func(c changed) bool { return c.name == name && c.value == value })
			if at < 0 {
				at = len(out)
				out = append(out, changed{name: name, value: value})
			}
			out[at].calls = append(out[at].calls, w.id())
			out[at].callers = append(out[at].callers, w.Begin.Caller)
		}
	}
	return out
}

// otherwise says that a call had a variable in another way than exec set it, in a way that matters: a list may grow.
func (j *judge) otherwise(w *work, name string, row data.Variable) (string, bool) {
	value, here := j.inCall(w, name)
	if !here {
		return "", false
	}
	if name == j.pathName() {
		return value, j.leadsPast(value)
	}
	if !row.List || value == "" {
		return value, !j.path.Same(value, j.Run.Set[name])
	}
	kept := j.path.List(value)
	for _, want := range j.path.List(j.Run.Set[name]) {
		if !slices.ContainsFunc(kept, func(k string) bool { return j.path.Same(k, want) }) {
			return value, true
		}
	}
	return value, false
}

// inCall is the value that a call had where it is not the run's.
func (j *judge) inCall(w *work, name string) (value string, other bool) {
	for n, v := range w.Begin.Env.Set {
		if j.sameName(n, name) {
			return v, true
		}
	}
	return "", slices.ContainsFunc(w.Begin.Env.Unset, func(n string) bool { return j.sameName(n, name) })
}

// leadsPast says that PATH has another nvcc before the shim: a folder of a toolkit that is known. One without any leads nowhere:
// the call that was recorded found the shim by a variable.
func (j *judge) leadsPast(value string) bool {
	shims := j.path.Join(j.Run.Toolkit.Mirror, "bin")
	for _, dir := range j.path.List(value) {
		if j.path.Same(dir, shims) {
			return false
		}
		if slices.ContainsFunc(j.bins(), func(b string) bool { return j.path.Same(b, dir) }) {
			return true
		}
	}
	return false
}

// bins are the folders that are known to have an nvcc.
func (j *judge) bins() []string {
	out := []string{j.path.Join(j.Run.Toolkit.Root, "bin")}
	if real := j.Run.Tools["nvcc"]; real != "" {
		out = append(out, j.path.Dir(real))
	}
	if j.Machine != nil {
		for _, t := range j.Machine.Machine.Toolkits {
			if real := t.Parts["nvcc"]; real != "" {
				out = append(out, j.path.Dir(real))
			}
		}
	}
	return out
}

// pathName is how the run spells PATH: Windows writes Path.
func (j *judge) pathName() string {
	for name := range j.Run.Set {
		if j.sameName(name, "PATH") {
			return name
		}
	}
	return "PATH"
}

func (j *judge) sameName(a, b string) bool {
	return a == b || j.path.Windows() && strings.EqualFold(a, b)
}
