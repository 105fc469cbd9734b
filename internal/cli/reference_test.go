package cli_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/cli"
	"cupel/internal/rule"
)

const (
	docsDir    = "../../docs"
	readmePath = "../../README.md"
)

var writePages = flag.Bool("write-pages", false, "write docs/reference and the README's transcript anew")

// TestReferencePages keeps the generated pages equal to the program.
func TestReferencePages(t *testing.T) {
	for _, page := range []struct{ name, want string }{
		{"commands", commandsPage()},
		{"checks", checksPage()},
	} {
		t.Run(page.name, func(t *testing.T) { fresh(t, docsDir+"/reference/"+page.name+".md", page.want) })
	}
}

func fresh(t *testing.T, path, want string) {
	t.Helper()
	if *writePages {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: go test ./internal/cli -run 'TestReferencePages|TestReadmeTranscript' -write-pages", path)
	}
}

func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\nMade from the program by `go test ./internal/cli -write-pages`; do not edit.\n\n")
	b.WriteString("Answers go to stdout, everything else to stderr. Exit codes of every command: 0 nothing wrong, 1 findings of severity error,\n" +
		"2 called wrongly, 3 cupel could not do its work.\n")
	commandPage(&b, cli.Root(io.Discard, io.Discard))
	return b.String()
}

func commandPage(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```\n%s\n```\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."), strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	if cmd.Long != "" {
		fmt.Fprintf(b, "\n%s\n", cmd.Long)
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```\n%s\n```\n", strings.TrimRight(unindent(cmd.Example), "\n"))
	}
	if cmd.HasParent() {
		flagTable(b, cmd)
	} else {
		b.WriteString("\nFlags: those of `cupel doctor`.\n")
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			commandPage(b, sub)
		}
	}
}

func unindent(s string) string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		out = append(out, strings.TrimPrefix(line, "  "))
	}
	return strings.Join(out, "\n")
}

func flagTable(b *strings.Builder, cmd *cobra.Command) {
	head := "\n| flag | meaning |\n|---|---|\n"
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, "%s| `%s` | %s |\n", head, strings.TrimSpace(name+" "+value), strings.ReplaceAll(usage, "|", `\|`))
		head = ""
	})
}

func checksPage() string {
	var b strings.Builder
	rules := rule.All()
	fmt.Fprintf(&b, "# Checks\n\nMade from the program by `go test ./internal/cli -write-pages`; do not edit.\n\n")
	fmt.Fprintf(&b, "The %d checks of `cupel doctor`, in the order in which findings are shown. `cupel doctor --show ID` prints a check's page.\n"+
		"The severity is the usual one; a finding may carry another where its page says so.\n\n", len(rules))
	b.WriteString("| check | severity | says | platforms | silenced by |\n|---|---|---|---|---|\n")
	for _, r := range rules {
		on := "all"
		if len(r.On) > 0 {
			on = strings.Join(r.On, ", ")
		}
		fmt.Fprintf(&b, "| [%s](../../data/topics/%s.md) | %s | %s | %s | %s |\n", r.ID, r.ID, r.Severity, strings.ReplaceAll(r.Title, "*", `\*`), on, strings.Join(r.CausedBy, ", "))
	}
	return b.String()
}

const (
	transcriptStart = "<!-- transcript -->\n```console\n$ cupel doctor\n"
	transcriptEnd   = "```\n"
)

// TestReadmeTranscript keeps the README's transcript what the program prints for the recorded machine.
func TestReadmeTranscript(t *testing.T) {
	readme, err := os.ReadFile(readmePath)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(readme), transcriptStart)
	_, after, closed := strings.Cut(rest, transcriptEnd)
	if !ok || !closed {
		t.Fatalf("%s has no transcript that begins with %q", readmePath, transcriptStart)
	}
	var out, errs bytes.Buffer
	if code := cli.Main([]string{"doctor", "--host", "testdata/readme.txtar"}, &out, &errs); code != 1 {
		t.Fatalf("exit code %d, want 1: %s", code, errs.String())
	}
	fresh(t, readmePath, before+transcriptStart+out.String()+transcriptEnd+after)
}
