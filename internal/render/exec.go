package render

import (
	"fmt"
	"strings"
	"time"

	"cupel/internal/finding"
	"cupel/internal/review"
)

// Exec is what stands below the command's own output: a line where all went well, else the failing calls with their real
// output and the explanation. Repairs and what is wrong with the run follow.
func (s Style) Exec(a review.Answer, verbose bool) string {
	var b strings.Builder
	if !a.Failed() {
		b.WriteString("cupel exec: " + s.wrap(execCounts(a)+", run "+fit(a.Run.ID), 12) + "\n")
	} else {
		b.WriteString(s.paint(bold, s.rule("cupel exec: "+execEnded(a)+", run "+fit(a.Run.ID))) + "\n")
		b.WriteString(s.wrap(execCounts(a), 2) + "\n")
		s.execFailing(&b, a, verbose)
	}
	s.execRepairs(&b, a)
	s.execRemarks(&b, a, verbose)
	return b.String()
}

// rule is a line with words in it, as wide as the screen.
func (s Style) rule(text string) string {
	width := s.Width
	if width <= 0 {
		width = 100
	}
	text = "---- " + text + " "
	return text + strings.Repeat("-", max(4, width-len([]rune(text))))
}

// execEnded says how the command ended.
func execEnded(a review.Answer) string {
	e := a.Run.End
	after := ""
	if e != nil {
		after = " after " + seconds(e.Seconds)
	}
	switch {
	case e == nil:
		return "the command's end is not known"
	case e.Error != "":
		return "the command " + fit(a.Ended())
	case e.TimedOut:
		return "the command was ended by the time limit" + after
	case e.Signal != "":
		return "the command was ended by " + fit(e.Signal) + after
	}
	return "the command failed (" + fit(a.Ended()) + ")" + after
}

func seconds(s float64) string { return Duration(time.Duration(s * float64(time.Second))) }

// execCounts are the calls of each target: 13 nvcc calls (candle-kernels 0.9.1: 13), 27.9 s of nvcc.
func execCounts(a review.Answer) string {
	t := a.Total
	if len(a.Run.Tools) == 0 && t.Calls == 0 && a.Run.Toolkit.Mirror == "" {
		return "calls were not recorded"
	}
	text := count(t.Compiles, "nvcc call")
	if t.Compiles == 0 && t.Others > 0 {
		text = count(t.Others, "nvcc call") + ", none that compiles"
	}
	var targets []string
	failed := 0
	for i, target := range a.Targets {
		failed += target.Failed
		if i == targetsShown {
			targets = append(targets, fmt.Sprintf("%d more", len(a.Targets)-i))
		}
		if i >= targetsShown {
			continue
		}
		name := fit(target.Name)
		if name == "." {
			name = "this folder"
		}
		word := fmt.Sprintf("%s: %d", name, target.Calls)
		if target.Failed > 0 {
			word += fmt.Sprintf(", %d failed", target.Failed)
		}
		targets = append(targets, word)
	}
	if only := len(a.Targets) == 1 && a.Targets[0].Name == "."; only {
		if failed > 0 && a.Failed() { // else it is told below
			text += fmt.Sprintf(" (%d failed)", failed)
		}
	} else if len(targets) > 0 {
		text += " (" + strings.Join(targets, "; ") + ")"
	}
	if t.Checks > 0 {
		text += ", " + count(t.Checks, "check") + " of the build tool"
	}
	if t.Cached > 0 {
		text += fmt.Sprintf(", %d from the cache", t.Cached)
	}
	if t.Compiles > 0 {
		text += ", " + seconds(t.Seconds) + " of nvcc"
	}
	if !a.Failed() && failed > 0 {
		text += fmt.Sprintf(", %d failed and the build went on", failed)
	}
	if a.Piped() && !a.Failed() {
		text += ", ended by SIGPIPE: its reader was gone"
	}
	return text
}

// Bounds of what is listed.
const (
	targetsShown = 6
	otherShown   = 8
	commandShown = 2000
)

// execRepairs lists what cupel changed in calls, and what makes that needless.
func (s Style) execRepairs(b *strings.Builder, a review.Answer) {
	for _, r := range a.Changes {
		fmt.Fprintf(b, "%s %s\n", s.paint(yellow, "repaired["+fit(r.Fix)+"]:"), s.wrap(fit(execChange(r)), 2))
		fmt.Fprintf(b, "  %-6s %s\n", "why:", s.wrap(fit(r.Why), 9))
		if r.Permanent != "" {
			fmt.Fprintf(b, "  %-6s %s\n", "next:", s.wrap(fit(r.Permanent), 9))
		}
		for i, line := range textLines(r.Paste) {
			if i == 0 && line == "" {
				break
			}
			fmt.Fprintf(b, "  %-6s %s\n", "", s.paint(green, line))
		}
	}
}

// execChange says what was changed and how often.
func execChange(r review.Repaired) string {
	before, after := strings.Join(r.Before, " "), strings.Join(r.After, " ")
	text := count(len(r.Calls), "call")
	switch {
	case before == "":
		return text + ": added " + after
	case after == "":
		return text + ": took away " + before
	}
	return text + ": " + before + " became " + after
}

// execRemarks shows what is wrong with the run itself; notes are a line each.
func (s Style) execRemarks(b *strings.Builder, a review.Answer, verbose bool) {
	for _, f := range a.Remarks() {
		switch {
		case f.Severity == finding.Info && f.ID == review.NothingCompiled && !verbose: // the first line says it
		case f.Severity == finding.Info && !verbose:
			b.WriteString(s.Note(f, true))
		default:
			if f.Severity == finding.Error {
				b.WriteString("\n")
			}
			b.WriteString(s.Finding(f))
			fmt.Fprintf(b, "  %-6s %s\n", "more:", "cupel explain --show "+f.ID)
		}
	}
}
