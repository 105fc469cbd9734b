package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
	"cupel/internal/verify"
)

// verifySummary counts what was shown and says whether the contract is met. It holds no foreign text.
func verifySummary(a verify.Answer) string {
	n := map[verify.Status]int{}
	for _, c := range linedChecks(a) {
		n[c.Status]++
	}
	text := fmt.Sprintf("%d passed, %d failed", n[verify.Pass], n[verify.Fail])
	if w := n[verify.Warn]; w > 0 {
		text += ", " + count(w, "warning")
	}
	if k := n[verify.Skipped]; k > 0 {
		text += fmt.Sprintf(", %d skipped", k)
	}
	if x := n[verify.ExpectedFail]; x > 0 {
		text += fmt.Sprintf(", %d failed as expected", x)
	}
	if silenced := len(a.Findings) - len(linedChecks(a)); silenced > 0 {
		text += fmt.Sprintf(" (%s not shown)", count(silenced, "consequence"))
	}
	switch {
	case a.Passed && len(a.Findings) == 0:
		return "nothing was checked: the contract demands nothing here yet"
	case a.Passed:
		return text + ": the contract is met"
	case a.Strict && n[verify.Fail] == 0 && n[verify.Warn] > 0:
		return text + ": the contract is not met, for warnings count as failures (strict)"
	case a.Strict && n[verify.Warn] > 0:
		return text + ": the contract is not met; warnings count as failures too (strict)"
	}
	return text + ": the contract is not met"
}

// linedChecks have a line: every demand of the contract, also one that is explained under another.
func linedChecks(a verify.Answer) []verify.Check {
	var out []verify.Check
	for _, c := range a.Findings {
		if c.CausedBy == "" || c.Key != "" {
			out = append(out, c)
		}
	}
	return out
}

// shownChecks leaves the consequences of others out.
func shownChecks(a verify.Answer) []verify.Check {
	var out []verify.Check
	for _, c := range a.Findings {
		if c.CausedBy == "" {
			out = append(out, c)
		}
	}
	return out
}

// told is the finding of a check that did not pass. Its severity is what its status means, so that no format
// calls a failure a note.
func told(c verify.Check) finding.Finding {
	f := c.Finding
	f.What, f.Where, f.Why = fit(f.What), fit(f.Where), fit(f.Why)
	f.Next = make([]finding.Step, len(c.Next))
	for i, step := range c.Next {
		f.Next[i] = finding.Step{Command: fit(step.Command), Note: fit(step.Note)}
	}
	f.Severity = map[verify.Status]finding.Severity{verify.Fail: finding.Error, verify.Warn: finding.Warning}[c.Status]
	return f
}

// fit is clean for text that may not even be UTF-8.
func fit(s string) string { return clean(strings.ToValidUTF8(s, "\uFFFD")) }

// textLines splits a quoted text and makes each line fit.
func textLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(text)
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(fit(lines[i]), " ")
	}
	return lines
}
