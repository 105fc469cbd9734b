package diagnose

import (
	"slices"
	"strings"

	"cupel/internal/logtext"
	"cupel/internal/pattern"
	"cupel/internal/signature"
)

// nearEnd is how many lines before its end a log's complaint counts as its last words.
const nearEnd = 8

// ending is how a log went: the last line of each kind of word about it, 0 for none.
type ending struct {
	failed    int // an error, an exit code, a crash
	succeeded int // a tool says that all is done
	final     int // a CI system's verdict
}

// failed says whether the log shows a failure that was not got over: one that is known, or a line that says so,
// with no word of success after it. The last word counts: a retry that succeeds, an optional thing that is not
// there, an error in one of many tries are no failure.
func (c *Context) failed(found []*ranked, n notes) bool {
	e := c.ending(n)
	for _, f := range found {
		e.failed = max(e.failed, f.last)
	}
	for _, w := range n.wrappers {
		e.failed = max(e.failed, w.Line)
	}
	return e.final > 0 || e.failed > e.succeeded
}

// ending reads the clues of the log. A line that is known to be harmless counts for nothing.
func (c *Context) ending(n notes) ending {
	harmless, known, hinted := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, w := range n.warnings {
		known[w.Line] = true
	}
	for _, at := range c.clues {
		if at.name != "outcome" {
			continue
		}
		switch at.value {
		case "harmless":
			harmless[at.line] = true
		case "warned":
			known[at.line] = true
		case "hinted":
			hinted[at.line] = true
		}
	}
	var e ending
	for _, at := range c.clues {
		if at.name != "outcome" || known[at.line] {
			continue
		}
		switch at.value {
		case "failed":
			e.failed = max(e.failed, at.line)
		case "complained":
			if !harmless[at.line] && at.line > c.log.Lines-nearEnd && (!hinted[at.line] || c.ends(at.line)) {
				e.failed = max(e.failed, at.line)
			}
		case "succeeded":
			e.succeeded = max(e.succeeded, at.line)
		case "final":
			e.final = max(e.final, at.line)
		default:
			if lastStep(at.value) {
				e.succeeded = max(e.succeeded, at.line)
			}
		}
	}
	return e
}

// lastStep says that a step N/M of a build is its last.
func lastStep(step string) bool {
	n, m, ok := strings.Cut(step, "/")
	return ok && n == m
}

// aside are lines that belong to a warning before them: the rest of it, notes, addresses.
var aside = pattern.New(`^\s*$|^\s+\S|^(?i:note|warning|hint|see|use)\b|^https?://`)

// asides is the most lines that a warning has behind it.
const asides = 24

// lastWords takes out the findings that rest on a mere warning (an omen of the clues) unless the log ends with it and
// says nothing else: many programs warn and run well, and what fails after a warning has its own reason.
func (c *Context) lastWords(found []*ranked, n *notes) []*ranked {
	omens := map[int]bool{}
	for _, at := range c.clues {
		if at.name == "outcome" && at.value == "omen" {
			omens[at.line] = true
		}
	}
	omen := func(f *ranked) bool { return omens[f.Line] && f.signature.Role == signature.Symptom }
	if len(omens) == 0 || !slices.ContainsFunc(found, omen) {
		return found
	}
	e := c.ending(*n)
	silent := e == ending{} && !slices.ContainsFunc(found, func(f *ranked) bool { return !omen(f) })
	return slices.DeleteFunc(found, func(f *ranked) bool {
		if !omen(f) || silent && c.ends(f.Line) {
			return false
		}
		n.warnings = append(n.warnings, Note{f.ID, f.Line, f.Text, f.What})
		return true
	})
}

// ends says that nothing but asides follows a line.
func (c *Context) ends(line int) bool {
	if c.log.Lines-line > asides {
		return false
	}
	_, after := c.log.Around(line, logtext.Last, 0, asides)
	return len(after) > 0 && !slices.ContainsFunc(after[1:], func(text string) bool { return !aside.MatchString(text) })
}
