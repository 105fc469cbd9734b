package render

import (
	"fmt"
	"strings"

	"cupel/internal/verify"
)

// GitHub writes workflow commands: an annotation for each check that did not pass and one for what differs from
// the machine that decides, then the summary. Escapes are those of @actions/core (packages/core/src/command.ts),
// which the runner undoes (actions/runner, ActionCommand.cs).
func GitHub(a verify.Answer) string {
	var b strings.Builder
	for _, c := range shownChecks(a) {
		word := map[verify.Status]string{verify.Fail: "error", verify.Warn: "warning"}[c.Status]
		if word == "" {
			continue
		}
		// The id comes first: it is ASCII. The runner compares by culture, and a combining mark right after
		// the colons would hide them from it.
		lines := append([]string{fit(c.ID) + ": " + fit(c.What)}, plainCheck(c)...)
		annotate(&b, word, placeOf(c.Where, a.Contract), c.ID, lines)
	}
	if r := a.Reference; r != nil && len(r.Differences) > 0 {
		annotate(&b, "notice", place{}, "reference", append([]string{"reference: " + referenceHead(*r)}, differenceLines(*r)...))
	}
	b.WriteString(verifySummary(a) + "\n")
	return b.String()
}

func annotate(b *strings.Builder, word string, at place, title string, lines []string) {
	var props []string
	add := func(name, value string) { props = append(props, name+"="+githubProperty.Replace(fit(value))) }
	if at.file != "" {
		add("file", slashed(at.file))
	}
	if at.line > 0 {
		add("line", fmt.Sprint(at.line))
	}
	if at.col > 0 {
		add("col", fmt.Sprint(at.col))
	}
	add("title", title)
	fmt.Fprintf(b, "::%s %s::%s\n", word, strings.Join(props, ","), githubData.Replace(strings.Join(lines, "\n")))
}

var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func differenceLines(r verify.Compared) []string {
	var out []string
	for _, d := range r.Differences {
		out = append(out, fmt.Sprintf("%s, %s: here %s, there %s", fit(d.About), fit(d.What), orDash(d.Here), orDash(d.There)))
	}
	return out
}

// plainCheck is everything but the first line of a check, for formats that know lines of text only.
func plainCheck(c verify.Check) []string {
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+": "+fit(text))
		}
	}
	add("expected", c.Expected)
	add("found", c.Found)
	add("where", c.Where)
	add("why", c.Why)
	for _, step := range c.Next {
		add("next", strings.Trim(step.Command+"    "+step.Note, " "))
	}
	if c.Status != verify.Fail {
		return out
	}
	for _, e := range c.Evidence {
		add("proof", e.Source)
		for _, line := range textLines(e.Text) {
			out = append(out, "  | "+line)
		}
	}
	return out
}
