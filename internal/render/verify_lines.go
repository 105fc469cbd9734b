package render

import (
	"strings"
	"unicode/utf8"

	"cupel/internal/verify"
)

// statusWords are five letters at most, so that they line up; failures are louder than the rest without colour.
var statusWords = map[verify.Status]struct{ word, colour string }{
	verify.Pass:         {"pass", green},
	verify.Fail:         {"FAIL", red},
	verify.Warn:         {"warn", yellow},
	verify.ExpectedFail: {"xfail", cyan},
	verify.Skipped:      {"skip", dim},
}

// checkLines lines up status, id, expected and found. Only checks with something to compare take part in the last
// two columns: a sentence there would push them apart.
func (s Style) checkLines(checks []verify.Check) string {
	var left, pairs [][]string
	for _, c := range checks {
		left = append(left, []string{statusWords[c.Status].word, fit(c.ID)})
		if compares(c) {
			pairs = append(pairs, []string{"expected " + orDash(c.Expected), "found " + orDash(c.Found)})
		}
	}
	heads := table(left)
	margin := 0
	for _, h := range heads {
		margin = max(margin, utf8.RuneCountInString(h)+2)
	}
	compared := table(s.shorten(pairs, margin))
	var out []string
	for i, c := range checks {
		text := s.wrap(sentence(c), margin)
		if compares(c) {
			text, compared = compared[0], compared[1:]
		}
		word := statusWords[c.Status]
		pad := strings.Repeat(" ", margin-utf8.RuneCountInString(heads[i]))
		out = append(out, strings.TrimRight(s.paint(word.colour, word.word)+strings.TrimPrefix(heads[i], word.word)+pad+text, " "))
	}
	return strings.Join(out, "\n")
}

// compares: a check that was not made, and a rule's finding, has nothing beside what was expected.
func compares(c verify.Check) bool {
	return c.Status != verify.Skipped && (c.Expected != "" || c.Found != "")
}

// sentence stands in a line that compares nothing.
func sentence(c verify.Check) string {
	switch {
	case c.CausedBy != "":
		return "a consequence of " + fit(c.CausedBy)
	case c.Status == verify.Skipped:
		return fit(skippedWhy(c))
	}
	return fit(c.What)
}

func skippedWhy(c verify.Check) string {
	switch {
	case c.Why != "" && (c.After == "" || strings.Contains(c.Why, c.After)):
		return c.Why
	case c.Why != "":
		return c.Why + " (after " + c.After + ")"
	case c.After != "":
		return c.After + " did not pass"
	}
	return c.What
}

// limits says how much of expected and found fits beside the ids. With no width known somebody may read the lines
// with a program, and nothing is cut.
func (s Style) limits(pairs [][]string, margin int) (expected, found int) {
	var widest [2]int
	for _, p := range pairs {
		for i := range widest {
			widest[i] = max(widest[i], utf8.RuneCountInString(p[i]))
		}
	}
	room := s.Width - margin - 2
	if s.Width <= 0 || widest[0]+widest[1] <= room {
		return widest[0], widest[1]
	}
	expected = max(min(widest[0], max(room/2, room-widest[1])), 16)
	return expected, max(room-expected, 16)
}

func (s Style) shorten(pairs [][]string, margin int) [][]string {
	expected, found := s.limits(pairs, margin)
	for _, p := range pairs {
		p[0], p[1] = clip(p[0], expected), clip(p[1], found)
	}
	return pairs
}

func clip(text string, limit int) string {
	r := []rune(text)
	if len(r) <= limit {
		return text
	}
	return string(r[:limit-1]) + "…"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return fit(s)
}
