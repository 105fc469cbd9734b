package lock

import (
	"slices"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/rule"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// Make locks what verify decided with: the part of one platform. Without a toolkit there is none, and the lock is
// empty.
func Make(in verify.Input, ans verify.Answer) Lock {
	l := Lock{Cupel: Version, Platforms: map[string]Platform{}}
	t := ans.Chosen.Toolkit
	if t == nil || !t.Release.Known() {
		return l
	}
	p := Platform{Contract: in.Contract.Sum, Toolkit: toolkitOf(*t), Components: componentsOf(*t), Arch: archOf(in, t.Release.Value)}
	if c := compilerOf(in, *t); c != nil && c.Version.Known() {
		p.Host = &Host{Family: c.Family, Version: c.Version.Value}
	}
	l.Platforms[Key(in.Platform.Name, in.Machine.System.Arch)] = p
	return l
}

func toolkitOf(t fact.Toolkit) Toolkit {
	out := Toolkit{Release: t.Release.Value, Source: t.Origin}
	if t.Nvcc.Known() {
		out.Nvcc = t.Nvcc.Value
	}
	if t.Installed != nil && t.Installed.Source != "local" {
		out.Source = t.Installed.Source // one that is only registered came as it came
	}
	if !slices.Contains(Sources, out.Source) {
		out.Source = "unknown"
	}
	return out
}

// componentsOf are the files that cupel made the toolkit of. One that has no name or checksum as a lock wants it is left
// out: it could not be compared.
func componentsOf(t fact.Toolkit) []Component {
	if t.Installed == nil {
		return nil
	}
	var out []Component
	for _, c := range t.Installed.Components {
		if made := Component(c); made.check(out) == nil {
			out = append(out, made)
		}
	}
	return out
}

// compilerOf is the one nvcc would be given, as verify sees it.
func compilerOf(in verify.Input, t fact.Toolkit) *fact.Compiler {
	r := &rule.Input{Machine: in.Machine, Project: in.Project}
	if in.Host != "" {
		return r.CompilerAt(in.Host)
	}
	return r.Effective(t)
}

// archOf is nil where the contract leaves the architectures to the machine: they are not the project's to lock.
func archOf(in verify.Input, release string) *Arch {
	v, err := version.Parse(release)
	if err != nil {
		return nil
	}
	targets := targets(in.Contract, in.Platform, v)
	if len(targets) == 0 {
		return nil
	}
	return &Arch{Targets: targets, PTX: in.Contract.Arch.PTX}
}

func targets(c *contract.Contract, p contract.Platform, release version.V) []string {
	list, _ := c.For(p).Targets(release)
	var out []string
	for _, a := range list {
		out = append(out, a.String())
	}
	return out
}
