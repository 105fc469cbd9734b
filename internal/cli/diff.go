package cli

import (
	"io"

	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/snapshot"
)

// runDiff compares two saved machines, or one with this.
func runDiff(cmd *cobra.Command, args []string, f doctorFlags, as string) error {
	if len(args) < 1 || len(args) > 2 {
		return usage("--diff takes two snapshots, or one to compare with this machine: cupel doctor --diff A.json B.json")
	}
	a, err := snapshot.Load(args[0])
	if err != nil {
		return err
	}
	b, nameB := fact.Machine{}, "this machine"
	if len(args) == 2 {
		nameB = args[1]
		b, err = snapshot.Load(args[1])
	} else {
		var g gathered
		g, err = gather(cmd, f.machineFlags, gatherOptions{})
		b = g.machine
	}
	if err != nil {
		return err
	}
	opt := doctor.Options{Version: Version, Choice: choice.Options{Flag: f.toolkit}}
	d := doctor.Compare(doctor.Judge(a, fact.Project{}, opt), doctor.Judge(b, fact.Project{}, opt))
	d.A, d.B, d.Cupel = args[0], nameB, Version
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), d)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), styleFor(cmd.OutOrStdout()).Diff(d))
	return err
}
