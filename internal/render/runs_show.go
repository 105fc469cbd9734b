package render

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/call"
	"cupel/internal/ospath"
)

// Run shows one run: what it was, then its calls.
func (s Style) Run(a Runs) string {
	r := a.Runs[0]
	var b strings.Builder
	b.WriteString(s.paint(bold, "run "+r.ID) + ": " + ends(runCommand(r), 2000) + "\n")
	for _, f := range runFields(r) {
		fmt.Fprintf(&b, "  %-10s %s\n", f[0]+":", s.wrap(f[1], 13))
	}
	b.WriteString("\n")
	s.calls(&b, a)
	if id := a.Root; id != "" {
		fmt.Fprintf(&b, "next: %s    what the failing call wrote\n", s.paint(green, "cupel runs show "+id))
		fmt.Fprintf(&b, "      %s    runs it again\n", s.paint(green, "cupel replay "+id))
	} else if len(a.Calls) > 0 {
		fmt.Fprintf(&b, "next: %s    a call with its output\n", s.paint(green, "cupel runs show "+a.Calls[0].ID))
	}
	s.foot(&b, a)
	return b.String()
}

// runFields are the lines above the calls.
func runFields(r ListedRun) [][2]string {
	out := [][2]string{{"in", fit(r.Dir)}, {"began", moment(r.Began)}, {"ended", runEnd(r)}}
	if t := r.Toolkit; t.Release != "" {
		out = append(out, [2]string{"toolkit", fit(t.Release + " (" + t.Root + ")")})
	}
	if r.Compiler != "" {
		out = append(out, [2]string{"compiler", fit(r.Compiler)})
	}
	if len(r.Fixes) > 0 {
		out = append(out, [2]string{"repairs", fit(strings.Join(r.Fixes, ", "))})
	}
	calls := count(r.Calls, "call")
	if r.Failing > 0 {
		calls += fmt.Sprintf(", %d failed", r.Failing)
	}
	if r.Cached > 0 {
		calls += fmt.Sprintf(", %d from the cache", r.Cached)
	}
	if r.Unfinished > 0 {
		calls += fmt.Sprintf(", %d without an end", r.Unfinished)
	}
	if r.Work > 0 {
		calls += ", " + seconds(r.Work) + " together"
	}
	if r.Peak > 0 {
		calls += ", the largest with " + Bytes(r.Peak)
	}
	out = append(out, [2]string{"calls", calls})
	if r.End != nil && len(r.End.PassedBy) > 0 {
		out = append(out, [2]string{"passed by", passedBy(r.End.PassedBy)})
	}
	return out
}

// passedBy names the compilers that ran without the shim: their calls are in no record.
func passedBy(all []call.Process) string {
	var names []string
	for _, p := range all {
		if name := fit(p.Path); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return count(len(all), "compiler call") + " went without a record (" + strings.Join(names, ", ") + ")"
}

func runEnd(r ListedRun) string {
	e := r.End
	switch {
	case e == nil && r.Live:
		return "not yet: it goes on"
	case e == nil:
		return "not known: cupel itself was ended"
	case e.Error != "":
		return "it could not be started: " + fit(e.Error)
	case e.TimedOut:
		return "by the time limit, after " + seconds(e.Seconds)
	}
	return fit(e.Words()) + " after " + seconds(e.Seconds)
}

// calls is the table of calls. The runs of a store are of one system, which tells how paths are written.
func (s Style) calls(b *strings.Builder, a Runs) {
	if len(a.Calls) == 0 {
		b.WriteString(noCalls(a) + "\n")
		return
	}
	rows := [][]string{{"CALL", "TOOL", "EXIT", "TIME", "PEAK", "SOURCE"}}
	if a.Slow {
		rows[0] = []string{"CALL", "TOOL", "EXIT", "TIME", "SHARE", "PEAK", "SOURCE"}
	}
	for _, c := range a.Calls {
		row := []string{c.ID, c.Tool, callExit(c), callTime(c), peak(c.Peak), ends(shortSource(c, a.Runs[0].OS), 100)}
		if a.Slow {
			row = append(row[:4:4], share(c), row[4], row[5])
		}
		rows = append(rows, row)
	}
	for i, line := range table(rows) {
		colour := plain
		switch {
		case i == 0:
			colour = bold
		case a.Calls[i-1].Failed:
			colour = red
		}
		b.WriteString(s.paint(colour, line) + "\n")
	}
	if a.More > 0 {
		fmt.Fprintf(b, "%d more (--limit 0)\n", a.More)
	}
}

func noCalls(a Runs) string {
	switch {
	case a.Failed:
		return "no call failed"
	case len(a.Runs) == 1:
		return "no compiler call was recorded"
	}
	return "no compiler calls were recorded"
}

// shortSource leaves the call's own folder out.
func shortSource(c ListedCall, os string) string {
	dir := c.Dir + ospath.For(os).Separator()
	if len(c.Dir) < 2 {
		return fit(c.Source)
	}
	return fit(strings.ReplaceAll(c.Source, dir, ""))
}

func callExit(c ListedCall) string {
	if !c.Ended {
		return "no end"
	}
	if c.Cache == call.CacheHit && c.Code == 0 {
		return "0, cached"
	}
	return exitWord(c.Error, c.Signal, c.Status, c.Code)
}

func callTime(c ListedCall) string {
	if !c.Ended {
		return "-"
	}
	return fmt.Sprintf("%.2f s", c.Seconds)
}

func share(c ListedCall) string { return fmt.Sprintf("%.0f%%", c.Share*100) }

func peak(n int64) string {
	if n <= 0 {
		return "-"
	}
	return Bytes(n)
}

// RunMarkdown is a run for an issue.
func RunMarkdown(a Runs) string {
	r := a.Runs[0]
	var b strings.Builder
	fmt.Fprintf(&b, "### cupel run %s\n\n- command: %s\n", r.ID, codeMD(ends(runCommand(r), 2000)))
	for _, f := range runFields(r) {
		fmt.Fprintf(&b, "- %s: %s\n", f[0], sentenceMD(f[1]))
	}
	b.WriteString("\n")
	callsMarkdown(&b, a)
	footMarkdown(&b, a)
	return b.String()
}

func callsMarkdown(b *strings.Builder, a Runs) {
	if len(a.Calls) == 0 {
		b.WriteString(noCalls(a) + "\n")
		return
	}
	b.WriteString("| call | tool | exit | time | share | peak | source |\n|---|---|---|---|---|---|---|\n")
	for _, c := range a.Calls {
		exit := sentenceMD(callExit(c))
		if c.Failed {
			exit = "**" + exit + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", cellCode(c.ID), cellCode(c.Tool), exit, callTime(c), share(c), peak(c.Peak), cellCode(ends(c.Source, 300)))
	}
}
