package render

import (
	"cmp"
	"fmt"
	"strings"

	"cupel/internal/verify"
)

// Verify is the answer on a screen: where the toolkit stands, a line for each check, then what to do about those
// that did not pass. Verbose adds why this toolkit, the consequences of other failures, and every proof.
func (s Style) Verify(a verify.Answer, verbose bool) string {
	checks := linedChecks(a)
	if verbose {
		checks = a.Findings
	}
	lines := s.checkLines(checks)
	blocks := []string{s.verifyHead(a, verbose), lines}
	for _, c := range shownChecks(a) {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			blocks = append(blocks, s.Finding(told(c))+s.values(c, lines)+s.proof(c, verbose))
		}
	}
	blocks = append(blocks, s.reference(a.Reference), s.paint(bold, verifySummary(a)))
	var out []string
	for _, b := range blocks {
		if b = strings.TrimRight(b, "\n"); b != "" {
			out = append(out, b)
		}
	}
	return strings.Join(out, "\n\n") + "\n"
}

func (s Style) verifyHead(a verify.Answer, verbose bool) string {
	lines := []string{s.paint(bold, headLine(a)), s.wrap(bandLine(a), 2)}
	if verbose && a.Toolkit != "" {
		lines = append(lines, "  "+s.wrap(strings.TrimSpace("chosen: "+fit(a.Chosen.Root)+", "+fit(a.Chosen.Reason)), 4))
	}
	if verbose {
		for _, m := range a.Chosen.Missed {
			lines = append(lines, "  "+s.wrap("passed over: "+fit(m), 4))
		}
	}
	return strings.Join(lines, "\n")
}

func headLine(a verify.Answer) string {
	return fmt.Sprintf("%s for %s, by %s", cmp.Or(fit(a.Project), "the project"), fit(a.Platform), fit(a.Contract))
}

// bandLine says where the toolkit stands. The limits are those that the check of the band names.
func bandLine(a verify.Answer) string {
	if a.Toolkit == "" {
		return strings.TrimSuffix("no CUDA toolkit: "+fit(a.Chosen.Reason), ": ")
	}
	text := fit(a.Toolkit)
	if a.Band != "" && a.Band != verify.NoToolkit {
		text += ": " + string(a.Band)
	}
	for _, c := range a.Findings {
		if c.ID == "toolkit-band" && c.Expected != "" {
			return text + " (" + fit(c.Expected) + ")"
		}
	}
	return text
}

// values gives what the line of a check had to cut.
func (s Style) values(c verify.Check, lines string) string {
	var b strings.Builder
	for _, v := range []struct{ name, text string }{{"wants:", fit(c.Expected)}, {"found:", fit(c.Found)}} {
		if !strings.Contains(lines, v.text) {
			fmt.Fprintf(&b, "  %-6s %s\n", v.name, s.wrap(v.text, 9))
		}
	}
	return b.String()
}

// proof shows what stands behind a failure: the last lines of a build are nowhere else on a CI machine. The bar
// before each keeps a line of a log from being taken for a command by whoever reads ours.
func (s Style) proof(c verify.Check, verbose bool) string {
	if c.Status != verify.Fail && !verbose {
		return ""
	}
	var b strings.Builder
	for _, e := range c.Evidence {
		fmt.Fprintf(&b, "  %-6s %s\n", "proof:", fit(e.Source))
		for _, line := range textLines(e.Text) {
			b.WriteString("         | " + line + "\n")
		}
	}
	return b.String()
}

// reference is how this machine differs from the one that decides.
func (s Style) reference(r *verify.Compared) string {
	if r == nil {
		return ""
	}
	var rows [][]string
	for _, d := range r.Differences {
		rows = append(rows, []string{fit(d.About), fit(d.What), "here " + brief(orDash(d.Here)), "there " + brief(orDash(d.There))})
	}
	lines := []string{s.wrap(referenceHead(*r), 2)}
	for _, row := range table(rows) {
		lines = append(lines, "  "+row)
	}
	return strings.Join(lines, "\n")
}

// brief keeps one long value from widening every row.
func brief(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

func referenceHead(r verify.Compared) string {
	name := fit(r.Name)
	if name == "" {
		name = "the reference"
	}
	snapshot := " (snapshot " + fit(r.Snapshot) + ")"
	switch {
	case len(r.Differences) == 0:
		return "this machine does not differ from " + name + snapshot
	case r.Here:
		return "this is " + name + ", and its saved state is no longer true" + snapshot + ":"
	}
	return "this machine differs from " + name + snapshot + "; CI decides:"
}
