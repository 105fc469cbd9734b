package render

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/consumer"
	"cupel/internal/doctor"
	"cupel/internal/fact"
)

// Consumers is the table of who would take which toolkit here.
func (s Style) Consumers(a doctor.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "chosen: %s\n\n", chosenText(a))
	for _, p := range a.Consumers {
		b.WriteString(s.paint(bold, consumerName(p)) + "\n")
		fmt.Fprintf(&b, "  takes:  %s\n", takes(a, p))
		if p.Step != "" {
			fmt.Fprintf(&b, "  by:     %s\n", s.wrap(by(p), 10))
		}
		if p.Why != "" {
			fmt.Fprintf(&b, "  why:    %s\n", s.wrap(p.Why, 10))
		}
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "  note:   %s\n", s.wrap(n, 10))
		}
	}
	return b.String()
}

func chosenText(a doctor.Answer) string {
	if a.Chosen.Toolkit == nil {
		return "none, " + a.Chosen.Reason
	}
	return choice.Name(*a.Chosen.Toolkit) + " in " + a.Chosen.Toolkit.Root + " (" + a.Chosen.Reason + ")"
}

func consumerName(p consumer.Pick) string {
	if p.Project != "" {
		return p.Consumer + " " + p.Project + " (in use here)"
	}
	return p.Consumer + " " + p.Versions
}

func by(p consumer.Pick) string {
	if p.Decider == "" || strings.Contains(p.Step, p.Decider) {
		return p.Step
	}
	return p.Step + " (" + p.Decider + ")"
}

// takes says what the consumer would use and whether that is the chosen one.
func takes(a doctor.Answer, p consumer.Pick) string {
	if p.Outcome == consumer.Unknown {
		return "not known"
	}
	if p.Outcome != consumer.Found && p.Outcome != consumer.Ambiguous {
		return "nothing (" + string(p.Outcome) + ")"
	}
	where := p.Root
	if where == "" {
		where = p.Nvcc
	}
	if where == "" && len(p.Libs) > 0 {
		where = p.Libs[0]
	}
	t := toolkitAt(a, p)
	switch {
	case t == nil && p.Root != "":
		return where + ": no CUDA toolkit was found there"
	case t == nil:
		return where
	case a.Chosen.Toolkit != nil && t.Home() == a.Chosen.Toolkit.Home():
		return choice.Name(*t) + " in " + where + ": the chosen one"
	}
	return choice.Name(*t) + " in " + where + ": not the chosen one"
}

func toolkitAt(a doctor.Answer, p consumer.Pick) *fact.Toolkit {
	s := a.Machine.System.Paths()
	for i := range a.Machine.Toolkits {
		t := &a.Machine.Toolkits[i]
		for _, path := range []string{p.Root, a.Machine.Places[s.Clean(p.Root)].Real} {
			if path != "" && (s.Same(path, t.Root) || s.Same(path, t.Home())) {
				return t
			}
		}
		if p.Root == "" && p.Nvcc != "" && (s.Within(p.Nvcc, t.Root) || s.Same(a.Machine.Places[s.Clean(p.Nvcc)].Real, t.Parts[fact.PartNvcc])) {
			return t
		}
	}
	return nil
}

// ConsumersMarkdown is the same as a Markdown table.
func (s Style) ConsumersMarkdown(a doctor.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Which toolkit each build takes\n\nchosen: %s\n\n| consumer | takes | decided by |\n|---|---|---|\n", chosenText(a))
	for _, p := range a.Consumers {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(consumerName(p)), cell(takes(a, p)), cell(by(p)))
	}
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
