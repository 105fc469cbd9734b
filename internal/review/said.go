package review

import (
	"bytes"
	"slices"
	"strings"

	"cupel/internal/logtext"
	"cupel/internal/pattern"
)

// lastSaid is the last line of the command's output that the call wrote; -1 where none is there.
func (j *judge) lastSaid(w *work) int {
	last := -1
	for line := range w.saying() {
		if at, ok := j.log.last[line]; ok {
			last = max(last, at)
		}
	}
	return last
}

// saying are the lines that a call wrote, as far as they tell it from others.
func (w *work) saying() map[string]bool {
	if w.said == nil {
		w.said = map[string]bool{}
		for _, line := range linesOf(w.Text()) {
			if line = strings.TrimSpace(line); len(line) >= shortest {
				w.said[line] = true
			}
		}
	}
	return w.said
}

// shortest is the length of a line that no other program writes by chance.
const shortest = 12

var ignoredLine = pattern.New(`^\S*make\S*: \[.*\] Error -?\d+ \(ignored\)\s*$`)

// without is the command's output with empty lines in place of those that failed calls wrote, and of make's that it ignores
// a failure: what is left is the rest of the build's.
func (j *judge) without(works []*work) []string {
	said := map[string]bool{}
	for _, w := range works {
		for line := range w.saying() {
			said[line] = true
		}
	}
	out := slices.Clone(j.log.lines)
	for i, line := range out {
		if said[strings.TrimSpace(line)] || ignoredLine.MatchString(line) {
			out[i] = ""
		}
	}
	return out
}

// logLines is the command's output as lines, numbered as package diagnose does.
func (j *judge) logLines() []string {
	if !j.Kept || len(bytes.TrimSpace(j.Log)) == 0 {
		return nil
	}
	return strings.Split(strings.ToValidUTF8(string(logtext.Strip(nil, j.Log)), "\uFFFD"), "\n")
}
