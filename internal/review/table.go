package review

import (
	"fmt"
	"maps"

	"cupel/internal/call"
	"cupel/internal/diagnose"
	"cupel/internal/finding"
)

// TryFormat of the table (docs/formats/exec.md).
const TryFormat = "cupel.try/1"

// Status is how a variation of a build went.
type Status string

const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	XFail Status = "expected-fail"   // it failed, as it should
	XPass Status = "unexpected-pass" // it should have failed
	Skip  Status = "skipped"         // it was not run
)

// Table is a set of variations of one build.
type Table struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"` // the first cause of each that failed
	Rows     []Row             `json:"rows"`
}

// Row is one variation and how it went.
type Row struct {
	Name     string            `json:"name"`
	Status   Status            `json:"status"`
	Command  []string          `json:"command,omitempty"`
	Toolkit  string            `json:"toolkit,omitempty"` // release that was used
	Compiler string            `json:"host_compiler,omitempty"`
	Env      map[string]string `json:"env,omitempty"`   // set besides
	Unset    []string          `json:"unset,omitempty"` // taken away
	Seconds  float64           `json:"seconds"`
	Calls    int               `json:"calls"` // of nvcc that compile or link
	Failed   int               `json:"failed,omitempty"`
	Cause    string            `json:"cause,omitempty"` // label of the first cause, or what is known in words
	Run      string            `json:"run,omitempty"`
	Reason   string            `json:"reason,omitempty"` // why it was not run, or why it should fail
}

// Tried is a variation with the answer to its run.
type Tried struct {
	Try
	Answer  *Answer // nil: it was not run
	Expect  bool    // it should fail
	Reason  string  // why it was not run, or why it should fail
	Missing string  // what should be there after a run that went well, and is not
	Broken  bool    // it was not run because something failed before: no reason to pass it over
}

// TableOf puts the variations together.
func TableOf(version string, all []Tried) Table {
	t := Table{Format: TryFormat, Cupel: version, Findings: []finding.Finding{}, Rows: []Row{}}
	for _, one := range all {
		t.Rows = append(t.Rows, one.row())
		if s := t.Rows[len(t.Rows)-1].Status; s != Fail || one.Answer == nil || len(one.Answer.Findings) == 0 {
			continue
		}
		f := one.Answer.Findings[0]
		f.Where = fmt.Sprintf("configuration %s: %s", one.Name, f.Where)
		t.Findings = append(t.Findings, f)
	}
	return t
}

// Ran says that one of them was run at all.
func (t Table) Ran() bool {
	for _, r := range t.Rows {
		if r.Status != Skip {
			return true
		}
	}
	return false
}

// Failed says that one of them did not do what it should.
func (t Table) Failed() bool {
	for _, r := range t.Rows {
		if r.Status == Fail || r.Status == XPass {
			return true
		}
	}
	return false
}

func (one Tried) row() Row {
	r := Row{Name: one.Name, Status: Skip, Command: call.Shown(one.Command), Toolkit: one.Toolkit, Compiler: one.Compiler, Env: shownEnv(one.Env), Unset: one.Unset, Reason: one.Reason}
	a := one.Answer
	if a == nil {
		if one.Broken {
			r.Status, r.Cause, r.Reason = Fail, one.Reason, ""
		}
		return r
	}
	r.Run, r.Calls, r.Command = a.Run.ID, a.Total.Compiles, a.Run.Command
	for _, t := range a.Targets {
		r.Failed += t.Failed
	}
	if a.Run.Toolkit.Release != "" {
		r.Toolkit = a.Run.Toolkit.Release
	}
	if r.Compiler == "" {
		r.Compiler = a.Run.Compiler
	}
	if a.Run.End != nil {
		r.Seconds = a.Run.End.Seconds
	}
	bad := a.Failed() || a.Run.End == nil || one.Missing != ""
	r.Status = map[[2]bool]Status{{false, false}: Pass, {true, false}: Fail, {true, true}: XFail, {false, true}: XPass}[[2]bool{bad, one.Expect}]
	if bad {
		r.Cause = one.cause()
	}
	return r
}

// cause is the label of the first cause, else what is known of the end. A mistake of the source is told in words.
func (one Tried) cause() string {
	a := one.Answer
	for _, f := range a.Findings {
		switch f.Label {
		case "", diagnose.Unknown:
		case diagnose.NotCUDA:
			return f.What
		default:
			return f.Label
		}
	}
	switch {
	case !a.Failed() && one.Missing != "":
		return one.Missing + " is missing"
	case len(a.Failing) > 0:
		return fmt.Sprintf("not known: call %s, %s", a.Failing[0].ID, a.Failing[0].Ended)
	}
	return "not known: " + a.Ended()
}

// shownEnv is what a variation set, without secrets.
func shownEnv(env map[string]string) map[string]string {
	out := maps.Clone(env)
	for name, value := range out {
		if call.Secret(name, value) {
			out[name] = "***"
		}
	}
	return out
}
