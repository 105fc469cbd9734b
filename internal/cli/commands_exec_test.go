package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"cupel/internal/finding"
	"cupel/internal/mend/choose"
)

// step finds what the closing text of exec says to type.
var step = regexp.MustCompile(`(?m)^ *(?:next:|more:|again:)? +(cupel [a-z].*)$`)

// TestCommandLinesInExec: what the ending of cupel exec and the permanent fixes of its repairs tell people to type.
func TestCommandLinesInExec(t *testing.T) {
	paths, err := filepath.Glob("../render/testdata/exec-*")
	if err != nil {
		t.Fatal(err)
	}
	var lines []commandLine
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(path) == ".md" {
			lines = append(lines, inMarkdown(path, string(b))...)
			continue
		}
		for _, m := range step.FindAllStringSubmatch(string(b), -1) {
			lines = append(lines, calls(path, m[1])...)
		}
	}
	for _, name := range choose.Names() {
		text, paste := choose.Permanent(name, false)
		lines = append(lines, inFinding("repair "+name, finding.Finding{Why: text, Next: []finding.Step{{Command: paste}}})...)
	}
	checkLines(t, lines)
}
