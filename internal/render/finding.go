package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
)

// Finding writes one finding whole.
func (s Style) Finding(f finding.Finding) string {
	f = cleanFinding(f)
	var b strings.Builder
	head := fmt.Sprintf("%s[%s]:", severityWord(f.Severity), f.ID)
	b.WriteString(s.paint(severityColour(f.Severity), head) + " " + s.paint(bold, f.What) + "\n")
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-6s %s\n", name, s.wrap(text, 9))
		}
	}
	field("where:", f.Where)
	field("why:", f.Why)
	for i, step := range f.Next {
		name := "next:"
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(&b, "  %-6s %s\n", name, s.step(step))
	}
	return b.String()
}

// cleanFinding makes every text of a finding fit for a line.
func cleanFinding(f finding.Finding) finding.Finding {
	f.What, f.Where, f.Why = clean(f.What), clean(f.Where), clean(f.Why)
	next := make([]finding.Step, len(f.Next))
	for i, step := range f.Next {
		next[i] = finding.Step{Command: clean(step.Command), Note: clean(step.Note)}
	}
	f.Next = next
	return f
}

// step never wraps a command: it is there to be pasted.
func (s Style) step(step finding.Step) string {
	switch {
	case step.Command == "":
		return s.wrap(step.Note, 9)
	case step.Note == "":
		return s.paint(green, step.Command)
	case len(step.Command) > 48:
		return s.paint(green, step.Command) + "\n             " + s.wrap(step.Note, 13)
	}
	return s.paint(green, step.Command) + "    " + step.Note
}

// Note writes a finding on one line; where tells it from others of its kind.
func (s Style) Note(f finding.Finding, where bool) string {
	text := clean(f.What)
	if where && f.Where != "" {
		text += " (" + clean(f.Where) + ")"
	}
	head := fmt.Sprintf("%s[%s]:", severityWord(f.Severity), f.ID)
	return s.paint(severityColour(f.Severity), head) + " " + s.wrap(text, 2) + "\n"
}

// Summary counts what was shown and what was silenced.
func Summary(all []finding.Finding) string {
	errors, warnings, notes := finding.Count(all, finding.Error), finding.Count(all, finding.Warning), finding.Count(all, finding.Info)
	if errors+warnings+notes == 0 {
		return "nothing wrong was found"
	}
	text := fmt.Sprintf("%s, %s, %s", count(errors, "error"), count(warnings, "warning"), count(notes, "note"))
	if silenced := len(all) - len(finding.Shown(all)); silenced > 0 {
		text += fmt.Sprintf("; %s not shown", count(silenced, "consequence"))
	}
	return text
}

func count(n int, word string) string {
	switch n {
	case 0:
		return "no " + word + "s"
	case 1:
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
