package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

type solveFlags struct {
	machineFlags
	gpu, driver, gcc, clang, msvc, os, toolkit string
}

func compatSolve() *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Which toolkits fit a GPU, a driver and a compiler, best first",
		Long: `Lists the toolkits that fit what is given, best first, and for every other one the reason it falls out. What is
not given is taken from this machine, unless anything of a machine is named on the command line. Of the
compilers of a machine one that fits is enough, and the answer names it.`,
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
	fs.StringVar(&f.msvc, "msvc", "", "MSVC toolset (14.44), cl (19.44), _MSC_VER (1944) or Visual Studio (17.14, 2022)")
	fs.StringVar(&f.os, "os", "", "linux, windows or wsl2; by driver and compiler when not given, else linux")
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
		{"driver", f.driver, &q.Driver, version.Parse}, {"gcc", f.gcc, &q.GCC, compilerParser("gcc")},
		{"clang", f.clang, &q.Clang, compilerParser("clang")}, {"msvc", f.msvc, &q.MSVC, compilerParser("msvc")},
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
	return writeAnswer(cmd.OutOrStdout(), as, "solution", s, showSolution)
}

func compilerParser(family string) func(string) (version.V, error) {
	return func(text string) (version.V, error) { return compat.ParseCompiler(family, text) }
}

// fromMachine fills the query from this machine, or from the one that was named.
func fromMachine(cmd *cobra.Command, f solveFlags, q *compat.Query) error {
	g, err := gather(cmd, f.machineFlags, gatherOptions{})
	if err != nil {
		return err
	}
	m := g.machine
	q.OS = cmp.Or(map[string]string{fact.Windows: "windows", fact.WSL2: "wsl2"}[m.System.Platform], "linux")
	q.Driver = choice.DriverVersion(m)
	if len(m.GPUs) > 0 {
		if cc, err := gpu.ParseCC(m.GPUs[0].CC.Value); err == nil {
			q.CC = cc
		}
	}
	q.Compilers = installed(m)
	fmt.Fprintf(cmd.ErrOrStderr(), "for this machine: %s\n", describeQuery(*q))
	return nil
}

// installed lists the compilers that nvcc can work with at all: the default one, then others of its family,
// newest first.
func installed(m fact.Machine) []compat.Installed {
	var list []compat.Installed
	family := ""
	for _, c := range m.Compilers {
		v, found := version.Find(c.Version.Value)
		if !found {
			v, _ = version.Parse(c.Version.Value)
		}
		if !choice.Usable(m, c) || c.Target == "x86" || v.IsZero() {
			continue
		}
		list = append(list, compat.Installed{Command: c.Command, Family: c.Family, Version: v, Default: c.Default})
		if c.Default {
			family = c.Family
		}
	}
	slices.SortStableFunc(list, func(a, b compat.Installed) int {
		return cmp.Or(first(a.Default, b.Default), first(a.Family == family, b.Family == family), b.Version.Compare(a.Version))
	})
	return list
}

// first orders what holds before what does not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
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
	for _, c := range q.Compilers {
		if !slices.Contains(parts, c.String()) {
			parts = append(parts, c.String())
		}
	}
	if len(parts) == 0 {
		return "no driver, GPU or compiler known"
	}
	return strings.Join(parts, ", ")
}
