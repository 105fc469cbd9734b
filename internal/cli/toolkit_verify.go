package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cupel/internal/depot"
	"cupel/internal/finding"
	"cupel/internal/render"
)

func toolkitVerify() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "verify [RELEASE|NAME…]",
		Short: "Compares every file of an installed toolkit with its manifest",
		Long: `Reads every file of the toolkits, compilers and libraries that cupel installed and compares it with the checksum that was
noted when it was unpacked: what is missing, was changed, or came besides. Without a name all of them are looked at. Of a
registered root nothing is known but that it is there.

Exit code: 0 everything is as it was installed, 1 something is not, or nothing of that name is installed.`,
		Example: `  cupel toolkit verify
  cupel toolkit verify 13.0 --json`,
		ValidArgsFunction: completeInstalled,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all && len(args) > 0 {
				return usage("--all and names exclude each other")
			}
			return runToolkitVerify(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "everything (the default)")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runToolkitVerify(cmd *cobra.Command, args []string) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	a := render.ToolkitCheck{Format: "cupel.toolkit.verify/1", Cupel: Version, Findings: []finding.Finding{}, Checked: []render.CheckedToolkit{}}
	list, err := toVerify(depotHere(), args, &a)
	if err != nil {
		return err
	}
	report, end := showProgress(cmd.ErrOrStderr())
	defer end()
	for _, i := range list {
		faults, err := depot.Check(cmd.Context(), i, report)
		if cmd.Context().Err() != nil {
			return errInterrupted
		}
		checked(&a, i, faults, err)
	}
	end()
	out := cmd.OutOrStdout()
	if as == "json" {
		err = writeJSON(out, a)
	} else {
		text := styleFor(out).ToolkitCheck(a)
		if text == "" {
			text = "cupel has installed nothing\n"
		}
		_, err = io.WriteString(out, text)
	}
	if err == nil && finding.Count(a.Findings, finding.Error) > 0 {
		err = codeError(exitFindings)
	}
	return err
}

// toVerify finds what is meant; a name that nothing has is told, and the others are looked at.
func toVerify(d depot.Depot, args []string, a *render.ToolkitCheck) ([]depot.Installed, error) {
	var all, out []depot.Installed
	for _, kind := range []string{depot.Toolkits, depot.Compilers, depot.Libraries} {
		list, err := d.List(kind)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	if len(args) == 0 {
		return all, nil
	}
	for _, text := range args {
		hits := installedBy(all, text)
		if len(hits) == 0 {
			a.Findings = append(a.Findings, finding.Finding{ID: "not-installed", Severity: finding.Error, What: "cupel installed no " + text,
				Next: []finding.Step{{Command: "cupel toolkit list", Note: "shows what is installed"}}})
		}
		out = append(out, hits...)
	}
	return out, nil
}

// checked puts what was found about one folder into the answer.
func checked(a *render.ToolkitCheck, i depot.Installed, faults []depot.Fault, err error) {
	c := render.CheckedToolkit{Name: nameOf(i), Dir: i.Dir, Faults: []render.CheckedFault{}, Unreadable: err != nil}
	for _, f := range faults {
		c.Faults = append(c.Faults, render.CheckedFault(f))
	}
	if m, err := depot.Read(i.Dir); err == nil {
		c.Files = len(m.Files)
		if m.Root != "" {
			c.Note = "registered: only that " + m.Root + " is there was looked at"
		}
	}
	a.Checked = append(a.Checked, c)
	f := finding.Finding{ID: "toolkit-damaged", Severity: finding.Error, What: fmt.Sprintf("%s is not as it was installed", c.Name), Where: i.Dir,
		Next: []finding.Step{{Command: "cupel toolkit remove " + c.Name + " --yes", Note: "then install it again"}}}
	switch {
	case err != nil:
		f.ID, f.What, f.Why = "toolkit-unreadable", c.Name+" could not be compared with its manifest", err.Error()
	case len(faults) > 0:
		f.Why = fmt.Sprintf("%d of its files differ, the first is %s (%s)", len(faults), faults[0].Path, faults[0].What)
		f.Next = append(f.Next, reinstall(i)...)
	default:
		return
	}
	a.Findings = append(a.Findings, f)
}

// reinstall is the command that brings a toolkit again as it was.
func reinstall(i depot.Installed) []finding.Step {
	m := i.Manifest
	if m.Kind != depot.Toolkits || m.Root != "" || m.Release == "" {
		return nil
	}
	command := fmt.Sprintf("cupel toolkit install %s --from %s", m.Release, m.Source)
	for n, w := range m.Asked {
		if n == 0 {
			command += " --with " + w
			continue
		}
		command += "," + w
	}
	if m.Full {
		command += " --full"
	}
	if m.Platform != platformHere() {
		command += " --platform " + m.Platform.String()
	}
	return []finding.Step{{Command: command}}
}
