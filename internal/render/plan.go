package render

import (
	"fmt"
	"strings"

	"cupel/internal/remedy"
)

// Plan writes the steps from a machine to a contract, or why there are none.
func (s Style) Plan(a remedy.Answer) string {
	var b strings.Builder
	where := fmt.Sprintf("%s on this machine (%s)", clean(a.Contract), clean(a.Platform))
	switch {
	case a.Already:
		fmt.Fprintf(&b, "nothing to do: %s is met\n", where)
		return b.String()
	case len(a.Conflict)+len(a.Facts) > 0 || len(a.Plans) == 0:
		s.conflict(&b, a, where)
	}
	for i, r := range a.Plans {
		s.route(&b, a, r, i)
	}
	if len(a.Conflict)+len(a.Facts) == 0 && len(a.Plans) > 0 {
		b.WriteString("then: " + s.paint(green, "cupel verify") + "\n")
		if a.Brings() {
			b.WriteString("at once: " + s.paint(green, "cupel up") + " does what cupel can of it, and builds the kernels\n")
		}
	}
	return b.String()
}

// conflict tells which lines stand against this machine.
func (s Style) conflict(b *strings.Builder, a remedy.Answer, where string) {
	fmt.Fprintf(b, "%s cupel knows no way to meet %s\n", s.paint(red, "no plan:"), where)
	for n := 1; ; n++ {
		rows := clashes(a.Conflict, n)
		if len(rows) == 0 {
			break
		}
		text := "no way is known to meet this line here"
		if len(rows) > 1 {
			text = "no way is known to meet these lines together here, while all but any one of them can be met"
		}
		fmt.Fprintf(b, "\n%s:\n%s\n", text, strings.Join(table(rows), "\n"))
	}
	if len(a.Facts) > 0 {
		b.WriteString("\nbecause:\n")
	}
	for _, f := range a.Facts {
		fmt.Fprintf(b, "  %s\n", s.wrap(factText(f), 4))
	}
	for _, n := range a.Next {
		fmt.Fprintf(b, "\nnext: %s\n", s.wrap(clean(n), 6))
	}
	if len(a.Plans) > 0 {
		b.WriteString("\n")
	}
}

// clashes are the lines of one conflict.
func clashes(all []remedy.Clash, set int) [][]string {
	var rows [][]string
	for _, c := range all {
		if c.Set == set {
			rows = append(rows, []string{"  " + c.Where, c.Text})
		}
	}
	return rows
}

func factText(f remedy.Fact) string {
	if f.Check == "" {
		return clean(f.Text)
	}
	return f.Check + ": " + clean(f.Text)
}

// route writes one plan with its number where there are several.
func (s Style) route(b *strings.Builder, a remedy.Answer, r remedy.Route, i int) {
	head := fmt.Sprintf("plan for %s (%s, %s): %s", clean(a.Project), clean(a.Contract), clean(a.Platform), count(len(r.Steps), "step"))
	switch {
	case !r.Satisfies:
		head = "what can be done for the other lines: " + count(len(r.Steps), "step")
	case len(a.Plans) > 1:
		head = fmt.Sprintf("plan %d of %d: %s", i+1, len(a.Plans), clean(r.TradeOff))
	}
	b.WriteString(s.paint(bold, head) + "\n\n")
	for n, step := range r.Steps {
		s.planStep(b, n+1, step)
	}
	if len(r.Stays) > 0 {
		fmt.Fprintf(b, "still failing: %s\n", strings.Join(r.Stays, ", "))
	}
	fmt.Fprintf(b, "cost: %s\n", costText(r.Cost))
	if i < len(a.Plans)-1 {
		b.WriteString("\n")
	}
}

// whoText is who must do a step, in words.
var whoText = map[string]string{
	remedy.Cupel: "cupel does it", remedy.You: "you, without root", remedy.Root: "root or administrator", remedy.Reboot: "root or administrator, and a restart",
}

func (s Style) planStep(b *strings.Builder, n int, step remedy.Step) {
	fmt.Fprintf(b, "%d. %s  [%s]\n", n, s.paint(bold, clean(step.Title)), whoText[step.Who])
	s.commands(b, step.Commands, "     ")
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "   %-6s %s\n", name, s.wrap(clean(text), 10))
		}
	}
	field("note:", step.Note)
	field("fixes:", strings.Join(step.Fixes, ", "))
	field("why:", step.Why)
	if len(step.Alternatives) > 0 {
		b.WriteString("   instead of this step, exactly one of:\n")
	}
	for _, alt := range step.Alternatives {
		fmt.Fprintf(b, "   - %s  [%s]\n", clean(alt.Title), whoText[alt.Who])
		s.commands(b, alt.Commands, "       ")
		if alt.Note != "" {
			fmt.Fprintf(b, "     note: %s\n", s.wrap(clean(alt.Note), 11))
		}
	}
	b.WriteString("\n")
}

func (s Style) commands(b *strings.Builder, lines []string, indent string) {
	for _, c := range lines {
		b.WriteString(indent + s.paint(green, clean(c)) + "\n")
	}
}

func costText(c remedy.Cost) string {
	words := []string{"no root", "no restart", "nothing to install"}
	if c.Root {
		words[0] = "root"
	}
	if c.Reboot {
		words[1] = "a restart"
	}
	if c.Installs > 0 {
		words[2] = fmt.Sprintf("%d to install, %s", c.Installs, sizeText(c))
	}
	return strings.Join(words, ", ")
}

func sizeText(c remedy.Cost) string {
	switch {
	case c.DownloadMB == 0:
		return "how much is loaded is not known"
	case c.SizeUnknown:
		return fmt.Sprintf("more than about %d MB are loaded", c.DownloadMB)
	}
	return fmt.Sprintf("about %d MB are loaded", c.DownloadMB)
}
