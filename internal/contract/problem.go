package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/finding"
)

// problem is a finding in the making: a place in the source as bytes, so that lines and columns are counted only
// for what is shown. It is an error so that UnmarshalText can say more than a sentence.
type problem struct {
	id, what, why string
	next          []finding.Step
	from, to      int // bytes
}

// Error is the sentence, and what to write when there is no more to tell than that.
func (p *problem) Error() string {
	if p.why == "" && len(p.next) == 1 {
		return p.what + ": " + p.next[0].Note
	}
	return p.what
}

// badForm is a string that does not have the form of its key; hint says what to write.
func badForm(hint, format string, args ...any) error {
	return &problem{id: "contract-bad-value", what: fmt.Sprintf(format, args...), next: note("%s", hint)}
}

// note is a next step that no command can do.
func note(format string, args ...any) []finding.Step {
	return []finding.Step{{Note: fmt.Sprintf(format, args...)}}
}

// shown is how many problems one answer holds: a file that is wrong in more places is wrong in one way.
const shown = 50

// patience is how many problems are looked for: reading a file of nothing but mistakes to its end helps nobody.
const patience = 20 * shown

// findings sorts problems by place and shows the first of them.
func (s *source) findings(all []problem) []finding.Finding {
	slices.SortStableFunc(all, func(a, b problem) int { return cmp.Compare(a.from, b.from) })
	rest := max(len(all)-shown, 0)
	var out []finding.Finding
	for _, p := range all[:len(all)-rest] {
		out = append(out, s.finding(p))
	}
	if rest > 0 {
		last := &out[len(out)-1]
		last.Next = append(last.Next, finding.Step{Note: "more problems follow: correct these first"})
	}
	return out
}

func (s *source) finding(p problem) finding.Finding {
	f := finding.Finding{ID: p.id, Severity: finding.Error, What: p.what, Where: s.pos(p.from).String(), Why: p.why, Next: p.next}
	if text := s.pointed(p.from, p.to); text != "" {
		f.Evidence = []finding.Evidence{{Source: s.file, Text: text}}
	}
	return f
}

// window is how much of a line is shown around a problem.
const window = 100

// pointed is the line with a second one under it that points at the place.
func (s *source) pointed(from, to int) string {
	from = s.character(from)
	start, end := s.line(from)
	if start == end {
		return ""
	}
	head, rest := []rune(clean(s.data[start:from])), []rune(clean(s.data[from:end]))
	head = head[max(0, len(head)-window):]
	rest = rest[:min(len(rest), window)]
	width := min(max(1, len([]rune(string(s.data[from:max(from, min(to, end))])))), max(1, len(rest)))
	return string(head) + string(rest) + "\n" + strings.Repeat(" ", len(head)) + strings.Repeat("^", width)
}

// clean keeps the columns of a line while it takes out what would move a terminal's cursor.
func clean(b []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfeff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(b), "?"))
}
