package cli_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/cli"
	"cupel/internal/contract"
	"cupel/internal/doctor"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/remedy"
	"cupel/internal/signature"
	"cupel/internal/verify"
)

// A commandLine is one call of cupel that a person may copy, and where it stands.
type commandLine struct{ where, text string }

// TestCommandLinesInDocuments: what the pages tell people to type, this program understands.
func TestCommandLinesInDocuments(t *testing.T) {
	var lines []commandLine
	for _, path := range markdown(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, inMarkdown(filepath.ToSlash(path), string(b))...)
	}
	checkLines(t, lines)
}

// TestCommandLinesInHelp: the examples of the program itself.
func TestCommandLinesInHelp(t *testing.T) {
	checkLines(t, inHelp(cli.Root(io.Discard, io.Discard)))
}

// TestCommandLinesInFindings: every step that any recorded machine leads to.
func TestCommandLinesInFindings(t *testing.T) {
	var lines []commandLine
	for _, dir := range []string{"../../testdata/hosts", "../../testdata/rules", "testdata"} {
		paths, err := filepath.Glob(dir + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			lines = append(lines, inRecording(t, path)...)
		}
	}
	checkLines(t, lines)
}

// TestCommandLinesInSignatures: what explain says to do about a failure can be done, with any value in its place.
func TestCommandLinesInSignatures(t *testing.T) {
	var lines []commandLine
	add := func(where, command, note string) {
		fill := regexp.MustCompile(`\{[a-z][^{}]*\}`)
		lines = append(lines, inFinding(where, finding.Finding{Next: []finding.Step{{Command: fill.ReplaceAllString(command, "12.4"), Note: fill.ReplaceAllString(note, "12.4")}}})...)
	}
	for _, s := range signature.All() {
		for _, r := range s.Causes {
			for _, f := range r.Fixes {
				add(s.ID, f.Command, f.Note)
			}
			lines = append(lines, inFinding(s.ID, finding.Finding{What: r.What, Why: r.Why})...)
		}
		lines = append(lines, inFinding(s.ID, finding.Finding{Why: s.Hint})...)
	}
	for i, row := range data.Sharpenings() {
		add(fmt.Sprintf("sharpen.toml row %d", i+1), row.Command, row.Note)
	}
	for _, e := range data.Exits() {
		for _, n := range e.Next {
			add(e.Name, n.Command, n.Note)
		}
	}
	checkLines(t, lines)
}

// TestCommandLinesInContracts: every step that verify and plan name for an example on any recorded machine.
func TestCommandLinesInContracts(t *testing.T) {
	var lines []commandLine
	for _, example := range exampleNames(t) {
		b, err := os.ReadFile(filepath.Join("../../examples", example, "cupel.toml"))
		if err != nil {
			t.Fatal(err)
		}
		c, wrong := contract.Parse("cupel.toml", b)
		if len(wrong) > 0 {
			t.Fatalf("%s: %v", example, wrong)
		}
		for _, name := range hostNames(t) {
			lines = append(lines, inJudgement(t, example, name, c)...)
		}
	}
	checkLines(t, lines)
}

func inJudgement(t *testing.T, example, name string, c *contract.Contract) []commandLine {
	t.Helper()
	h, err := host.LoadFile("../../testdata/hosts/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
	platform, err := verify.PlatformOf(m, "")
	if err != nil {
		return nil // macOS: there is nothing to verify
	}
	in := verify.Input{Contract: c, Machine: m, Platform: platform}
	var out []commandLine
	where := example + " on " + name
	for _, check := range verify.Judge(in).Findings {
		out = append(out, inFinding(where+" "+check.ID, check.Finding)...)
	}
	for _, route := range remedy.Plan(remedy.Input{Verify: in, All: true}).Plans {
		for _, step := range route.Steps {
			for _, cmd := range step.Commands {
				out = append(out, calls(where+" plan", cmd)...)
			}
		}
	}
	return out
}

func checkLines(t *testing.T, lines []commandLine) {
	t.Helper()
	if len(lines) == 0 {
		t.Fatal("no command line of cupel was found: nothing was checked")
	}
	for _, l := range lines {
		if err := understood(l.text); err != nil {
			t.Errorf("%s: %s: %v", l.where, l.text, err)
		}
	}
	t.Logf("%d command lines", len(lines))
}

func markdown(t *testing.T) []string {
	t.Helper()
	paths := []string{readmePath, "../../CONTRIBUTING.md", "../../CHANGELOG.md"}
	for _, root := range []string{docsDir, "../../data/topics"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".md") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

var inlineCode = regexp.MustCompile("`([^`]+)`")

// inMarkdown takes the calls out of code blocks and inline code; prose may say "cupel reads".
func inMarkdown(name, text string) []commandLine {
	var out []commandLine
	fence, shell := "", false
	for i, line := range strings.Split(text, "\n") {
		where := fmt.Sprintf("%s:%d", name, i+1)
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			fence, shell = trimmed[:3], !strings.HasPrefix(trimmed[3:], "toml")
		case fence != "" && strings.HasPrefix(trimmed, fence):
			fence = ""
		case fence != "":
			if shell { // a contract begins with cupel = 1
				out = append(out, calls(where, line)...)
			}
		default:
			for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
				out = append(out, calls(where, m[1])...)
			}
		}
	}
	return out
}

func inHelp(cmd *cobra.Command) []commandLine {
	var out []commandLine
	for i, line := range strings.Split(cmd.Example, "\n") {
		out = append(out, calls(fmt.Sprintf("example %d of %s", i+1, cmd.CommandPath()), line)...)
	}
	for _, sub := range cmd.Commands() {
		out = append(out, inHelp(sub)...)
	}
	return out
}

// inRecording judges a recorded machine with and without the need of a GPU and takes the steps of its findings,
// the silenced ones too.
func inRecording(t *testing.T, path string) []commandLine {
	t.Helper()
	h, err := host.LoadFile(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	m, p := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
	var out []commandLine
	for _, need := range []bool{false, true} {
		for _, f := range doctor.Judge(m, p, doctor.Options{NeedGPU: need}).Findings {
			out = append(out, inFinding(filepath.ToSlash(path)+" "+f.ID, f)...)
		}
	}
	return out
}

// spoken finds a command that a sentence names: a word of the command line after "cupel".
var spoken = regexp.MustCompile(`\bcupel (--?[a-z][a-z-]*|doctor|env|compat|version|completion|verify|init|plan|up|toolkit|exec|build|replay|runs|explain|inspect|stubs|smoke|mps|matrix|artifact|port|report|cache|lock|docs|bundle|gated)\b( --?[a-z][a-z-]*)?`)

func inFinding(where string, f finding.Finding) []commandLine {
	var out []commandLine
	for _, s := range f.Next {
		out = append(out, calls(where, s.Command)...)
		for _, m := range spoken.FindAllString(s.Note, -1) {
			out = append(out, commandLine{where, m})
		}
	}
	for _, m := range spoken.FindAllString(f.What+"\n"+f.Where+"\n"+f.Why, -1) {
		out = append(out, commandLine{where, m})
	}
	return out
}
