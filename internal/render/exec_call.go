package render

import (
	"fmt"
	"strings"

	"cupel/internal/diagnose"
	"cupel/internal/review"
)

// execFailing shows the first failing call whole, the others in short.
func (s Style) execFailing(b *strings.Builder, a review.Answer, verbose bool) {
	if a.ToldFirst() {
		b.WriteString("\n" + s.Explain(*a.Told, verbose))
	}
	listed := 0
	for i, f := range a.Failing {
		if i == 0 && !behind(a, f) || verbose && f.Kind != review.Stopped {
			b.WriteString("\n")
			s.execCall(b, f, verbose)
			continue
		}
		if listed == 0 {
			b.WriteString("\n" + s.paint(bold, "also failed:") + "\n")
		}
		if listed == otherShown {
			fmt.Fprintf(b, "  and %d more: cupel runs show %s\n", len(a.Failing)-i, fit(a.Run.ID))
			break
		}
		listed++
		b.WriteString("  " + s.wrap(execOther(f), 4) + "\n")
	}
	if a.Told != nil && !a.ToldFirst() {
		b.WriteString("\n" + s.Explain(*a.Told, verbose))
	}
}

// behind says that a failing call is not what the command failed of.
func behind(a review.Answer, f review.Failing) bool { return a.ToldFirst() || f.Kind == review.Ignored }

// execCall is one call: what it was for, the command, its output, the cause, how to run it again.
func (s Style) execCall(b *strings.Builder, f review.Failing, verbose bool) {
	b.WriteString(s.paint(red, "call "+fit(f.ID)) + " " + s.wrap(execHead(f), 2) + "\n")
	fmt.Fprintf(b, "  %-6s %s\n  %-6s %s\n", "in:", fit(f.Dir), "ran:", ends(fit(f.Command), commandShown))
	for _, v := range f.With {
		fmt.Fprintf(b, "  %-6s %s\n", "with:", ends(fit(v.Name+"="+v.Value), commandShown))
	}
	if f.Output == "" {
		b.WriteString("  it wrote nothing\n")
	} else {
		for _, line := range textLines(f.Output) {
			b.WriteString(strings.TrimRight("  | "+line, " ") + "\n")
		}
	}
	if f.Cut > 0 {
		fmt.Fprintf(b, "  the whole output: cupel runs show %s\n", fit(f.ID))
	}
	if len(f.Findings) > 0 {
		b.WriteString("\n")
		s.cause(b, diagnose.Answer{Log: diagnose.LogFacts{Name: "the output"}}, f.Findings[0], verbose)
		for _, other := range f.Findings[1:] {
			if verbose {
				s.also(b, diagnose.Answer{}, other, verbose)
			}
		}
	}
	if f.Cut > 0 {
		s.unknownText(b, diagnose.Answer{Telling: f.Telling})
	}
	if f.WentOn > 0 {
		fmt.Fprintf(b, "  %-6s %s\n", "but:", s.wrap(execWentOn(f), 9))
	}
	fmt.Fprintf(b, "  %-6s %s\n", "again:", s.paint(green, fit(f.Replay)))
	if len(f.Same) > 0 {
		fmt.Fprintf(b, "  %-6s %s\n", "same:", s.wrap(execSame(f.Same), 9))
	}
}

// execHead says what a call was for and how it ended.
func execHead(f review.Failing) string {
	word := "failed"
	switch f.Kind {
	case review.Stopped:
		word = "was stopped"
	case review.Check:
		word = "failed, a check of the build tool"
	case review.Query:
		word = "failed, a question to the compiler"
	case review.Ignored:
		word = "failed, and the build went on"
	}
	parts := []string{f.Tool}
	if f.Source != "" {
		parts = append(parts, f.Source)
	}
	if f.Target != "" && f.Target != "." {
		parts = append(parts, f.Target)
	}
	return fmt.Sprintf("%s (%s): %s", word, fit(f.Ended), fit(strings.Join(parts, ", ")))
}

// execWentOn says that the call may not be what the command failed of.
func execWentOn(f review.Failing) string {
	return fmt.Sprintf("the build went on after this call (later ones that succeeded: %d): the command may have failed of something else, which its own output names", f.WentOn)
}

// execOther is a failing call on one line.
func execOther(f review.Failing) string {
	text := fit(f.ID) + " " + execHead(f)
	if len(f.Findings) > 0 && f.Findings[0].Label != diagnose.Unknown {
		text += ": " + fit(f.Findings[0].What)
	}
	if len(f.Same) > 0 {
		text += "; the same: " + execSame(f.Same)
	}
	return text
}

// execSame lists further calls with one cause.
func execSame(all []review.Other) string {
	var out []string
	for i, o := range all {
		if i == otherShown {
			out = append(out, fmt.Sprintf("%d more", len(all)-i))
			break
		}
		if o.Source != "" {
			out = append(out, fit(o.ID)+" ("+fit(o.Source)+")")
		} else {
			out = append(out, fit(o.ID))
		}
	}
	return strings.Join(out, ", ")
}
