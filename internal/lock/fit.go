package lock

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// fit is one lock held against a contract and a machine.
type fit struct {
	in   verify.Input
	ans  verify.Answer
	key  string
	part Platform
	file string
	out  []finding.Finding
}

// Check says whether a lock fits the contract as it is now and the machine that builds. A contract that was only
// reworded still fits.
func Check(file string, l *Lock, in verify.Input, ans verify.Answer) []finding.Finding {
	key := Key(in.Platform.Name, in.Machine.System.Arch)
	part, have, ok := l.For(key)
	f := &fit{in: in, ans: ans, key: have, part: part, file: file}
	if !ok {
		f.key = key
		f.add("lock-platform-missing", finding.Error, fmt.Sprintf("%s says nothing about %s", file, key), "it is locked on each platform, or from its snapshot",
			finding.Step{Command: "cupel lock", Note: "adds this platform and keeps the others"})
		return f.out
	}
	f.contract()
	f.toolkit()
	f.components()
	f.host()
	return f.out
}

func (f *fit) add(id string, severity finding.Severity, what, why string, next ...finding.Step) {
	f.out = append(f.out, finding.Finding{ID: id, Severity: severity, What: what, Where: f.file + ", platform." + f.key, Why: why, Next: next})
}

var again = finding.Step{Command: "cupel lock", Note: "locks what the contract says now"}

// contract holds the locked release and architectures against the contract.
func (f *fit) contract() {
	release, err := version.Parse(f.part.Toolkit.Release)
	if err != nil {
		return
	}
	if why := verify.Refusal(f.in.Contract.For(f.in.Platform).Toolkit, release); why != "" {
		f.add("lock-outside-contract", finding.Error, fmt.Sprintf("CUDA %s is locked, and %s does not allow it", release, f.in.Contract.File), why, again)
		return
	}
	want, have := archOf(f.in, f.part.Toolkit.Release), f.part.Arch
	switch {
	case !want.same(have):
		f.add("lock-arch-differs", finding.Error, fmt.Sprintf("%s is locked, and %s asks for %s", have, f.in.Contract.File, want), "the architectures of the contract changed since", again)
	case f.part.Contract != f.in.Contract.Sum:
		f.add("lock-contract-changed", finding.Info, f.in.Contract.File+" changed since it was locked; what is locked still fits it", "its sha256 is another", again)
	}
}

// toolkit holds the toolkit that would be used here against the locked one.
func (f *fit) toolkit() {
	t := f.ans.Chosen.Toolkit
	want := f.part.Toolkit
	switch {
	case t == nil:
		f.add("lock-toolkit-missing", finding.Error, fmt.Sprintf("CUDA %s is locked, and no toolkit would build here", want.Release), f.ans.Chosen.Reason, f.get(want.Release))
	case t.Release.Value != want.Release:
		why := strings.Join(append(f.ans.Chosen.Missed, f.ans.Chosen.Reason), "; ")
		f.add("lock-toolkit-differs", finding.Error, fmt.Sprintf("CUDA %s is locked, and %s would build here", want.Release, choice.Name(*t)), why, f.get(want.Release), here)
	case want.Nvcc != "" && t.Nvcc.Value != want.Nvcc:
		f.add("lock-nvcc-differs", finding.Error, fmt.Sprintf("nvcc %s is locked, and %s is in %s", want.Nvcc, orUnknown(t.Nvcc), t.Root), "another build of the compiler may make other code", f.otherBuild(want)...)
	}
}

// here is the other way out: a lock may be wrong, or out of date.
var here = finding.Step{Command: "cupel lock", Note: "locks what builds here instead, where it meets the contract"}

// get is the way to a release. Plan alone would say that the contract is met by another: it must be named.
func (f *fit) get(release string) finding.Step {
	for _, t := range f.in.Machine.Toolkits {
		if t.Release.Known() && t.Release.Value == release {
			return f.step("env", "--toolkit "+release, "it is installed, in "+t.Root)
		}
	}
	return f.step("plan", "--toolkit "+release, "how to get it here")
}

// otherBuild names the locked build of a release where it is installed besides.
func (f *fit) otherBuild(want Toolkit) []finding.Step {
	for _, t := range f.in.Machine.Toolkits {
		if t.Nvcc.Known() && t.Nvcc.Value == want.Nvcc {
			return []finding.Step{{Note: "the locked one is in " + t.Root + ": --toolkit takes the folder"}, here}
		}
	}
	return []finding.Step{here}
}

// step is a command with what was said on this one's line to find the machine's toolkits; a toolkit that was named
// there gives way to the locked one.
func (f *fit) step(command, flag, note string) finding.Step {
	said := strings.Replace(f.in.Flags, "--toolkit "+f.in.Choice.Flag, "", 1)
	return finding.Step{Command: strings.Join(strings.Fields("cupel "+command+" "+said+" "+flag), " "), Note: note}
}

// host: another major of the compiler is another compiler; within one the difference is told.
func (f *fit) host() {
	t := f.ans.Chosen.Toolkit
	if t == nil || f.part.Host == nil {
		return
	}
	want := *f.part.Host
	have := compilerOf(f.in, *t)
	if have == nil || !have.Version.Known() {
		f.add("lock-host-differs", finding.Error, fmt.Sprintf("%s %s is locked, and no host compiler is known here", want.Family, want.Version), "nvcc hands the host part of every file to it", f.switchTo(want)...)
		return
	}
	if have.Family == want.Family && have.Version.Value == want.Version {
		return
	}
	severity := finding.Error
	if have.Family == want.Family && major(have.Version.Value) == major(want.Version) {
		severity = finding.Warning
	}
	f.add("lock-host-differs", severity, fmt.Sprintf("%s %s is locked, and %s %s would build here", want.Family, want.Version, have.Family, have.Version.Value),
		"another host compiler may make other code", f.switchTo(want)...)
}

// switchTo names an installed compiler that is the locked one. Where it is not installed, plan does not know of it:
// it plans for the contract, which another compiler may meet.
func (f *fit) switchTo(want Host) []finding.Step {
	for _, c := range f.in.Machine.Compilers {
		if c.Family == want.Family && c.Version.Value == want.Version && c.Cxx {
			return []finding.Step{f.step("env", "--host-compiler "+c.Command, "it is installed")}
		}
	}
	return []finding.Step{{Note: fmt.Sprintf("install %s %s to build as locked", want.Family, want.Version)}, here}
}

func major(text string) string {
	v, err := version.Parse(text)
	if err != nil {
		return text
	}
	return v.Cut(1).String()
}

// same: an architecture, or the PTX that is kept with it, makes another program.
func (a *Arch) same(b *Arch) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Targets, b.Targets) && a.PTX == b.PTX
}

// String is the list as a person reads it.
func (a *Arch) String() string {
	switch {
	case a == nil:
		return "no list of architectures"
	case a.PTX == "":
		return strings.Join(a.Targets, " ")
	}
	return fmt.Sprintf("%s with ptx = %q", strings.Join(a.Targets, " "), a.PTX)
}

func orUnknown(f fact.Fact[string]) string {
	if f.Known() {
		return f.Value
	}
	return "an unknown one"
}
