package render

import (
	"strings"

	"cupel/internal/finding"
)

// Quote shows the lines of a file that a finding is about, as its evidence holds them.
func (s Style) Quote(f finding.Finding) string {
	var b strings.Builder
	for _, e := range f.Evidence {
		for line := range strings.Lines(e.Text) {
			b.WriteString("  | " + clean(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", " ")) + "\n")
		}
	}
	return b.String()
}
