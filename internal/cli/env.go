package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/choice"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/profile"
	"cupel/internal/verify"
	"cupel/internal/version"
)

type envFlags struct {
	machineFlags
	compiler string
	archs    []string
	runtime  bool
	cc       bool
	ccbin    bool
	persist  string
	undo     string
	force    bool
}

func newEnv() *cobra.Command {
	var f envFlags
	formats := append([]string{"auto", "json"}, environ.Formats...)
	cmd := &cobra.Command{
		Use:   "env",
		Short: "The environment of the chosen toolkit, for a shell or a build tool",
		Long: `Prints the variables with which every kind of build finds the chosen toolkit: roots, compilers, libraries and
architectures under each name that a tool reads. What was decided and why goes to stderr as comments of the
format, or with --json into the answer.

--persist keeps it: in the start file of a shell (bash, zsh, fish), in the project's .cargo/config.toml (cargo:
beside the workspace's Cargo.toml, from any folder below it), or on Windows in the user's part of the registry
(registry). --undo takes it out again, byte for byte. A place holds one environment: that of a build, or with
--runtime that of a running program.

A shell that ran it before for another toolkit loses what only that one set (noted in CUPEL_ENV_SET and
CUPEL_ENV_DIRS_*). --runtime only adds. The cargo format has no PATH: cargo can be given a whole list only, and
the PATH of this shell does not belong into a file that others use.`,
		Example: `  eval "$(cupel env)"                              bash, zsh
  cupel env --format fish | source
  cupel env --format powershell | Out-String | Invoke-Expression
  cupel env --toolkit 12.4 --host-compiler g++-12
  cupel env --runtime --format systemd > /etc/myservice.env
  cupel env --format cmake-preset > CMakeUserPresets.json       then: cmake --preset cupel
  cupel env --persist bash
  cupel env --undo bash`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runEnv(cmd, f) },
	}
	f.add(cmd.Flags())
	fs := cmd.Flags()
	fs.StringVar(&f.compiler, "host-compiler", "", "the host compiler: a command (g++-12) or a path")
	fs.StringSliceVar(&f.archs, "arch", nil, "architectures to build for (86, sm_90a; default: the GPUs here)")
	fs.BoolVar(&f.runtime, "runtime", false, "only what a running program needs; never a stubs folder")
	fs.BoolVar(&f.cc, "cc", false, "set CC and CXX too")
	fs.BoolVar(&f.ccbin, "ccbin", false, "set NVCC_CCBIN even when the default compiler fits")
	fs.StringVar(&f.persist, "persist", "", "keep it in `PLACE`: bash, zsh, fish, cargo, registry")
	fs.StringVar(&f.undo, "undo", "", "take it out of `PLACE` again")
	fs.BoolVar(&f.force, "force", false, "with --persist or --undo: also over what was changed by hand, or the other kind of environment")
	fs.String("format", "auto", "shell or tool: "+strings.Join(formats, "|"))
	fs.Bool("json", false, "short for --format json")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"persist", "undo"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(places(), cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

func runEnv(cmd *cobra.Command, f envFlags) error {
	as, err := format(cmd, append([]string{"auto", "json"}, environ.Formats...)...)
	if err != nil {
		return err
	}
	if err := checkPlace(f, as); err != nil {
		return err
	}
	if f.undo != "" {
		return undoEnv(cmd, f, as)
	}
	set, m, err := computeEnv(cmd, f)
	if err != nil {
		return err
	}
	if f.persist != "" {
		return persistEnv(cmd, f, set, as)
	}
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), envAnswer(set))
	}
	if as == "auto" {
		as = defaultFormat(m.System.OS)
	}
	b, err := environ.Format(set, as, m.Env)
	if err != nil {
		return err
	}
	for _, n := range append(set.Notes, environ.FormatNotes(set, as)...) {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel env: %s\n", n)
	}
	_, err = cmd.OutOrStdout().Write(b)
	return err
}

// checkPlace: a place has its own language, and one thing is done to one place.
func checkPlace(f envFlags, as string) error {
	switch {
	case f.persist != "" && f.undo != "":
		return usage("--persist and --undo exclude each other")
	case f.persist+f.undo != "" && as != "auto" && as != "json":
		return usage("--format %s and --persist or --undo exclude each other: what is kept has the form of its place", as)
	}
	return nil
}

func envAnswer(set environ.Set) any {
	return struct {
		Format   string `json:"format"`
		Cupel    string `json:"cupel"`
		Findings []any  `json:"findings"`
		environ.Set
	}{"cupel.env/1", Version, []any{}, set}
}

func defaultFormat(os string) string {
	if os == "windows" {
		return "powershell"
	}
	return "sh"
}

// noToolkit: there is none that could be meant.
type noToolkit struct {
	reason  string
	install string // the command that brings one
}

func (e noToolkit) Error() string {
	return "no toolkit to make an environment for: " + e.reason + " (see: cupel doctor)"
}

// chosenEnv is an environment with what it was made from.
type chosenEnv struct {
	gathered
	workspace
	toolkit  fact.Toolkit
	compiler *fact.Compiler // --host-compiler; nil: none was named
	set      environ.Set
}

// computeEnv gathers, chooses and computes; a machine without a toolkit is an error with the next command.
func computeEnv(cmd *cobra.Command, f envFlags) (environ.Set, fact.Machine, error) {
	c, err := chooseEnv(cmd, f)
	return c.set, c.machine, err
}

func chooseEnv(cmd *cobra.Command, f envFlags) (chosenEnv, error) { return chooseEnvOn(cmd, nil, f) }

