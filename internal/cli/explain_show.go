package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/diagnose"
	"cupel/internal/render"
	"cupel/internal/review"
	"cupel/internal/signature"
)

// signatureRow is one line of --list.
type signatureRow struct {
	ID     string         `json:"id"`
	Role   signature.Role `json:"role"`
	Stage  string         `json:"stage"`
	Tool   string         `json:"tool"`
	Title  string         `json:"title"`
	Labels []string       `json:"labels,omitempty"`
}

func listSignatures(out io.Writer, as string) error {
	var rows []signatureRow
	for _, s := range signature.All() {
		rows = append(rows, signatureRow{s.ID, s.Role, s.Stage, s.Tool, s.Title, s.Labels()})
	}
	switch as {
	case "json":
		return writeJSON(out, map[string]any{"format": "cupel.signatures/1", "cupel": Version, "findings": []any{}, "signatures": rows, "labels": data.Labels()})
	case "text":
	default:
		return usage("--list is shown as text or json")
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(out, "%-34s %-11s %s\n", r.ID, r.Stage, r.Title); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "\n%d known failures, %d causes; one of them: cupel explain --show %s\n", len(rows), len(data.Labels()), rows[0].ID)
	return err
}

// showSignature prints what is known of one failure and the pages of its causes; a label shows its page alone.
func showSignature(out io.Writer, id string) error {
	s := signature.ByID(id)
	if s == nil {
		if page, err := data.Files.ReadFile("topics/" + id + ".md"); err == nil {
			_, err = out.Write(page)
			return err
		}
		return usage("no failure or cause is called %q%s", id, nearestSignature(id))
	}
	text := render.Signature(s)
	for _, label := range s.Labels() {
		if page, err := data.Files.ReadFile("topics/" + label + ".md"); err == nil {
			text += "\n" + string(page)
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

func nearestSignature(id string) string {
	var ids []string
	for _, s := range signature.All() {
		ids = append(ids, s.ID)
	}
	for _, l := range data.Labels() {
		ids = append(ids, l.Label)
	}
	ids = append(ids, review.IDs()...)
	return suggest(id, ids, "cupel explain --list")
}

func completeSignatures(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, s := range signature.All() {
		out = append(out, s.ID+"\t"+s.Title)
	}
	for _, l := range data.Labels() {
		out = append(out, l.Label)
	}
	out = append(out, review.IDs()...)
	return out, cobra.ShellCompDirectiveNoFileComp
}

func writeExplain(out io.Writer, a diagnose.Answer, as string, verbose bool, hide func([]byte) []byte) error {
	var text []byte
	var err error
	switch as {
	case "json":
		var b strings.Builder
		err = writeJSON(&b, a)
		text = []byte(b.String())
	case "md":
		text = []byte(render.ExplainMarkdown(a))
	case "sarif":
		text, err = render.ExplainSARIF(a)
	case "github":
		text = []byte(render.ExplainGitHub(a))
	default:
		text = []byte(styleFor(out).Explain(a, verbose))
	}
	if err == nil {
		_, err = out.Write(hide(text))
	}
	return err
}
