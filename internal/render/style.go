// Package render turns answers into text: for a terminal, as Markdown, and for the programs that read JUnit, SARIF
// and GitHub's annotations. It is pure: it gets an answer and a width and returns bytes. Colour repeats meaning and
// never carries it.
package render

import (
	"fmt"
	"strings"
	"unicode"

	"cupel/internal/finding"
)

// Style says how text may look.
type Style struct {
	Colour bool
	Width  int // 0: do not wrap
}

const (
	red, yellow, cyan, green, bold, dim, plain = "31", "33", "36", "32", "1", "2", ""
)

func (s Style) paint(code, text string) string {
	if !s.Colour || code == plain || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func severityColour(sev finding.Severity) string {
	switch sev {
	case finding.Error:
		return red
	case finding.Warning:
		return yellow
	}
	return cyan
}

// severityWord is what stands before the id: information is a note.
func severityWord(sev finding.Severity) string {
	if sev == finding.Info {
		return "note"
	}
	return string(sev)
}

// wrap breaks text at blanks so that lines after the first are indented. A word longer than the line stays
// whole: a path or a command must be pasteable.
func (s Style) wrap(text string, indent int) string {
	if s.Width <= 0 || len(text)+indent <= s.Width {
		return text
	}
	var b strings.Builder
	col := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case col+1+n > s.Width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			col = indent
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += n
	}
	return b.String()
}

// clean makes foreign text fit for a line: a control character in a path or a variable must not move the cursor,
// break a table or set the terminal's title.
func clean(s string) string {
	if strings.IndexFunc(s, moves) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if moves(r) {
			fmt.Fprintf(&b, `\x%02x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// moves are the characters that do something to a line instead of standing in it: control characters, other line
// breaks, and those that turn the direction of what follows.
func moves(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// Line makes a text fit for one line of a terminal or log.
func Line(s string) string { return clean(s) }

// Lines does the same for a text of several lines. Those after the first are indented: none of them can pass for a
// message of its own or a command to the CI system that shows it.
func Lines(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		out = append(out, clean(strings.TrimSuffix(line, "\r")))
	}
	return strings.Join(out, "\n  ")
}

// table lines columns up; the last one is not padded.
func table(rows [][]string) []string {
	for _, r := range rows {
		for i := range r {
			r[i] = clean(r[i])
		}
	}
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i >= len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	out := make([]string, len(rows))
	for n, r := range rows {
		var b strings.Builder
		for i, c := range r {
			b.WriteString(c)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", width[i]-len([]rune(c))+2))
			}
		}
		out[n] = strings.TrimRight(b.String(), " ")
	}
	return out
}
