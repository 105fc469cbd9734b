package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/rule"
)

// ruleRow is one line of --list.
type ruleRow struct {
	ID        string   `json:"id"`
	Severity  string   `json:"severity"`
	Title     string   `json:"title"`
	Label     string   `json:"label,omitempty"`
	Platforms []string `json:"platforms,omitempty"`
}

func listRules(out io.Writer, as string) error {
	var rows []ruleRow
	for _, r := range rule.All() {
		rows = append(rows, ruleRow{r.ID, string(r.Severity), r.Title, r.Label, r.On})
	}
	if as == "json" {
		return writeJSON(out, map[string]any{"format": "cupel.rules/1", "cupel": Version, "findings": []any{}, "rules": rows})
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(out, "%-8s %-38s %s\n", r.Severity, r.ID, r.Title); err != nil {
			return err
		}
	}
	return nil
}

// showTopic prints the page of one check.
func showTopic(out io.Writer, id string) error {
	b, err := data.Files.ReadFile("topics/" + id + ".md")
	if err != nil {
		return usage("no check is called %q%s", id, nearest(id))
	}
	_, err = out.Write(b)
	return err
}

// nearest suggests checks, or says where they are listed.
func nearest(id string) string {
	var ids []string
	for _, r := range rule.All() {
		ids = append(ids, r.ID)
	}
	return suggest(id, ids, "cupel doctor --list")
}

// suggest names ids: those that contain what was typed, else those that share a long word with it.
func suggest(id string, ids []string, list string) string {
	for _, alike := range []func(a, b string) bool{strings.Contains, sharesWord} {
		var close []string
		for _, other := range ids {
			if alike(other, id) {
				close = append(close, other)
			}
		}
		if len(close) > 0 && len(close) <= 8 {
			return ": did you mean " + strings.Join(close, ", ") + "?"
		}
	}
	return ": see " + list
}

func sharesWord(a, b string) bool {
	for _, w := range strings.Split(b, "-") {
		if len(w) > 4 && strings.Contains(a, w) {
			return true
		}
	}
	return false
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, r := range rule.All() {
		out = append(out, r.ID+"\t"+r.Title)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
