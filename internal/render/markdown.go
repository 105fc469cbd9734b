package render

import (
	"fmt"
	"strings"

	"cupel/internal/doctor"
	"cupel/internal/finding"
)

// DoctorMarkdown is the answer as text for an issue.
func (s Style) DoctorMarkdown(a doctor.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### cupel doctor\n\n%s; cupel %s\n\n```\n", systemLine(a.Machine.System), a.Cupel)
	for _, p := range machineParts(a) {
		Style{}.part(&b, p)
	}
	b.WriteString("```\n\n")
	for _, f := range finding.Shown(a.Findings) {
		findingMarkdown(&b, f)
	}
	b.WriteString(Summary(a.Findings) + "\n")
	return b.String()
}

func findingMarkdown(b *strings.Builder, f finding.Finding) {
	f = cleanFinding(f)
	fmt.Fprintf(b, "**%s** `%s`: %s\n", severityWord(f.Severity), f.ID, f.What)
	if f.Where != "" {
		fmt.Fprintf(b, "- where: `%s`\n", strings.ReplaceAll(f.Where, "`", "'"))
	}
	if f.Why != "" {
		fmt.Fprintf(b, "- why: %s\n", f.Why)
	}
	for _, n := range f.Next {
		switch {
		case n.Command == "":
			fmt.Fprintf(b, "- next: %s\n", n.Note)
		case n.Note == "":
			fmt.Fprintf(b, "- next: `%s`\n", n.Command)
		default:
			fmt.Fprintf(b, "- next: `%s` (%s)\n", n.Command, n.Note)
		}
	}
	b.WriteString("\n")
}
