package render

import (
	"fmt"
	"strings"

	"cupel/internal/diagnose"
	"cupel/internal/finding"
	"cupel/internal/signature"
)

// Explain is the cause first, with its line, its reason and what to do; then what else was seen.
func (s Style) Explain(a diagnose.Answer, verbose bool) string {
	var b strings.Builder
	if c := a.Code; c != nil {
		b.WriteString(s.paint(bold, clean(c.Name)) + "\n")
		if len(a.Findings) > 0 && signature.ByID(a.Findings[0].ID) != nil { // else the finding says it
			b.WriteString("  " + s.wrap(clean(c.Meaning), 2) + "\n")
		}
		if c.Also != "" {
			b.WriteString("  " + s.wrap("as the exit code of a program: "+clean(c.Also), 2) + "\n")
		}
		b.WriteString("\n")
	}
	if len(a.Findings) == 0 {
		b.WriteString(noFailure(a) + "\n")
	}
	for i, f := range a.Findings {
		switch {
		case i == 0:
			s.cause(&b, a, f, verbose)
		case i == 1:
			b.WriteString("\n" + s.paint(bold, "also seen:") + "\n")
			fallthrough
		default:
			s.also(&b, a, f, verbose)
		}
	}
	s.unknownText(&b, a)
	s.noteLines(&b, "noticed:", a.Noticed, verbose)
	return b.String()
}

func noFailure(a diagnose.Answer) string {
	switch {
	case a.Code != nil:
		return "no failure: " + fit(a.Code.Meaning)
	case a.Log.Lines == 0:
		return fit(a.Log.Name) + " is empty: did the errors get in? make 2>&1 | cupel explain"
	}
	return fmt.Sprintf("no failure was seen in %s (%s)", fit(a.Log.Name), count(a.Log.Lines, "line"))
}

// cause shows the first finding whole.
func (s Style) cause(b *strings.Builder, a diagnose.Answer, f diagnose.Finding, verbose bool) {
	shown := f.Finding
	shown.Next = nil
	b.WriteString(s.Finding(shown))
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "  %-6s %s\n", name, s.wrap(text, 9))
		}
	}
	if f.Line > 0 && a.Code == nil {
		field("log:", logPlace(a, f))
		fmt.Fprintf(b, "         | %s\n", ends(fit(f.Text), 400))
	}
	if f.Machine != nil {
		field("here:", f.Machine.State+": "+fit(f.Machine.Text))
	}
	for i, step := range cleanFinding(f.Finding).Next {
		fmt.Fprintf(b, "  %-6s %s\n", map[bool]string{true: "next:"}[i == 0], s.step(step))
	}
	for i, alt := range f.Alternatives {
		fmt.Fprintf(b, "  %-6s %s\n", map[bool]string{true: "or:"}[i == 0], s.wrap(alt.Label+": "+fit(alt.What), 9))
	}
	if verbose {
		for i, src := range f.Source {
			fmt.Fprintf(b, "  %-6s %s\n", map[bool]string{true: "known:"}[i == 0], fit(src))
		}
	}
	field("more:", more(f))
}

// more is the command that shows the page of a finding; a row of the project and an unknown cause have none.
func more(f diagnose.Finding) string {
	switch {
	case signature.ByID(f.ID) != nil:
		return "cupel explain --show " + f.ID
	case f.Label == diagnose.Unknown || strings.HasPrefix(f.ID, "project-"):
		return ""
	}
	return "cupel explain --show " + f.Label
}

func logPlace(a diagnose.Answer, f diagnose.Finding) string {
	text := fmt.Sprintf("line %d of %s", f.Line, fit(a.Log.Name))
	if f.Count > 1 {
		text += fmt.Sprintf(", the first of %d", f.Count)
		if f.Count >= diagnose.MostCounted {
			text += " or more"
		}
	}
	return text
}

// also is one line for what was seen besides; a consequence says of what.
func (s Style) also(b *strings.Builder, a diagnose.Answer, f diagnose.Finding, verbose bool) {
	text := fmt.Sprintf("%s: %s", f.ID, fit(f.What))
	if f.Line > 0 {
		text = fmt.Sprintf("line %d, %s", f.Line, text)
	}
	if f.CausedBy != "" {
		text += " (a consequence of " + f.CausedBy + ")"
	}
	b.WriteString("  " + s.wrap(text, 4) + "\n")
	if verbose {
		fmt.Fprintf(b, "    | %s\n", ends(fit(f.Text), 400))
	}
}

// unknownText shows the lines to read and where else to look.
func (s Style) unknownText(b *strings.Builder, a diagnose.Answer) {
	if len(a.Telling) > 0 {
		b.WriteString("\n" + s.paint(bold, "the lines to read first:") + "\n")
		for _, l := range a.Telling {
			fmt.Fprintf(b, "  %6d | %s\n", l.Line, ends(fit(l.Text), 300))
		}
	}
	for _, file := range a.Looked {
		fmt.Fprintf(b, "  also read: %s\n", fit(file))
	}
}

const notesShown = 3

func (s Style) noteLines(b *strings.Builder, head string, notes []diagnose.Note, verbose bool) {
	if len(notes) == 0 {
		return
	}
	b.WriteString("\n" + s.paint(bold, head) + "\n")
	for i, n := range notes {
		if i == notesShown && !verbose {
			fmt.Fprintf(b, "  and %d more (--verbose)\n", len(notes)-i)
			break
		}
		b.WriteString("  " + s.wrap(fmt.Sprintf("line %d, %s: %s", n.Line, n.ID, ends(fit(n.Text), 160)), 4) + "\n")
	}
}

// ends shortens a text in its middle: both ends of a compiler's line tell.
func ends(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n*2/3]) + " … " + string(r[len(r)-n/3:])
}

// Signature is what is known of one failure, as text.
func Signature(s *signature.Signature) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nprinted by %s (%s)\n", s.ID, s.Title, s.Tool, s.Stage)
	if len(s.Platform) > 0 {
		fmt.Fprintf(&b, "on %s\n", strings.Join(s.Platform, ", "))
	}
	if s.Hint != "" {
		fmt.Fprintf(&b, "%s\n", s.Hint)
	}
	b.WriteString("\nlooks like:\n")
	for _, e := range s.Examples {
		for _, l := range textLines(e.Text) {
			fmt.Fprintf(&b, "  | %s\n", l)
		}
	}
	if labels := s.Labels(); len(labels) > 0 {
		fmt.Fprintf(&b, "\ncauses: %s\n", strings.Join(labels, ", "))
	}
	for _, src := range s.Source {
		fmt.Fprintf(&b, "source: %s\n", src)
	}
	return b.String()
}

// plainFinding is everything but the first line of a finding, for formats that know lines of text only.
func plainFinding(f diagnose.Finding) []string {
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+": "+fit(text))
		}
	}
	add("why", f.Why)
	add("log", ends(f.Text, 400))
	if f.Machine != nil {
		add("this machine", f.Machine.State+": "+f.Machine.Text)
	}
	for _, step := range f.Next {
		add("next", stepText(step))
	}
	return out
}

func stepText(s finding.Step) string { return strings.Trim(s.Command+"    "+s.Note, " ") }
