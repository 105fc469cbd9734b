package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
	"cupel/internal/snapshot"
	"cupel/internal/verify"
)

// contractFlags say which project is judged, on which machine, as which platform; verify, plan and lock share
// them.
type contractFlags struct {
	machineFlags
	project  string
	as       string
	compiler string
}

func (f *contractFlags) add(fs *pflag.FlagSet) {
	f.machineFlags.add(fs)
	fs.StringVar(&f.project, "project", "", "the project's `DIR` (default: the nearest folder with a cupel.toml)")
	fs.StringVar(&f.as, "as", "", "which platform's demands hold: ci, linux, windows, wsl2 (default: what the machine is)")
	fs.StringVar(&f.compiler, "host-compiler", "", "the host compiler the build is told to use (g++-12; default: what nvcc takes)")
}

// judged is what verify, plan and lock start from.
type judged struct {
	workspace
	gathered
	input    verify.Input
	compiler *fact.Compiler // --host-compiler; nil: what nvcc takes by itself
}

// verifyInput gathers everything verify decides from.
func verifyInput(cmd *cobra.Command, f contractFlags) (verify.Input, error) {
	j, err := gatherContract(cmd, f)
	return j.input, err
}

// gatherContract reads the project of this machine's folder and the machine that is judged: this one, a saved or
// a recorded one.
func gatherContract(cmd *cobra.Command, f contractFlags) (judged, error) {
	here := look.New(host.Here())
	w, err := needWorkspace(cmd, here.Host, f.project)
	if err != nil {
		return judged{}, err
	}
	g, err := gather(cmd, f.machineFlags, gatherOptions{contract: w.contract, dir: w.root})
	if err != nil {
		return judged{}, err
	}
	if f.host != "" || f.snapshot != "" {
		g.project = project.Survey(cmd.Context(), here, w.root)
	}
	project.Ask(cmd.Context(), here, w.root, w.contract, &g.project)
	platform, err := verify.PlatformOf(g.machine, f.as)
	if err != nil {
		return judged{}, usageError{err}
	}
	in := verify.Input{
		Contract: w.contract, Machine: g.machine, Project: g.project, Platform: platform, Version: Version,
		Choice: w.choices(f.toolkit, g.machine.System, platform), Host: f.compiler, Flags: f.asText(), Asked: f.host == "" && f.snapshot == "",
	}
	in.Choice.Env = g.machine.Env["CUPEL_TOOLKIT"]
	in.Reference, in.RefWhy = reference(here, w)
	j := judged{workspace: w, gathered: g, input: in}
	if f.compiler != "" {
		// One that is not there would leave the answer to be about another one.
		j.compiler, err = compilerNamed(g.machine, f.compiler)
	}
	return j, err
}

// reference loads the saved snapshot of the machine that decides.
func reference(a *look.At, w workspace) (*fact.Machine, string) {
	file := string(w.contract.Reference.Snapshot)
	if file == "" {
		return nil, ""
	}
	var m fact.Machine
	b, err := head(a, a.Path.Join(w.root, file), snapshot.MaxSize+1)
	if err == nil {
		m, err = snapshot.Parse(b)
	}
	if err != nil {
		return nil, file + ": " + look.Reason(err)
	}
	return &m, ""
}

// chosenToolkit is the one the project would build with.
func (j judged) chosenToolkit() choice.Pick {
	_, chosen := choice.Toolkit(j.machine, j.input.Choice)
	return chosen
}

// wishes is the project the current folder lies in. The doctor and env serve a project whose contract is broken
// too: they say so and go on without it. A recorded host has its own folders, and none of them is here.
func wishes(cmd *cobra.Command, f machineFlags) workspace {
	if f.host != "" {
		return workspace{}
	}
	w, err := openWorkspace(host.Here(), "", shown)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel: the project's wishes are left out: %v (see: cupel verify)\n", err)
		return workspace{}
	}
	return w
}
