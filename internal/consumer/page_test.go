package consumer

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the reference page anew")

const pagePath = "../../docs/reference/consumers.md"

// TestPageIsFresh keeps the reference page equal to the table.
func TestPageIsFresh(t *testing.T) {
	want := page()
	if *update {
		if err := os.WriteFile(pagePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: run go test ./internal/consumer -run TestPageIsFresh -update", pagePath)
	}
}

func page() string {
	var b strings.Builder
	b.WriteString("# Who finds CUDA how\n\n")
	b.WriteString("Made from `data/consumers.toml`; do not edit. `cupel doctor --consumers` judges these rows against a machine.\n")
	fmt.Fprintf(&b, "The code of each consumer was read on %s. *Run* means that a test runs that code in made-up trees and compares; *read* means read only.\n", Checked())
	name := ""
	for _, r := range Rows() {
		if r.Name != name {
			name = r.Name
			fmt.Fprintf(&b, "\n## %s\n", name)
		}
		rowPage(&b, r)
	}
	return b.String()
}

func rowPage(b *strings.Builder, r Row) {
	fmt.Fprintf(b, "\n### %s\n\nWhat it takes: %s. Linux: %s; Windows: %s.\n", r.Versions(), r.What, r.Proved["linux"], r.Proved["windows"])
	for _, s := range r.Searches {
		fmt.Fprintf(b, "\nLooks for %s:\n\n", s.Words())
		for i, step := range s.Steps {
			fmt.Fprintf(b, "%d. %s\n", i+1, strings.ReplaceAll(step.Words(), "*", `\*`))
		}
		if s.None != "" {
			fmt.Fprintf(b, "\nNone: %s.\n", s.Why)
		}
	}
	if r.Release != nil {
		releasePage(b, r)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\nNote: %s.\n", n.Text)
	}
	fmt.Fprintf(b, "\nSource: %s.\n", strings.Join(r.Source, "; "))
}

func releasePage(b *strings.Builder, r Row) {
	if r.Release.TorchMajor {
		b.WriteString("\nThe major of its nvcc must be that of torch.version.cuda.\n")
		return
	}
	when := "Always"
	if r.Release.When != "" {
		when = "With " + r.Release.When
	}
	fmt.Fprintf(b, "\n%s it asks `nvcc --version` on PATH and panics on a release that it does not know:\n\n| version | CUDA releases |\n|---|---|\n", when)
	for _, a := range r.allow {
		if first := mustParse(a.First); within(mustParse(r.First), a.First, a.Last) || r.Covers(first) {
			fmt.Fprintf(b, "| %s | %s |\n", Row{First: a.First, Last: a.Last}.Versions(), a.Releases)
		}
	}
}
