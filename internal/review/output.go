package review

import (
	"fmt"
	"strings"

	"cupel/internal/logtext"
	"cupel/internal/pattern"
)

// Bounds of the output that is told: whole up to wholeLines, else what stands around the first error, and the end.
const (
	wholeLines = 60
	linesAbove = 8
	linesBelow = 26
	linesLast  = 16
	lineLength = 4000
)

// linesOf is the output as lines, without colours and carriage returns.
func linesOf(text []byte) []string {
	s := strings.ToValidUTF8(string(logtext.Strip(nil, text)), "\uFFFD")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.TrimRight(s, "\n\t ")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// names is a line that names an error.
var names = pattern.New(`(?i)\b(?:fatal|error)\b ?[:(#]|\b(?:fatal )?error [A-Z]{1,4}\d{3,5}\b|undefined reference|unresolved external`)

// excerpt is the output as it is told, and how many of its lines are left out. at is the line that names the cause, -1 where
// none does.
func excerpt(lines []string, at int) (text string, cut int) {
	if len(lines) <= wholeLines {
		return strings.Join(shortened(lines), "\n"), 0
	}
	if at < 0 || at >= len(lines) {
		at = 0
		for i, line := range lines {
			if names.MatchString(line) {
				at = i
				break
			}
		}
	}
	from, to := max(0, at-linesAbove), min(len(lines), at+linesBelow)
	last := max(to, len(lines)-linesLast)
	var out []string
	left := func(n int) {
		if n > 0 {
			out, cut = append(out, fmt.Sprintf("[… %d lines left out]", n)), cut+n
		}
	}
	left(from)
	out = append(out, shortened(lines[from:to])...)
	left(last - to)
	out = append(out, shortened(lines[last:])...)
	return strings.Join(out, "\n"), cut
}

// shortened cuts lines that no person reads: a template's name can have a megabyte.
func shortened(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if r := []rune(line); len(r) > lineLength {
			line = fmt.Sprintf("%s [… %d characters left out]", string(r[:lineLength]), len(r)-lineLength)
		}
		out[i] = line
	}
	return out
}
