package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/hostcompiler"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// compilerTrouble is a host compiler that could not be had; the toolkit is installed.
type compilerTrouble struct{ err error }

func (e compilerTrouble) Error() string { return "bring a host compiler: " + e.err.Error() }
func (e compilerTrouble) Unwrap() error { return e.err }

// hostCompiler brings a gcc that the toolkit accepts, unless one is here.
func (j *install) hostCompiler() error {
	if j.answer.Plan.Platform != platformHere() {
		return compilerTrouble{fmt.Errorf("the toolkit is for %s: its host compiler is a matter of that machine", j.answer.Plan.Platform)}
	}
	release, err := version.Parse(j.answer.Plan.Release)
	if err != nil {
		return err
	}
	have, err := j.fittingHere()
	if err != nil || have != nil {
		return err
	}
	report, end := showProgress(j.cmd.ErrOrStderr())
	defer end()
	i := hostcompiler.Installer{Depot: j.depot, Cupel: Version, Here: platformHere(), Report: report}
	plan, err := i.Plan(j.ctx, hostcompiler.Want{Majors: acceptedGCC(release), For: "CUDA " + j.answer.Plan.Release})
	if err != nil {
		return compilerTrouble{err}
	}
	out, err := i.Install(j.ctx, plan)
	end()
	if err != nil {
		return compilerTrouble{err}
	}
	j.answer.Compiler = &render.HostCompiler{Family: "gcc", Command: out.Command, Version: out.Version, Already: out.Already, Proof: append([]string{}, out.Proof...)}
	return nil
}

// fittingHere surveys the machine as it is now and looks for a compiler that the new toolkit accepts.
func (j *install) fittingHere() (*fact.Compiler, error) {
	g, err := gather(j.cmd, machineFlags{toolkit: j.answer.Root}, gatherOptions{})
	if err != nil {
		return nil, err
	}
	_, chosen := choice.Toolkit(g.machine, choice.Options{Flag: j.answer.Root})
	if chosen.Toolkit == nil {
		return nil, nil
	}
	best, _, _ := choice.FittingCompiler(g.machine, *chosen.Toolkit)
	if best != nil {
		j.answer.Compiler = &render.HostCompiler{Family: best.Family, Command: best.Command, Version: best.Version.Value, Already: true, Proof: []string{}}
	}
	return best, nil
}

// proofCompiler is the host compiler for the proof where nvcc would find none by itself but a fitting one is here, such
// as g++-12 alone; "" leaves it to nvcc. Windows is left out: cl works only in the environment of its own toolset.
func (j *install) proofCompiler(p resolve.Plan) string {
	if p.Platform != platformHere() || p.Platform.Windows() {
		return ""
	}
	if _, err := exec.LookPath("g++"); err == nil {
		return ""
	}
	g, err := gather(j.cmd, machineFlags{}, gatherOptions{})
	if err != nil {
		return ""
	}
	best, _, _ := choice.FittingCompiler(g.machine, fact.Toolkit{Release: fact.Of(p.Release, p.Source)})
	if best == nil {
		return ""
	}
	return best.Path
}

// acceptedGCC lists the majors of gcc that a release accepts, newest first.
func acceptedGCC(release version.V) []int {
	b, _ := compat.HostBounds(release)
	var out []int
	for major := b.GCCMax; major > 0 && major >= b.GCCMin; major-- {
		out = append(out, major)
	}
	return out
}

func noCompiler(j *install, err error, f *finding.Finding) bool {
	var trouble compilerTrouble
	if !errors.As(err, &trouble) {
		return false
	}
	f.ID, f.What, f.Why = "host-compiler-not-installed", "the toolkit is installed, a host compiler for it is not", trouble.err.Error()
	cannotBring(trouble.err, f)
	f.Next = append(f.Next, finding.Step{Command: "cupel compat toolkit " + j.answer.Plan.Release, Note: "which compilers it accepts"})
	return true
}

// cannotBring: what a person can do stands in next, not in why.
func cannotBring(err error, f *finding.Finding) bool {
	var none hostcompiler.Unavailable
	if !errors.As(err, &none) {
		return false
	}
	f.Why = "no source has " + none.What
	if len(none.Why) > 0 {
		f.Why += ": " + strings.Join(none.Why, "; ")
	}
	for _, c := range none.Next {
		f.Next = append(f.Next, finding.Step{Command: c})
	}
	return true
}
