package review

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/diagnose"
	"cupel/internal/finding"
	"cupel/internal/nvcc"
)

// Ids of the findings of a run; each has a page in data/topics.
const (
	FailureElsewhere   = "exec-failure-elsewhere"
	NothingCompiled    = "exec-nothing-compiled"
	ShimPassedBy       = "exec-shim-passed-by"
	ValueOverridden    = "exec-value-overridden"
	LeftRunning        = "exec-left-running"
	EnvironmentCleaned = "exec-environment-cleaned"
	CallUnfinished     = "exec-call-unfinished"
	RecordIncomplete   = "exec-record-incomplete"
	OtherToolkit       = "exec-other-toolkit"
)

// IDs are the findings that a run can have of its own.
func IDs() []string {
	return []string{FailureElsewhere, NothingCompiled, ShimPassedBy, ValueOverridden, LeftRunning, EnvironmentCleaned, CallUnfinished, RecordIncomplete, OtherToolkit}
}

func ofRun(id string) bool { return slices.Contains(IDs(), id) }

// remarks are the findings of the run itself, worst first.
func (j *judge) remarks(a Answer) []finding.Finding {
	if j.Run.End == nil { // it goes on, or cupel itself was ended: what is missing may yet come
		return nil
	}
	passed := slices.Concat(j.passedBy(), j.otherToolkit())
	out := slices.Concat(j.elsewhere(a), passed, because(passed, j.overridden()), j.nothing(a), j.incomplete(), j.unfinished(), j.cleaned(), j.left())
	slices.SortStableFunc(out, func(x, y finding.Finding) int { return x.Severity.Rank() - y.Severity.Rank() })
	return out
}

// again is the command under cupel exec, with words added.
func (j *judge) again(more ...string) string {
	return j.exec(slices.Concat(j.Run.Command, more)...)
}

// exec is a command under cupel exec, with the options that the run had.
func (j *judge) exec(words ...string) string {
	return nvcc.Paste(slices.Concat([]string{"cupel", "exec"}, j.Run.Options, []string{"--"}, words), j.path.Windows())
}

// show is the command that lists the run's calls.
func (j *judge) show() string { return "cupel runs show " + j.Run.ID }

// elsewhere: the command failed, and no recorded call did.
func (j *judge) elsewhere(a Answer) []finding.Finding {
	known := a.Told != nil && a.Told.Findings[0].Label != diagnose.Unknown
	ignored := slices.ContainsFunc(a.Failing, func(f Failing) bool { return f.Kind == Ignored })
	if !j.failed() || j.ended() || piped(j.Run.End) || len(a.Failing) > 0 && (!ignored || !onlyTries(a.Failing) || a.Told != nil) || known {
		return nil
	}
	f := finding.Finding{ID: FailureElsewhere, Severity: finding.Error, What: "the command failed, and no compiler call that was recorded did", Where: j.Run.End.Words()}
	if ignored {
		f.What = "the command failed, and not of the compiler calls that failed: the build went on after them"
	}
	f.Why = "a build script, a linker, a test or the build tool itself ended badly, or a compiler that was started past the shim and was gone too soon to be seen"
	if a.Total.Unfinished > 0 {
		f.What = "the command failed, and no compiler call whose end is recorded did"
		f.Why = "either a call failed whose record has no end, or something else of the build: a build script, a linker, a test"
	}
	if len(j.passed) > 0 {
		f.Why = "either a compiler that was started without the shim failed, or something else of the build did: a build script, a linker, a test"
	}
	if !j.Kept {
		f.Why += "; the command's own output went to the terminal and was not kept"
		f.Next = append(f.Next, finding.Step{Command: j.again() + " 2>&1 | cupel explain", Note: "reads what it prints"})
	}
	f.Next = append(f.Next, finding.Step{Command: j.show(), Note: "the calls of this run"})
	return []finding.Finding{f}
}

// Ended says how the command ended, in words.
func (a Answer) Ended() string {
	if a.Run.End == nil {
		return "not known"
	}
	return a.Run.End.Words()
}

const mostListed = 4

// list joins a few of many.
func list(all []string) string {
	if len(all) > mostListed {
		return strings.Join(all[:mostListed], ", ") + fmt.Sprintf(" and %d more", len(all)-mostListed)
	}
	return strings.Join(all, ", ")
}

// each keeps the first of equal texts, without empty ones.
func each(all []string) []string {
	var out []string
	for _, s := range all {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func processes(all []call.Process) string {
	var out []string
	for _, p := range all {
		out = append(out, p.Path)
	}
	return list(each(out))
}

func amount(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
