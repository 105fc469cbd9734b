package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/finding"
	"cupel/internal/render"
)

// told is a finding that ends a command: people read it as an error with its next step, programs in an answer of the
// command's own format.
type told struct {
	finding.Finding
	code int
}

func (t told) Error() string {
	if t.Why == "" {
		return t.What
	}
	return t.What + ": " + t.Why
}

// asFinding is any error in the form of a finding.
func asFinding(err error) finding.Finding {
	var t told
	if errors.As(err, &t) {
		return t.Finding
	}
	f := finding.Finding{ID: "could-not-work", Severity: finding.Error, What: err.Error()}
	var wrong usageError
	var not notAcceptedYet
	switch {
	case errors.Is(err, errInterrupted):
		f.ID = "interrupted"
	case errors.As(err, &not):
		notAccepted(nil, err, &f)
	case errors.As(err, &wrong), isUsage(err):
		f.ID = "called-wrongly"
	}
	return f
}

// showError writes what ended a command. The commands that act or list (toolkit, up, runs, bundle) answer programs with an object even then.
func showError(cmd *cobra.Command, args []string, stdout, stderr io.Writer, err error) {
	f := asFinding(err)
	fmt.Fprintln(stderr, "cupel: "+render.Lines(err.Error()))
	for i, s := range f.Next {
		if s.Command != "" {
			fmt.Fprintf(stderr, "%s%s\n", map[bool]string{true: "next: ", false: "      "}[i == 0], strings.TrimSpace(render.Line(s.Command+"    "+s.Note)))
		}
	}
	if asked := wantsJSON(cmd, args); asked {
		_ = writeJSON(stdout, map[string]any{"format": formatOf(cmd), "cupel": Version, "findings": []finding.Finding{f}})
	}
}

func wantsJSON(cmd *cobra.Command, args []string) bool {
	path := cmd.CommandPath()
	acts := path == "cupel up" || path == "cupel bundle" || strings.HasPrefix(path, "cupel toolkit ") || strings.HasPrefix(path, "cupel runs")
	if !acts || cmd.Name() == "run" {
		return false
	}
	as, _ := cmd.Flags().GetString("format")
	return as == "json" || slices.Contains(args, "--json") || slices.Contains(args, "--format=json")
}

// formatOf is the format of a command's answers: cupel.toolkit.use/1; "runs" and "runs show" have one.
func formatOf(cmd *cobra.Command) string {
	if strings.HasPrefix(cmd.CommandPath(), "cupel runs") {
		return render.RunsFormat
	}
	return strings.ReplaceAll(cmd.CommandPath(), " ", ".") + "/1"
}

// endedBy is the signal that ended the program.
func endedBy(ctx context.Context, err error) error {
	var by ended
	if errors.As(context.Cause(ctx), &by) {
		return by
	}
	return err
}
