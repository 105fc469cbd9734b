package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/depot"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/render"
	"cupel/internal/toolkit"
)

func toolkitRemove() *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "remove RELEASE|NAME",
		Short: "Removes a toolkit that cupel installed",
		Long: `Removes a toolkit that cupel installed, or a compiler or library that it brought (by its name). Of a registered root only
the registration goes; its files stay. A release that several toolkits have must be named exactly: "cupel toolkit list"
shows the names. It asks on a terminal; elsewhere --yes is needed.

Exit code: 0 removed, 1 no such thing is installed, 2 called wrongly, 3 cupel could not do its work.`,
		Example: `  cupel toolkit remove 13.0
  cupel toolkit remove 12.4.1-apt-linux-x86_64 --yes`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeInstalled,
		RunE:              func(cmd *cobra.Command, args []string) error { return runRemove(cmd, args[0], yes) },
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "remove it without being asked")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runRemove(cmd *cobra.Command, text string, yes bool) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	d := depotHere()
	i, kind, err := removable(d, text)
	if err != nil {
		return err
	}
	if i == nil {
		return told{finding.Finding{ID: "not-installed", Severity: finding.Error, What: "cupel installed no " + text,
			Next: []finding.Step{{Command: "cupel toolkit list", Note: "shows what is installed"}}}, exitFindings}
	}
	if !yes {
		if !canAsk(cmd) {
			return usage("there is no terminal to ask on: --yes removes %s", nameOf(*i))
		}
		if ok, err := confirm(cmd, removeQuestion(*i)); err != nil || !ok {
			return orCode(err, exitFindings)
		}
	}
	if err := remove(cmd.Context(), cmd, d, kind, nameOf(*i)); err != nil {
		return notRemoved(cmd, as, *i, err)
	}
	if file := choiceOf(*i); file != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s still names it: cupel toolkit use --unset takes that back\n", fromHere(file))
	}
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.toolkit.remove/1", "cupel": Version, "findings": []any{}, "kind": kind, "name": nameOf(*i), "dir": i.Dir, "size": i.Manifest.Size})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "removed %s\n", i.Dir)
	return err
}

// notRemoved tells what keeps a folder from being moved away; another error stays one.
func notRemoved(cmd *cobra.Command, as string, i depot.Installed, err error) error {
	if cmd.Context().Err() != nil {
		return errInterrupted
	}
	f := finding.Finding{Severity: finding.Error, Where: i.Dir, Why: err.Error()}
	j := &install{cmd: cmd}
	if !held(j, err, &f) && !noRight(j, err, &f) {
		return err
	}
	f.What = nameOf(i) + " could not be removed: " + f.What
	if as == "json" {
		err = writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.toolkit.remove/1", "cupel": Version, "findings": []finding.Finding{f}})
	} else {
		_, err = io.WriteString(cmd.OutOrStdout(), styleFor(cmd.OutOrStdout()).Finding(f))
	}
	return orCode(err, exitFindings)
}

// choiceOf is the file of the project here that chooses a toolkit, by its root or, where no other has it, its release.
func choiceOf(i depot.Installed) string {
	w, err := openWorkspace(host.Here(), "", shown)
	if err != nil || w.choice == "" {
		return ""
	}
	root, err := projectOf(nil)
	if err != nil {
		return ""
	}
	all, _ := depotHere().List(depot.Toolkits)
	if w.choice != i.Root() && (len(installedBy([]depot.Installed{i}, w.choice)) == 0 || len(installedBy(all, w.choice)) > 0) {
		return ""
	}
	return filepath.Join(root, filepath.FromSlash(choiceFile))
}

func orCode(err error, code int) error {
	if err != nil {
		return err
	}
	return codeError(code)
}

func removeQuestion(i depot.Installed) string {
	if i.Manifest.Root != "" {
		return fmt.Sprintf("Forget %s? The files in %s stay.", nameOf(i), i.Manifest.Root)
	}
	if i.Manifest.Size > 0 {
		return fmt.Sprintf("Remove %s (%s in %s)?", nameOf(i), render.Bytes(i.Manifest.Size), i.Dir)
	}
	return fmt.Sprintf("Remove %s in %s?", nameOf(i), i.Dir)
}

// removable finds the one thing that is meant: a toolkit by release or name, the rest by name.
func removable(d depot.Depot, text string) (*depot.Installed, string, error) {
	for _, kind := range []string{depot.Toolkits, depot.Compilers, depot.Libraries} {
		all, err := d.List(kind)
		if err != nil {
			return nil, "", err
		}
		switch hits := installedBy(all, text); {
		case len(hits) == 1 && (kind == depot.Toolkits || nameOf(hits[0]) == text):
			return &hits[0], kind, nil
		case len(hits) > 1 && kind == depot.Toolkits:
			return nil, "", usage("%s is installed %d times: name one of %s", text, len(hits), strings.Join(namesOf(hits), ", "))
		}
	}
	return nil, "", nil
}

func remove(ctx context.Context, cmd *cobra.Command, d depot.Depot, kind, name string) error {
	report, end := showProgress(cmd.ErrOrStderr())
	defer end()
	if kind == depot.Toolkits {
		_, err := toolkit.Installer{Depot: d, Cupel: Version, Here: platformHere(), Report: report}.Remove(ctx, name)
		return err
	}
	change, err := d.Begin(ctx, kind, name, report)
	if err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	defer change.End()
	return change.Remove()
}
