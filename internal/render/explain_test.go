package render

import (
	"encoding/json"
	"strings"
	"testing"

	"cupel/internal/diagnose"
	"cupel/internal/finding"
)

// hostile is an answer made of a stranger's log: control characters, markup, workflow commands.
func hostile() diagnose.Answer {
	f := diagnose.Finding{Title: "t", Stage: "compile", Line: 7, Count: 3, File: "src/a b.cu", FileLine: 12, Text: "x.cu(1): error: \x1b[31m`a`|<b>\x07 ::error::boo",
		Excerpt: []string{"one", "```", "::warning::x"}, Alternatives: []diagnose.Alternative{{Label: "mixed-toolkits", What: "two *toolkits*"}}, Machine: &diagnose.Check{State: diagnose.Confirmed, Text: "gcc 12 is here"}}
	f.Finding = finding.Finding{ID: "nvcc-unsupported-arch", Label: "arch-newer-than-toolkit", Severity: finding.Error, What: "what {x} [y](z)", Why: "why", Next: []finding.Step{{Command: "cupel doctor", Note: "looks"}, {Note: "wait"}}}
	also := diagnose.Finding{Line: 9}
	also.Finding = finding.Finding{ID: "other", Label: "not-cuda", What: "another thing", CausedBy: "nvcc-unsupported-arch"}
	return diagnose.Answer{Format: diagnose.Format, Cupel: "devel", Machine: "Debian", Findings: []diagnose.Finding{f, also}, Log: diagnose.LogFacts{Name: "build.log", Lines: 40, Failed: true, Platforms: []string{"linux"}}}
}

func TestExplainText(t *testing.T) {
	got := Style{}.Explain(hostile(), false)
	for _, want := range []string{
		"error[nvcc-unsupported-arch]: what {x} [y](z)\n", "  log:   line 7 of build.log, the first of 3\n", "  here:  confirmed: gcc 12 is here\n", "  next:  cupel doctor    looks\n         wait\n",
		"  or:    mixed-toolkits: two *toolkits*\n", "also seen:\n  line 9, other: another thing (a consequence of nvcc-unsupported-arch)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	if strings.ContainsAny(got, "\x1b\x07") {
		t.Errorf("control characters of the log reach the terminal: %q", got)
	}
}

func TestExplainMarkdown(t *testing.T) {
	got := ExplainMarkdown(hostile())
	for _, want := range []string{"- machine: Debian\n", "**Cause**: what {x} \\[y\\](z)", "`arch-newer-than-toolkit`", "``````\none\n```\n::warning::x\n``````\n", "1. `cupel doctor` (looks)\n2. wait\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
}

// TestExplainGitHub: an annotation stands at the source line, and no line of a log can be a workflow command.
func TestExplainGitHub(t *testing.T) {
	got := ExplainGitHub(hostile())
	if !strings.HasPrefix(got, "::error file=src/a b.cu,line=12,title=arch-newer-than-toolkit::nvcc-unsupported-arch: what") {
		t.Errorf("the annotation: %q", got)
	}
	for i, line := range strings.Split(strings.TrimSpace(got), "\n") {
		if i > 0 && strings.HasPrefix(line, "::") {
			t.Errorf("line %d is a command of the log's own: %q", i+1, line)
		}
	}
}

func TestExplainSARIF(t *testing.T) {
	b, err := ExplainSARIF(hostile())
	if err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b, &log); err != nil {
		t.Fatal(err)
	}
	results := log.Runs[0].Results
	if len(results) != 1 || results[0].RuleID != "nvcc-unsupported-arch" || results[0].Level != "error" || results[0].Properties["label"] != "arch-newer-than-toolkit" {
		t.Errorf("results: %+v", results)
	}
	at := results[0].Locations[0].Physical
	if at.Artifact.URI != "src/a%20b.cu" || at.Region.StartLine != 12 {
		t.Errorf("place: %+v", at)
	}
}

func TestExplainNothing(t *testing.T) {
	a := diagnose.Answer{Findings: []diagnose.Finding{}, Log: diagnose.LogFacts{Name: "x.log", Lines: 1}, Noticed: []diagnose.Note{{ID: "n", Line: 1, Text: "a"}, {ID: "n", Line: 2}, {ID: "n", Line: 3}, {ID: "n", Line: 4}}}
	got := Style{}.Explain(a, false)
	if !strings.Contains(got, "no failure was seen in x.log (1 line)") || !strings.Contains(got, "and 1 more (--verbose)") {
		t.Errorf("text:\n%s", got)
	}
	for name, text := range map[string]string{"github": ExplainGitHub(a), "md": ExplainMarkdown(a)} {
		if !strings.Contains(text, "no failure was seen") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