// chooseEnvOn asks another host than the one that the flags name; nil: that one.
func chooseEnvOn(cmd *cobra.Command, on host.Host, f envFlags) (chosenEnv, error) {
	c := chosenEnv{workspace: wishes(cmd, f.machineFlags)}
	var err error
	if c.gathered, err = gather(cmd, f.machineFlags, gatherOptions{contract: c.contract, on: on}); err != nil {
		return c, err
	}
	if err := checkPythons(f, c.machine); err != nil {
		return c, err
	}
	platform, _ := verify.PlatformOf(c.machine, "")
	asked := c.choices(f.toolkit, c.machine.System, platform)
	asked.Env = c.machine.Env["CUPEL_TOOLKIT"]
	_, chosen := choice.Toolkit(c.machine, asked)
	if chosen.Toolkit == nil {
		return c, noToolkit{chosen.Reason, c.installing(cmp.Or(f.toolkit, asked.Env, c.choice))}
	}
	c.toolkit = *chosen.Toolkit
	opt := environ.Options{CCAndCXX: f.cc, NvccCCBin: f.ccbin, Runtime: f.runtime, Root: c.root}
	if c.contract != nil {
		r := c.contract.For(platform)
		opt.Contract = &r
	}
	if f.compiler != "" {
		if c.compiler, err = compilerNamed(c.machine, f.compiler); err != nil {
			return c, err
		}
		opt.Compiler = c.compiler
	}
	for _, text := range f.archs {
		arch, err := gpu.ParseArch(text)
		if err != nil {
			return c, usage("--arch: %v", err)
		}
		opt.Archs = append(opt.Archs, arch)
	}
	c.set = environ.For(c.machine, c.toolkit, opt)
	return c, nil
}

// installing is the command that brings the toolkit which was asked for. Where nobody named a release, install would ask for one.
func (c chosenEnv) installing(word string) string {
	rel, err := version.ParseRelease(word)
	switch {
	case err == nil && rel.Parts() >= 2:
		return "cupel toolkit install " + word
	case word == "" && c.release(platformHere()) != "":
		return "cupel toolkit install"
	}
	return "cupel toolkit search"
}

// checkPythons: an interpreter that was named and cannot be looked into would be left out without a word.
func checkPythons(f envFlags, m fact.Machine) error {
	if len(f.pythons)+len(f.conda) == 0 || f.snapshot != "" {
		return nil
	}
	for _, p := range m.Pythons {
		if !p.Version.Known() && len(p.Site) == 0 {
			return usage("--python or --conda-env %s: %s", p.Path, p.Version.Why)
		}
	}
	return nil
}

// compilerNamed finds a compiler by command, path or version (gcc-12, 12).
func compilerNamed(m fact.Machine, name string) (*fact.Compiler, error) {
	s := m.System.Paths()
	var have []string
	for i, c := range m.Compilers {
		have = append(have, c.Command)
		if c.Command == name || s.Same(c.Path, name) || (c.Real != "" && s.Same(c.Real, name)) || strings.Replace(name, "gcc", "g++", 1) == c.Command {
			return &m.Compilers[i], nil
		}
	}
	return nil, usage("no host compiler %q was found here; found: %s", name, strings.Join(have, ", "))
}

func target(f envFlags, place string) (profile.Target, error) {
	if !slices.Contains(profile.Kinds, profile.Kind(place)) {
		return profile.Target{}, usage("no environment can be kept in %q: it is one of %s", place, strings.Join(places(), ", "))
	}
	if profile.Kind(place) == profile.Registry && runtime.GOOS != "windows" {
		return profile.Target{}, usage("the registry is on Windows only: bash, zsh, fish or cargo can be named here")
	}
	a := look.New(host.Here())
	home, _ := os.UserHomeDir() // of the variables, as the shells go by it: no other user's start file is written
	t, err := profile.For(profile.Kind(place), home, os.Getenv("XDG_CONFIG_HOME"), a.System.Cwd, look.CupelHome(a))
	t.Force = f.force
	return t, err
}

func places() []string {
	var list []string
	for _, k := range profile.Kinds {
		list = append(list, string(k))
	}
	return list
}

func persistEnv(cmd *cobra.Command, f envFlags, set environ.Set, as string) error {
	if f.snapshot != "" || f.host != "" {
		return usage("--persist is about this machine: it excludes --snapshot and --host")
	}
	t, err := target(f, f.persist)
	if err != nil {
		return err
	}
	r, err := profile.Persist(t, set)
	if err != nil {
		return hintForce(err)
	}
	return report(cmd, r, as, append(set.Notes, environ.FormatNotes(set, f.persist)...))
}

func undoEnv(cmd *cobra.Command, f envFlags, as string) error {
	t, err := target(f, f.undo)
	if err != nil {
		return err
	}
	r, err := profile.Undo(t)
	if errors.Is(err, profile.ErrNothing) {
		return fmt.Errorf("%w: %s", profile.ErrNothing, t.Place())
	}
	if err != nil {
		return hintForce(err)
	}
	return report(cmd, r, as, nil)
}

func hintForce(err error) error {
	switch {
	case errors.Is(err, profile.ErrEdited):
		return fmt.Errorf("%w; --force overwrites it", err)
	case errors.Is(err, profile.ErrOther):
		return fmt.Errorf("%w; take it out with --undo first, or replace it with --force", err)
	}
	return err
}

func report(cmd *cobra.Command, r profile.Report, as string, notes []string) error {
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), map[string]any{"format": "cupel.env/1", "cupel": Version, "findings": []any{}, "report": r})
	}
	for _, line := range r.Done {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", r.Path, line)
	}
	for _, line := range append(r.Notes, notes...) {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel env: %s\n", line)
	}
	if !r.Changed {
		fmt.Fprintf(cmd.OutOrStdout(), "%s was right already\n", r.Path)
	}
	return nil
}
