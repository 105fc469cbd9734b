package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/compat"
	"cupel/internal/version"
)

func newCompat() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compat",
		Args:  compatArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Short: "Asks the tables: what fits together",
		Long: `Asks the release tables, every row of which carries its source. Versions may be written in any way that is in
use: 12.4, 12.4.1, 124, 12040, v12.4, cu124.`,
		Example: `  cupel compat toolkit 12.4
  cupel compat gpu "RTX 5060 Ti"
  cupel compat driver 550.54.15
  cupel compat gcc 14
  cupel compat solve --gpu L4 --driver 550.54.15 --gcc 13`,
	}
	cmd.AddCommand(compatToolkit(), compatGPU(), compatDriver(), compatCompiler("gcc"), compatCompiler("clang"), compatCompiler("msvc"), compatSolve())
	return cmd
}

// compatArgs refuses what is no question of the tables: cobra itself would show the help and be content.
func compatArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return usage("compat has no question %q: one of %s", args[0], strings.Join(names, ", "))
}

// ask builds a query command: one argument in, one answer out, shown by text or as JSON under key.
func ask[A any](use, short, example, key string, answer func(cmd *cobra.Command, arg string) (A, error), text func(A) string) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Example: example,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := format(cmd, "text", "json")
			if err != nil {
				return err
			}
			a, err := answer(cmd, strings.Join(args, " "))
			if err != nil {
				return usageError{err}
			}
			return writeAnswer(cmd.OutOrStdout(), as, key, a, text)
		},
	}
	formatFlags(cmd, "text", "json")
	return cmd
}

func writeAnswer[A any](out io.Writer, as, key string, a A, text func(A) string) error {
	if as == "json" {
		return writeJSON(out, map[string]any{"format": "cupel.compat/1", "cupel": Version, "findings": []any{}, key: a})
	}
	_, err := io.WriteString(out, text(a))
	return err
}

func compatToolkit() *cobra.Command {
	return ask("toolkit RELEASE", "Drivers, compilers and GPUs for a toolkit", "  cupel compat toolkit cu124", "toolkit",
		func(_ *cobra.Command, arg string) (compat.Toolkit, error) {
			v, err := version.ParseRelease(arg)
			if err != nil {
				return compat.Toolkit{}, err
			}
			return compat.ToolkitAnswer(v)
		}, showToolkit)
}

func compatGPU() *cobra.Command {
	return ask("gpu NAME|CAPABILITY|PCI-ID", "Capability of a GPU and the toolkits that know it", `  cupel compat gpu "RTX 5060 Ti"
  cupel compat gpu 8.6`, "gpu",
		func(_ *cobra.Command, arg string) (compat.GPU, error) { return compat.GPUAnswer(arg) }, showGPU)
}

func compatDriver() *cobra.Command {
	cmd := ask("driver VERSION", "What a driver supports, by the three rules", "  cupel compat driver 550.54.15", "driver",
		func(cmd *cobra.Command, arg string) (compat.Driver, error) {
			v, err := version.Parse(arg)
			if err != nil {
				return compat.Driver{}, err
			}
			os, _ := cmd.Flags().GetString("os")
			return compat.DriverAnswer(v, os)
		}, showDriver)
	cmd.Flags().String("os", "", "linux, windows or wsl2; by the driver's number when not given, else linux")
	return cmd
}

func compatCompiler(family string) *cobra.Command {
	return ask(family+" VERSION", "Toolkits that accept a "+family, "  cupel compat "+family+" "+map[string]string{"gcc": "14", "clang": "18", "msvc": "14.44"}[family], "compiler",
		func(_ *cobra.Command, arg string) (compat.Compiler, error) {
			v, err := compat.ParseCompiler(family, arg)
			if err != nil {
				return compat.Compiler{}, err
			}
			return compat.CompilerAnswer(family, v)
		}, showCompiler)
}
