package signature

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cupel/internal/literal"
)

var update = flag.Bool("update", false, "write data/literals.txt anew")

const literalsFile = "../../data/literals.txt"

// TestLiteralsAreFresh keeps data/literals.txt equal to what is derived from the signatures.
func TestLiteralsAreFresh(t *testing.T) {
	var lines []string
	add := func(expr string) {
		literals, ok := literal.Derive(expr)
		if !ok || strings.ContainsAny(strings.Join(literals, ""), "\t\n\r") {
			return // Compile tells of one without literals
		}
		lines = append(lines, fmt.Sprintf("%016x\t%s", hashOf(expr), strings.Join(literals, "\t")))
	}
	add(numbersExpr())
	for _, s := range All() {
		for i, p := range s.Patterns {
			expr, err := p.Expr()
			if err != nil {
				t.Fatalf("%s, pattern %d: %v", s.ID, i+1, err)
			}
			add(p.calling(expr))
		}
	}
	slices.Sort(lines)
	want := "# Made by go test ./internal/signature -update; do not edit. A hash of each pattern's expression, and its literals.\n" + strings.Join(slices.Compact(lines), "\n") + "\n"
	if *update {
		if err := os.WriteFile(literalsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(literalsFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: go test ./internal/signature -update", literalsFile)
	}
}
