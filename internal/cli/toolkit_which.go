package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cupel/internal/fact"
	"cupel/internal/probe/look"
)

func toolkitWhich() *cobra.Command {
	var f machineFlags
	cmd := &cobra.Command{
		Use:   "which PROGRAM",
		Short: "Where a program of the chosen toolkit is: nvcc, ptxas, cuobjdump …",
		Long: `Prints the path of a program in the chosen toolkit: the one that builds here, or the one that --toolkit names.

Exit code: 0 it is there, 1 there is no such program or no toolkit.`,
		Example: `  cupel toolkit which nvcc
  cupel toolkit which ptxas --toolkit 12.4
  "$(cupel toolkit which nvcc)" --version`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"nvcc", "ptxas", "cicc", "cuobjdump", "nvdisasm", "nvlink", "fatbinary", "nvprune", "cudafe++", "compute-sanitizer"},
		RunE:      func(cmd *cobra.Command, args []string) error { return runWhich(cmd, args[0], f) },
	}
	f.add(cmd.Flags())
	_ = cmd.Flags().MarkHidden("snapshot")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runWhich(cmd *cobra.Command, name string, f machineFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	if f.snapshot != "" {
		return usage("which is about this machine: it excludes --snapshot")
	}
	_, _, chosen, err := chosenHere(cmd, f)
	if err != nil {
		return err
	}
	h, _, err := hostFor(f.host)
	if err != nil {
		return err
	}
	path, why := "", chosen.Reason
	if chosen.Toolkit != nil {
		why = fmt.Sprintf("there is no %s in %s (%s)", name, chosen.Root, chosen.Reason)
		path = programIn(look.New(h), *chosen.Toolkit, name)
	}
	if as == "json" {
		err := writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.toolkit.which/1", "cupel": Version, "findings": []any{}, "program": name, "path": path, "root": chosen.Root, "reason": chosen.Reason})
		if err != nil || path != "" {
			return err
		}
		return codeError(exitFindings)
	}
	if path == "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel: %s\n", why)
		return codeError(exitFindings)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	return err
}

// programIn looks where toolkits keep programs: what the survey found first, then the folders themselves.
func programIn(a *look.At, t fact.Toolkit, name string) string {
	if p := t.Parts[name]; p != "" && a.IsFile(p) {
		return p
	}
	file := a.Path.Program(name)
	var paths []string
	for _, dir := range [][]string{{"bin"}, {"nvvm", "bin"}, {"compute-sanitizer"}, {"bin", "x64"}, {"libnvvp"}} {
		paths = append(paths, a.Path.Join(append(append([]string{t.Root}, dir...), file)...))
	}
	if nvcc := t.Parts[fact.PartNvcc]; nvcc != "" {
		paths = append(paths, a.Path.Join(a.Path.Dir(nvcc), file), a.Path.Join(a.Path.Dir(a.Real(nvcc)), file))
	}
	return a.FirstFile(paths...)
}
