package render

import (
	"fmt"
	"strings"

	"cupel/internal/remedy"
)

// PlanMarkdown is a plan as text for an issue: steps as a list with boxes to tick.
func PlanMarkdown(a remedy.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### cupel plan\n\n%s, %s; cupel %s\n\n", clean(a.Contract), clean(a.Platform), clean(a.Cupel))
	if a.Already {
		b.WriteString("Nothing to do: the contract is met.\n")
		return b.String()
	}
	if len(a.Conflict)+len(a.Facts) > 0 || len(a.Plans) == 0 {
		conflictMarkdown(&b, a)
	}
	for i, r := range a.Plans {
		switch {
		case !r.Satisfies:
			b.WriteString("**What can be done for the other lines**\n\n")
		case len(a.Plans) > 1:
			fmt.Fprintf(&b, "**Plan %d**: %s\n\n", i+1, clean(r.TradeOff))
		}
		for _, step := range r.Steps {
			stepMarkdown(&b, step)
		}
		fmt.Fprintf(&b, "Cost: %s\n\n", costText(r.Cost))
	}
	return b.String()
}

func conflictMarkdown(b *strings.Builder, a remedy.Answer) {
	b.WriteString("**No plan**: cupel knows no way to meet these lines on this machine.\n\n")
	for _, c := range a.Conflict {
		fmt.Fprintf(b, "- conflict %d: `%s`: `%s`\n", c.Set, clean(c.Where), ticks(c.Text))
	}
	for _, f := range a.Facts {
		fmt.Fprintf(b, "- because %s\n", factText(f))
	}
	for _, n := range a.Next {
		fmt.Fprintf(b, "- next: %s\n", clean(n))
	}
	b.WriteString("\n")
}

func stepMarkdown(b *strings.Builder, step remedy.Step) {
	fmt.Fprintf(b, "- [ ] %s (%s; fixes %s)\n", clean(step.Title), whoText[step.Who], strings.Join(step.Fixes, ", "))
	fence(b, step.Commands)
	if step.Note != "" {
		fmt.Fprintf(b, "  %s\n", clean(step.Note))
	}
	for _, alt := range step.Alternatives {
		fmt.Fprintf(b, "  Instead, exactly one: %s (%s)\n", clean(alt.Title), whoText[alt.Who])
		fence(b, alt.Commands)
	}
}

func fence(b *strings.Builder, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("  ```\n")
	for _, c := range lines {
		b.WriteString("  " + clean(c) + "\n")
	}
	b.WriteString("  ```\n")
}

// ticks keeps a text inside one pair of back quotes.
func ticks(text string) string { return strings.ReplaceAll(clean(text), "`", "'") }
