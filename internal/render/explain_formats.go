package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"cupel/internal/diagnose"
)

// ExplainGitHub annotates the source line that the log names, else the run as a whole.
func ExplainGitHub(a diagnose.Answer) string {
	var b strings.Builder
	for i, f := range a.Findings {
		if f.CausedBy != "" {
			continue
		}
		word := "error"
		if i > 0 {
			word = "notice"
		}
		lines := append([]string{fit(f.ID) + ": " + fit(f.What)}, plainFinding(f)...)
		annotate(&b, word, place{file: f.File, line: f.FileLine}, f.Label, lines)
	}
	if len(a.Findings) == 0 {
		b.WriteString(noFailure(a) + "\n")
	}
	return b.String()
}

// ExplainSARIF is the answer as static analysis results. A result without a source file stands in the log.
func ExplainSARIF(a diagnose.Answer) ([]byte, error) {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "cupel", Version: fit(a.Cupel), Rules: []sarifRule{}}
	index := map[string]int{}
	for i, f := range a.Findings {
		if f.CausedBy != "" {
			continue
		}
		at, ok := index[f.ID]
		if !ok {
			at = len(run.Tool.Driver.Rules)
			index[f.ID] = at
			title := f.Title
			if title == "" {
				title = f.What
			}
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: fit(f.ID), Short: sarifText(fit(title)), Full: sarifText(fit(title)), Help: sarifText(more(f))})
		}
		run.Results = append(run.Results, explainResult(a, f, at, i == 0))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(sarifLog{Version: "2.1.0", Schema: sarifSchema, Runs: []sarifRun{run}}); err != nil {
		return nil, fmt.Errorf("write SARIF: %w", err)
	}
	return b.Bytes(), nil
}

func explainResult(a diagnose.Answer, f diagnose.Finding, rule int, first bool) sarifResult {
	r := sarifResult{RuleID: fit(f.ID), RuleIndex: rule, Level: "note", Properties: map[string]string{"label": f.Label}}
	if first {
		r.Level = "error"
	}
	r.Message = sarifText(strings.Join(append([]string{fit(f.What)}, plainFinding(f)...), "\n"))
	file, line := f.File, f.FileLine
	if file == "" {
		file, line = a.Log.Name, f.Line
	}
	r.Locations = []sarifLocation{}
	if file == a.Log.Name && a.Log.Kind != "file" { // a pipe or a message is no place
		return withFingerprint(r, f)
	}
	r.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{fileURI(file)}, sarifRegion{max(line, 1), 0}}}}
	return withFingerprint(r, f)
}

// withFingerprint knows a result again in another run, also when lines moved.
func withFingerprint(r sarifResult, f diagnose.Finding) sarifResult {
	sum := sha256.Sum256([]byte(f.ID + "\x00" + f.Label + "\x00" + f.File))
	r.Fingerprints = map[string]string{"cupelCause/v1": hex.EncodeToString(sum[:16])}
	return r
}

// ExplainMarkdown is text for an issue: machine, the real output, cause, what to try.
func ExplainMarkdown(a diagnose.Answer) string {
	var b strings.Builder
	b.WriteString("### cupel explain\n\n")
	if a.Machine != "" {
		fmt.Fprintf(&b, "- machine: %s\n", sentenceMD(fit(a.Machine)))
	}
	if a.Code == nil {
		fmt.Fprintf(&b, "- log: %s, %s%s\n", codeMD(a.Log.Name), count(a.Log.Lines, "line"), madeOn(a.Log.Platforms))
	}
	if len(a.Findings) > 0 && a.Findings[0].Command != "" && a.Code == nil {
		fmt.Fprintf(&b, "- command: %s\n", codeMD(ends(a.Findings[0].Command, 1000)))
	}
	for _, file := range a.Looked {
		fmt.Fprintf(&b, "- also read: %s\n", codeMD(file))
	}
	fmt.Fprintf(&b, "- cupel %s\n\n", sentenceMD(fit(a.Cupel)))
	if c := a.Code; c != nil {
		fmt.Fprintf(&b, "%s: %s\n\n", codeMD(c.Name), sentenceMD(fit(c.Meaning)))
	}
	if len(a.Findings) == 0 {
		b.WriteString(sentenceMD(noFailure(a)) + "\n")
	}
	for i, f := range a.Findings {
		if i == 0 {
			causeMarkdown(&b, a, f)
		} else if f.CausedBy == "" {
			fmt.Fprintf(&b, "- also seen, line %d: %s (%s)\n", f.Line, sentenceMD(fit(f.What)), codeMD(f.ID))
		}
	}
	if len(a.Telling) > 0 {
		var lines []string
		for _, l := range a.Telling {
			lines = append(lines, fmt.Sprintf("%6d | %s", l.Line, ends(l.Text, 300)))
		}
		b.WriteString("\nThe lines to read first:\n\n" + fenced(strings.Join(lines, "\n")))
	}
	return b.String()
}

func madeOn(platforms []string) string {
	if len(platforms) == 0 {
		return ""
	}
	return ", made on " + strings.Join(platforms, ", ")
}

func causeMarkdown(b *strings.Builder, a diagnose.Answer, f diagnose.Finding) {
	if f.Label == diagnose.Unknown {
		fmt.Fprintf(b, "**Cause**: not known: %s\n\n", sentenceMD(fit(f.What)))
	} else {
		fmt.Fprintf(b, "**Cause**: %s (%s, %s)\n\n", sentenceMD(fit(f.What)), codeMD(f.Label), codeMD(f.ID))
	}
	if f.Why != "" {
		fmt.Fprintf(b, "%s\n\n", sentenceMD(fit(f.Why)))
	}
	if len(f.Excerpt) > 0 && a.Code == nil {
		fmt.Fprintf(b, "Output around line %d:\n\n", f.Line)
		b.WriteString(fenced(strings.Join(f.Excerpt, "\n")) + "\n")
	}
	if f.Machine != nil {
		fmt.Fprintf(b, "This machine: %s: %s\n\n", f.Machine.State, sentenceMD(fit(f.Machine.Text)))
	}
	if len(f.Next) > 0 {
		b.WriteString("What to try:\n\n")
	}
	for i, n := range f.Next {
		text := sentenceMD(fit(n.Note))
		if n.Command != "" && n.Note != "" {
			text = codeMD(n.Command) + " (" + text + ")"
		} else if n.Command != "" {
			text = codeMD(n.Command)
		}
		fmt.Fprintf(b, "%d. %s\n", i+1, text)
	}
	for i, alt := range f.Alternatives {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "- it could also be %s: %s\n", codeMD(alt.Label), sentenceMD(fit(alt.What)))
	}
	b.WriteString("\n")
}

// fenced quotes lines in a fence longer than any inside.
func fenced(text string) string {
	fence := "```" + strings.Repeat("`", longestRun(text))
	return fence + "\n" + strings.Join(textLines(text), "\n") + "\n" + fence + "\n"
}
