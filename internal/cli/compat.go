package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

func newCompat() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compat",
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
	cmd.Flags().String("os", "linux", "linux, windows or wsl2")
	return cmd
}

func compatCompiler(family string) *cobra.Command {
	return ask(family+" VERSION", "Toolkits that accept a "+family, "  cupel compat "+family+" "+map[string]string{"gcc": "14", "clang": "18", "msvc": "14.44"}[family], "compiler",
		func(_ *cobra.Command, arg string) (compat.Compiler, error) {
			v, err := version.Parse(arg)
			if err != nil {
				return compat.Compiler{}, err
			}
			return compat.CompilerAnswer(family, v)
		}, showCompiler)
}

type solveFlags struct {
	machineFlags
	gpu, driver, gcc, clang, msvc, os, toolkit string
	bare                                       bool
}

func compatSolve() *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Which toolkits fit a GPU, a driver and a compiler, best first",
		Long: `Lists the toolkits that fit what is given, best first, and for every other one the reason it falls out. What is
not given is taken from this machine, unless anything of a machine is named on the command line.`,
		Example: `  cupel compat solve
  cupel compat solve --gpu "RTX 5060 Ti" --driver 580.88 --os windows --msvc 14.44`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSolve(cmd, f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.gpu, "gpu", "", "product name, compute capability or PCI id")
	fs.StringVar(&f.driver, "driver", "", "driver version")
	fs.StringVar(&f.gcc, "gcc", "", "gcc version")
	fs.StringVar(&f.clang, "clang", "", "clang version")
	fs.StringVar(&f.msvc, "msvc", "", "MSVC toolset (14.44), cl (19.44) or _MSC_VER (1944)")
	fs.StringVar(&f.os, "os", "", "linux, windows or wsl2")
	fs.StringVar(&f.toolkit, "toolkit", "", "only this release")
	fs.StringVar(&f.snapshot, "snapshot", "", "take what is not given from a saved answer")
	fs.StringVar(&f.host, "host", "", "")
	_ = fs.MarkHidden("host")
	formatFlags(cmd, "text", "json")
	return cmd
}

func runSolve(cmd *cobra.Command, f solveFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	q := compat.Query{OS: f.os, GPU: f.gpu}
	for _, p := range []struct {
		flag, text string
		into       *version.V
		parse      func(string) (version.V, error)
	}{
		{"driver", f.driver, &q.Driver, version.Parse}, {"gcc", f.gcc, &q.GCC, version.Parse},
		{"clang", f.clang, &q.Clang, version.Parse}, {"msvc", f.msvc, &q.MSVC, version.Parse},
		{"toolkit", f.toolkit, &q.Toolkit, version.ParseRelease},
	} {
		if p.text == "" {
			continue
		}
		if *p.into, err = p.parse(p.text); err != nil {
			return usage("--%s: %v", p.flag, err)
		}
	}
	if f.gpu+f.driver+f.gcc+f.clang+f.msvc+f.os == "" {
		if err := fromMachine(cmd, f, &q); err != nil {
			return err
		}
	}
	s, err := compat.Solve(q)
	if err != nil {
		return usageError{err}
	}
	if err := writeAnswer(cmd.OutOrStdout(), as, "solution", s, showSolution); err != nil {
		return err
	}
	if len(s.Fits) == 0 {
		return codeError(exitFindings)
	}
	return nil
}

// fromMachine fills the query from this machine, or from the one that was named.
func fromMachine(cmd *cobra.Command, f solveFlags, q *compat.Query) error {
	g, err := gather(cmd, f.machineFlags, "", false)
	if err != nil {
		return err
	}
	m := g.machine
	q.OS = map[string]string{fact.Windows: "windows", fact.WSL2: "wsl2"}[m.System.Platform]
	q.Driver = choice.DriverVersion(m)
	if len(m.GPUs) > 0 {
		if cc, err := gpu.ParseCC(m.GPUs[0].CC.Value); err == nil {
			q.CC = cc
		}
	}
	if c := choice.DefaultCompiler(m); c != nil {
		v, _ := version.Find(c.Version.Value)
		switch c.Family {
		case "gcc":
			q.GCC = v
		case "clang":
			q.Clang = v
		case "msvc":
			q.MSVC = v
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "for this machine: %s\n", describeQuery(*q))
	return nil
}

func describeQuery(q compat.Query) string {
	var parts []string
	add := func(name string, v fmt.Stringer, zero bool) {
		if !zero {
			parts = append(parts, name+" "+v.String())
		}
	}
	add("driver", q.Driver, q.Driver.IsZero())
	add("compute capability", q.CC, q.CC.IsZero())
	add("gcc", q.GCC, q.GCC.IsZero())
	add("clang", q.Clang, q.Clang.IsZero())
	add("cl", q.MSVC, q.MSVC.IsZero())
	if len(parts) == 0 {
		return "no driver, GPU or compiler known"
	}
	return strings.Join(parts, ", ")
}
