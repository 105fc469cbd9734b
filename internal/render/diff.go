package render

import (
	"fmt"
	"strings"

	"cupel/internal/doctor"
)

// Diff shows what differs between two machines, what matters first.
func (s Style) Diff(d doctor.Diff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A: %s\nB: %s\n", d.A, d.B)
	if len(d.Differences) == 0 {
		b.WriteString("\nnothing differs\n")
		return b.String()
	}
	var important, other [][]string
	for _, x := range d.Differences {
		row := []string{"  " + x.About, x.What, cut(x.A), "|", cut(x.B)}
		if len(x.Matters) > 0 {
			important = append(important, append(row, strings.Join(x.Matters, ", ")))
		} else {
			other = append(other, row)
		}
	}
	if len(important) > 0 {
		b.WriteString("\n" + s.paint(bold, "differs, and a finding follows from it:") + "\n" + strings.Join(table(important), "\n") + "\n")
	}
	if len(other) > 0 {
		b.WriteString("\n" + s.paint(bold, "differs:") + "\n" + strings.Join(table(other), "\n") + "\n")
	}
	for _, f := range d.OnlyA {
		b.WriteString("\nonly in A: " + s.Finding(f))
	}
	for _, f := range d.OnlyB {
		b.WriteString("\nonly in B: " + s.Finding(f))
	}
	return b.String()
}

// cut keeps a long value (PATH) from widening the whole table; --json has it whole.
func cut(s string) string {
	r := []rune(s)
	if len(r) <= 60 {
		return s
	}
	return string(r[:57]) + "…"
}
