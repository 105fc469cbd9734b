package render

import (
	"fmt"
	"strings"
	"time"

	"cupel/internal/call"
	"cupel/internal/finding"
)

// RunsFormat of the answer (docs/formats/run.md).
const RunsFormat = "cupel.runs/1"

// Runs is the answer of runs and runs show.
type Runs struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	Dir      string            `json:"dir"`                  // of all runs
	Runs     []ListedRun       `json:"runs"`                 // newest first; the one of a run or call that is shown
	Calls    []ListedCall      `json:"calls,omitempty"`      // of the run that is shown; with --slow the slowest
	Call     *ShownCall        `json:"call,omitempty"`       // the one that is shown
	Root     string            `json:"root_cause,omitempty"` // RUN.NUMBER: the failed call that the ending of exec shows first
	More     int               `json:"more,omitempty"`       // runs or calls that --limit left out
	Slow     bool              `json:"slow,omitempty"`       // slowest calls first
	Failed   bool              `json:"failed,omitempty"`
}

// ListedRun is a run with the figures of its calls.
type ListedRun struct {
	call.Run
	Live       bool    `json:"live,omitempty"`
	Failed     bool    `json:"failed"`
	Calls      int     `json:"calls"`
	Failing    int     `json:"failing_calls"`
	Unfinished int     `json:"unfinished_calls"`
	Cached     int     `json:"cached_calls"` // that the store answered
	Work       float64 `json:"call_seconds"` // of all calls together
	Peak       int64   `json:"peak_bytes"`   // of the largest call
}

// ListedCall is one line of a run.
type ListedCall struct {
	ID      string    `json:"id"` // RUN.NUMBER
	Number  int       `json:"number"`
	Tool    string    `json:"tool"`
	Source  string    `json:"source"` // what it was about: crate and input files, else its arguments
	Dir     string    `json:"dir"`
	Began   time.Time `json:"began"`
	Failed  bool      `json:"failed"`
	Ended   bool      `json:"ended"`
	Code    int64     `json:"code"`
	Signal  string    `json:"signal,omitempty"`
	Status  string    `json:"status,omitempty"`
	Error   string    `json:"error,omitempty"`
	Seconds float64   `json:"seconds"`
	Share   float64   `json:"share"` // of the time of all calls of its run, 0 to 1
	Peak    int64     `json:"peak_bytes"`
	Cache   string    `json:"cache,omitempty"` // hit; miss or refused, with the reason
	Torn    string    `json:"torn,omitempty"`
}

// commandColumn is how much of a command stands in a line of the list.
const commandColumn = 60

// Runs lists runs, or the slowest calls of them.
func (s Style) Runs(a Runs) string {
	var b strings.Builder
	switch {
	case a.Slow:
		s.calls(&b, a)
	case len(a.Runs) > 0:
		rows := [][]string{{"RUN", "BEGAN", "CALLS", "FAILED", "EXIT", "TIME", "COMMAND"}}
		for _, r := range a.Runs {
			rows = append(rows, []string{r.ID, moment(r.Began), fmt.Sprint(r.Calls), fmt.Sprint(r.Failing), runExit(r), runTime(r), ends(runCommand(r), commandColumn)})
		}
		for i, line := range table(rows) {
			b.WriteString(s.paint(map[bool]string{true: bold}[i == 0], line) + "\n")
		}
		if a.More > 0 {
			fmt.Fprintf(&b, "%d more (--limit 0)\n", a.More)
		}
		fmt.Fprintf(&b, "next: %s    its calls\n", s.paint(green, "cupel runs show "+a.Runs[0].ID))
	case a.Failed && len(a.Findings) == 0:
		b.WriteString("no run failed\n")
	}
	s.foot(&b, a)
	return b.String()
}

// foot are the findings below an answer.
func (s Style) foot(b *strings.Builder, a Runs) {
	for i, f := range finding.Shown(a.Findings) {
		if i > 0 || b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.Finding(f))
	}
}

// moment is a time in the reader's own zone.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func runCommand(r ListedRun) string {
	text := strings.Join(call.Shown(r.Command), " ")
	if r.Name != "" {
		text = r.Name + ": " + text
	}
	return fit(text)
}

// runExit is how a run ended, in a word.
func runExit(r ListedRun) string {
	e := r.End
	switch {
	case e == nil && r.Live:
		return "running"
	case e == nil:
		return "not known"
	case e.TimedOut:
		return "timed out"
	}
	return exitWord(e.Error, e.Signal, e.Status, e.Code)
}

func exitWord(err, signal, status string, code int64) string {
	switch {
	case err != "":
		return "not started"
	case signal != "":
		return fit(signal)
	case status != "":
		return fit(status)
	}
	return fmt.Sprint(code)
}

func runTime(r ListedRun) string {
	if r.End == nil {
		return "-"
	}
	return seconds(r.End.Seconds)
}

// RunsMarkdown is the list for an issue.
func RunsMarkdown(a Runs) string {
	var b strings.Builder
	switch {
	case a.Slow:
		callsMarkdown(&b, a)
	case len(a.Runs) > 0:
		b.WriteString("| run | began | calls | failed | exit | time | command |\n|---|---|---|---|---|---|---|\n")
		for _, r := range a.Runs {
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %s | %s |\n", cellCode(r.ID), moment(r.Began), r.Calls, r.Failing, sentenceMD(runExit(r)), runTime(r), cellCode(ends(runCommand(r), 200)))
		}
	case a.Failed && len(a.Findings) == 0:
		b.WriteString("no run failed\n")
	}
	footMarkdown(&b, a)
	return b.String()
}

func footMarkdown(b *strings.Builder, a Runs) {
	if a.More > 0 {
		fmt.Fprintf(b, "\n%d more\n", a.More)
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	for _, f := range finding.Shown(a.Findings) {
		findingMarkdown(b, f)
	}
	fmt.Fprintf(b, "cupel %s\n", sentenceMD(fit(a.Cupel)))
}
