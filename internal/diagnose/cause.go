package diagnose

import (
	"reflect"
	"slices"

	"cupel/internal/finding"
	"cupel/internal/logtext"
	"cupel/internal/signature"
)

// explain chooses the cause of a match: the first whose condition holds, or another one that is not ruled out and
// that the machine's facts confirm. The rest are alternatives.
func (c *Context) explain(m Match) (Finding, bool) {
	values := c.valuesAt(m)
	told := -1
	for i, r := range m.Signature.Causes {
		if c.holds(r.When, m, values) {
			told = i
			break
		}
	}
	if told < 0 {
		return Finding{}, false
	}
	if sure := c.sure(m, values, told); sure >= 0 {
		told = sure
	}
	f := c.finding(m, m.Signature.Causes[told], values)
	for i, other := range m.Signature.Causes {
		same := func(a Alternative) bool { return a.Label == other.Label }
		otherwise := m.Signature.Causes[told].When.Arch != "" && i > told && reflect.ValueOf(other.When).IsZero() // the tables decide: what is left for all others is none here
		if i != told && !otherwise && other.Label != f.Label && !slices.ContainsFunc(f.Alternatives, same) && !c.ruledOut(other.When, m, values) {
			f.Alternatives = append(f.Alternatives, Alternative{other.Label, fill(other.What, values)})
		}
	}
	return f, true
}

// sure is a cause that the doctor found on the machine, where it did not find the one that the log tells. What words
// of the log prove is not overruled, and the other cause's own condition must hold.
func (c *Context) sure(m Match, values map[string]string, told int) int {
	first := m.Signature.Causes[told]
	if c.machine == nil || proved(first.When) || len(c.machine.shown(first)) > 0 {
		return -1
	}
	for i, r := range m.Signature.Causes {
		if i != told && c.holds(r.When, m, values) && c.machine.names(r) {
			return i
		}
	}
	return -1
}

// proved: a condition that asks for words of the log, and they were there.
func proved(w signature.When) bool {
	return len(w.Line)+len(w.Near)+len(w.Above)+len(w.Log)+len(w.Capture) > 0 || w.Arch != ""
}

// ruledOut says that a cause cannot be: what the message itself says is against it. What was merely not seen rules
// nothing out.
func (c *Context) ruledOut(w signature.When, m Match, values map[string]string) bool {
	only := signature.When{Line: w.Line, NotLine: w.NotLine, NotLog: w.NotLog, NotNear: w.NotNear, Capture: w.Capture, NotCapture: w.NotCapture, Arch: w.Arch}
	if len(c.platforms) > 0 {
		only.Platform = w.Platform
	}
	if values["toolkit"] != "" {
		only.Toolkit = w.Toolkit
	}
	return !c.holds(only, m, values)
}

func (c *Context) finding(m Match, r signature.Reason, values map[string]string) Finding {
	s := m.Signature
	f := Finding{Title: s.Title, Stage: s.Stage, Line: m.Line, Count: max(1, m.Count), Text: c.shownText(m), Values: values, Source: slices.Concat(s.Source, r.Source)}
	f.Finding = finding.Finding{ID: s.ID, Severity: s.Severity, Label: r.Label, What: fill(r.What, values), Why: fill(r.Why, values)}
	if s.Project { // its words are the project's own, braces too
		f.What, f.Why, f.Next = r.What, r.Why, []finding.Step{{Note: r.Fixes[0].Note}}
	} else {
		f.Next = c.fixes(r.Fixes, m, values)
	}
	f.File, f.FileLine = c.placeOf(m)
	f.Command = c.commandAbove(m)
	f.Excerpt = c.excerpt(m)
	c.machine.sharpen(&f, r, values)
	return f
}

// shownText is the line of the match, of a long one what stands around it: what a pattern over several lines was
// tried on is no text of the log.
func (c *Context) shownText(m Match) string {
	if _, lines := c.log.Around(m.Line, m.Piece, 0, 0); len(lines) == 1 && lines[0] != "" && len(lines[0]) <= logtext.Long {
		return lines[0]
	}
	return m.Text
}

func (c *Context) fixes(all []signature.Fix, m Match, values map[string]string) []finding.Step {
	var out []finding.Step
	for _, f := range all {
		if c.holdsForFix(f.When, m, values) && known(f.Command, values) && pasteable(f.Command, values) && known(f.Note, values) {
			out = append(out, finding.Step{Command: fill(f.Command, values), Note: fill(f.Note, values)})
		}
	}
	return out
}
