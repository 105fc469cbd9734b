// Package review decides what a run of cupel exec is told with: the calls of each crate or target, the failing ones in
// the order of their root cause with their explanation, builders that passed the shim by, values that a project's file
// overrode, repairs. It reads a recorded run and facts, and touches no machine.
package review

import (
	"slices"

	"cupel/internal/call"
	"cupel/internal/diagnose"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/nvcc"
	"cupel/internal/signature"
)

// Format of the answer (docs/formats/exec.md).
const Format = "cupel.exec/1"

// Input is what a run is judged from.
type Input struct {
	Version string
	Run     call.Run
	Base    call.Env          // the environment the command was given
	Calls   []call.Call       // all of them; the failing ones with their output
	Log     []byte            // the command's own output, where it was kept
	Kept    bool              // it was
	Saved   []Saved           // what cargo saved of build scripts
	Project fact.Project      // of the folder the command ran in
	Set     *signature.Set    // what failures look like
	Machine *diagnose.Machine // nil: not asked
}

// Saved is a file that a build tool wrote.
type Saved struct {
	File string
	Text []byte
}

// Answer is what is told. Findings are the causes of the failing calls first, then those of the run itself, whose ids
// begin with exec-.
type Answer struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	Run      call.Run          `json:"run"`
	Machine  string            `json:"machine,omitempty"` // whose facts were asked, in words
	Targets  []Target          `json:"targets"`
	Failing  []Failing         `json:"failing,omitempty"`
	Told     *diagnose.Answer  `json:"told,omitempty"` // what the command's own output, or a file that cargo saved, says of it
	Changes  []Repaired        `json:"changes,omitempty"`
	Total    Total             `json:"total"`
}

// Target is a crate, a CMake target or a folder for which nvcc compiled or linked.
type Target struct {
	Name    string  `json:"name"`
	Calls   int     `json:"calls"`
	Failed  int     `json:"failed,omitempty"`
	Seconds float64 `json:"seconds"`
}

// Failing is a failed call, root cause first.
type Failing struct {
	ID       string             `json:"id"` // RUN.NUMBER
	Kind     string             `json:"kind,omitempty"`
	Tool     string             `json:"tool"`
	Target   string             `json:"target,omitempty"`
	Source   string             `json:"source,omitempty"` // the file that it compiles, as it was called
	Command  string             `json:"command"`          // as it can be pasted
	Dir      string             `json:"dir"`
	Ended    string             `json:"ended"`         // exit code 2, SIGKILL, 0xC0000135 (STATUS_DLL_NOT_FOUND)
	Output   string             `json:"output"`        // its own, cleaned of colours, whole or its telling part
	Cut      int                `json:"cut,omitempty"` // lines left out of it
	Findings []diagnose.Finding `json:"findings,omitempty"`
	Telling  []diagnose.Line    `json:"telling,omitempty"` // for an unknown cause: the lines of the output to read first
	Env      []Variable         `json:"env,omitempty"`     // what the call's environment has other than the run's, of what matters to CUDA builds
	With     []Variable         `json:"with,omitempty"`    // variables that gave nvcc further arguments
	Same     []Other            `json:"same,omitempty"`    // later calls with the same cause
	WentOn   int                `json:"went_on,omitempty"` // calls that began after it had failed and ended well: it may not be what the command failed of
	Replay   string             `json:"replay"`            // cupel replay ID
}

// Kinds of failing calls besides a plain one.
const (
	Stopped = "stopped" // it was ended because another had failed, or with the command
	Check   = "check"   // a try of the build tool, whose failure is mostly no trouble
	Query   = "query"   // it asked for a version, help or a list
	Ignored = "ignored" // the build went on: its failure is not the command's
)

// Variable is one that a call had other than its run.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	Unset bool   `json:"unset,omitempty"`
}

// Other is a further call, in short.
type Other struct {
	ID     string `json:"id"`
	Source string `json:"source,omitempty"`
}

// Repaired is a repair with the calls in which it was made and the permanent fix.
type Repaired struct {
	Fix       string   `json:"fix"`
	Why       string   `json:"why"`
	Calls     []string `json:"calls"`
	Before    []string `json:"before,omitempty"`
	After     []string `json:"after,omitempty"`
	Permanent string   `json:"permanent,omitempty"`
	Paste     string   `json:"paste,omitempty"`
}

// Total are the figures of the run.
type Total struct {
	Calls      int     `json:"calls"`    // recorded
	Compiles   int     `json:"compiles"` // of them calls of nvcc that compile or link something of the project
	Checks     int     `json:"checks"`   // tries of the build tool, such as CMake's own tests
	Others     int     `json:"others"`   // calls of nvcc that compile nothing: questions for a version, dry runs
	Failed     int     `json:"failed"`
	Unfinished int     `json:"unfinished"`
	PassedBy   int     `json:"passed_by"`
	Cached     int     `json:"from_cache"` // calls of nvcc that the store answered
	Seconds    float64 `json:"seconds"`    // of all calls of nvcc together
	Peak       int64   `json:"peak_bytes"`
}

// Judge makes the answer.
func Judge(in Input) Answer {
	in.Run.Command = call.Shown(in.Run.Command)
	j := newJudge(in)
	a := Answer{Format: Format, Cupel: in.Version, Findings: []finding.Finding{}, Run: in.Run, Targets: j.targets(), Total: j.total()}
	if j.failed() {
		a.Failing, a.Told = j.lay(j.failing())
		if piped(in.Run.End) && !slices.ContainsFunc(a.Failing, func(f Failing) bool { return f.Kind != Stopped }) {
			a.Failing = nil // nobody reads what it compiles
		}
	}
	a.Machine = j.machine
	a.Changes = j.repairs()
	a.Findings = append(a.Findings, causes(a)...)
	a.Findings = append(a.Findings, j.remarks(a)...)
	return a
}

// ToldFirst says that the command's own output has the cause: the build got over the calls that failed.
func (a Answer) ToldFirst() bool { return a.Told != nil && onlyTries(a.Failing) }

// Remarks are the findings of the run itself: what is told besides the failing calls.
func (a Answer) Remarks() []finding.Finding {
	var out []finding.Finding
	for _, f := range finding.Shown(a.Findings) {
		if ofRun(f.ID) {
			out = append(out, f)
		}
	}
	return out
}

// Paste is a command line that can be pasted where the run was.
func (a Answer) Paste(words ...string) string { return nvcc.Paste(words, a.Run.OS == "windows") }

// Failed says that the command did not end well. One whose reader was gone did what was asked of it.
func (a Answer) Failed() bool {
	return failed(a.Run) && (!piped(a.Run.End) || len(a.Failing) > 0)
}

// Piped says that the command was ended because nobody read its output any more (SIGPIPE).
func (a Answer) Piped() bool { return piped(a.Run.End) }

func failed(r call.Run) bool {
	return r.End != nil && (r.End.Code != 0 || r.End.Signal != "" || r.End.Error != "" || r.End.TimedOut)
}
