package render

import (
	"fmt"
	"strings"
	"unicode"

	"cupel/internal/verify"
)

// VerifyMarkdown is the answer as text for an issue or a job summary. Values stand in code spans, where nothing
// is markup; sentences are escaped.
func VerifyMarkdown(a verify.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### cupel verify: %s\n\n%s; %s; cupel %s\n\n", sentenceMD(fit(a.Project)), sentenceMD(headLine(a)), sentenceMD(bandLine(a)), sentenceMD(fit(a.Cupel)))
	b.WriteString("| status | check | expected | found |\n|---|---|---|---|\n")
	for _, c := range linedChecks(a) {
		b.WriteString(checkRow(c))
	}
	b.WriteString("\n")
	for _, c := range shownChecks(a) {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			checkMarkdown(&b, c)
		}
	}
	referenceMarkdown(&b, a.Reference)
	fmt.Fprintf(&b, "**%s**\n", verifySummary(a))
	return b.String()
}

// checkRow puts a sentence where there is nothing to compare. Failures stand out without colour.
func checkRow(c verify.Check) string {
	word := statusWords[c.Status].word
	if c.Status == verify.Fail {
		word = "**" + word + "**"
	}
	expected, found := cellCode(c.Expected), cellCode(c.Found)
	if !compares(c) {
		expected, found = "", sentenceMD(sentence(c))
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", word, cellCode(c.ID), expected, found)
}

func checkMarkdown(b *strings.Builder, c verify.Check) {
	f := told(c)
	fmt.Fprintf(b, "**%s** %s: %s\n", severityWord(f.Severity), codeMD(f.ID), sentenceMD(f.What))
	if f.Where != "" {
		fmt.Fprintf(b, "- where: %s\n", codeMD(f.Where))
	}
	if f.Why != "" {
		fmt.Fprintf(b, "- why: %s\n", sentenceMD(f.Why))
	}
	for _, n := range f.Next {
		switch {
		case n.Command == "":
			fmt.Fprintf(b, "- next: %s\n", sentenceMD(n.Note))
		case n.Note == "":
			fmt.Fprintf(b, "- next: %s\n", codeMD(n.Command))
		default:
			fmt.Fprintf(b, "- next: %s (%s)\n", codeMD(n.Command), sentenceMD(n.Note))
		}
	}
	b.WriteString(proofMarkdown(c) + "\n")
}

// proofMarkdown quotes the lines behind a failure in a fence longer than any inside.
func proofMarkdown(c verify.Check) string {
	if c.Status != verify.Fail {
		return ""
	}
	var b strings.Builder
	for _, e := range c.Evidence {
		fence := "```" + strings.Repeat("`", longestRun(e.Text))
		fmt.Fprintf(&b, "- proof: %s\n\n  %s\n", codeMD(e.Source), fence)
		for _, line := range textLines(e.Text) {
			b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
		}
		b.WriteString("  " + fence + "\n")
	}
	return b.String()
}

func referenceMarkdown(b *strings.Builder, r *verify.Compared) {
	if r == nil {
		return
	}
	b.WriteString(sentenceMD(referenceHead(*r)) + "\n\n")
	if len(r.Differences) == 0 {
		return
	}
	b.WriteString("| about | what | here | there |\n|---|---|---|---|\n")
	for _, d := range r.Differences {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", sentenceMD(fit(d.About)), sentenceMD(fit(d.What)), cellCode(d.Here), cellCode(d.There))
	}
	b.WriteString("\n")
}

// cellCode is a code span in a table: there, and only there, a bar inside code has to be escaped.
func cellCode(s string) string { return strings.ReplaceAll(codeMD(s), "|", `\|`) }

// codeMD fences text with more backticks than it holds in a row.
func codeMD(s string) string {
	s = fit(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// sentenceMD escapes what Markdown, its tables and HTML would take for markup. An underscore inside a word is
// none: CUDA_HOME stays readable in the source.
func sentenceMD(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '_' && i > 0 && i < len(runes)-1 && isWord(runes[i-1]) && isWord(runes[i+1]):
			b.WriteRune(r)
		case markup[r] != "":
			b.WriteString(markup[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

var markup = map[rune]string{
	'\\': `\\`, '`': "\\`", '*': `\*`, '_': `\_`, '[': `\[`, ']': `\]`, '~': `\~`, '#': `\#`, '$': `\$`,
	'<': "&lt;", '>': "&gt;", '&': "&amp;", '|': "&#124;",
}
