package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/review"
)

// Try is the table of a build's variations, and what it says in one line.
func (s Style) Try(t review.Table) string {
	rows := [][]string{{"configuration", "result", "time", "nvcc calls", "cause", "run"}}
	for _, r := range t.Rows {
		rows = append(rows, []string{fit(r.Name), tryResult(r), tryTime(r), tryCalls(r), tryCause(r), fit(r.Run)})
	}
	var b strings.Builder
	for i, line := range table(rows) {
		switch {
		case i == 0:
			line = s.paint(bold, line)
		case t.Rows[i-1].Status == review.Fail || t.Rows[i-1].Status == review.XPass:
			line = s.paint(red, line)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(trySummary(t) + "\n")
	for _, r := range t.Rows {
		if r.Status == review.Fail && r.Run != "" {
			fmt.Fprintf(&b, "next: %s    what failed in %s\n", s.paint(green, "cupel runs show "+fit(r.Run)), fit(r.Name))
		}
	}
	return b.String()
}

// TryMarkdown is the same for an issue or a document, with what each configuration changed.
func TryMarkdown(t review.Table) string {
	var b strings.Builder
	b.WriteString("| configuration | result | time | nvcc calls | cause | run |\n|---|---|---|---|---|---|\n")
	for _, r := range t.Rows {
		result := tryResult(r)
		if r.Status == review.Fail || r.Status == review.XPass {
			result = "**" + result + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", sentenceMD(fit(r.Name)), result, tryTime(r), tryCalls(r), sentenceMD(tryCause(r)), cellCode(r.Run))
	}
	b.WriteString("\n")
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "- %s: %s\n", sentenceMD(fit(r.Name)), codeMD(tryWords(r)))
	}
	fmt.Fprintf(&b, "\n%s; cupel %s\n", trySummary(t), sentenceMD(fit(t.Cupel)))
	return b.String()
}

func tryTime(r review.Row) string {
	if r.Status == review.Skip {
		return ""
	}
	return seconds(r.Seconds)
}

func tryCalls(r review.Row) string {
	switch {
	case r.Status == review.Skip:
		return ""
	case r.Failed > 0:
		return fmt.Sprintf("%d, %d failed", r.Calls, r.Failed)
	}
	return fmt.Sprint(r.Calls)
}

// tryCause is the cause with why it was not run or should fail.
func tryCause(r review.Row) string {
	switch {
	case r.Cause == "":
		return fit(r.Reason)
	case r.Reason == "":
		return fit(r.Cause)
	}
	return fit(r.Cause + " (" + r.Reason + ")")
}

// tryWords is what a configuration was: its command with what it changed.
func tryWords(r review.Row) string {
	var out []string
	if r.Toolkit != "" {
		out = append(out, "--toolkit "+r.Toolkit)
	}
	if r.Compiler != "" {
		out = append(out, "--host-compiler "+r.Compiler)
	}
	for _, name := range r.Unset {
		out = append(out, "--unset "+name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Env)) {
		out = append(out, name+"="+r.Env[name])
	}
	return strings.Join(append(out, r.Command...), " ")
}

func trySummary(t review.Table) string {
	n := map[review.Status]int{}
	for _, r := range t.Rows {
		n[r.Status]++
	}
	text := fmt.Sprintf("%d passed, %d failed", n[review.Pass], n[review.Fail])
	if x := n[review.XFail]; x > 0 {
		text += fmt.Sprintf(", %d failed as expected", x)
	}
	if x := n[review.XPass]; x > 0 {
		text += fmt.Sprintf(", %d passed and should fail", x)
	}
	if x := n[review.Skip]; x > 0 {
		text += fmt.Sprintf(", %d skipped", x)
	}
	return text
}

// tryResult is what a table shows: what matters most stands out.
func tryResult(r review.Row) string {
	if r.Status == review.Pass || r.Status == review.Fail {
		return strings.ToUpper(string(r.Status))
	}
	return string(r.Status)
}
