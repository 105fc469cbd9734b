// Package choose decides which repairs a machine and a toolkit need, and what the permanent fix of each is. It reads facts
// and tables alone.
package choose

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/mend"
	"cupel/internal/version"
)

// Names are the repairs in the order in which they are made.
func Names() []string {
	var names []string
	for _, r := range data.Mends() {
		names = append(names, r.Name)
	}
	return names
}

// For makes the plan of the wanted repairs (all of Names when wanted is empty). host is the compiler that was asked for by
// name, if one was. notes say which of them have nothing to do here, and why, and what they leave alone.
func For(m fact.Machine, t fact.Toolkit, host *fact.Compiler, wanted []string) (p mend.Plan, notes []string, err error) {
	if err := known(wanted); err != nil {
		return mend.Plan{}, nil, err
	}
	p.Windows = m.System.OS == fact.Windows
	for _, r := range data.Mends() {
		if len(wanted) > 0 && !slices.Contains(wanted, r.Name) {
			continue
		}
		note := needless(m, t, r)
		if note == "" {
			note = fill(&p, m, t, host, r)
		}
		if note != "" {
			notes = append(notes, r.Name+": "+note)
		}
	}
	return p, notes, nil
}

func known(wanted []string) error {
	for _, name := range wanted {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("choose repairs: there is none called %q: they are %s", name, strings.Join(Names(), ", "))
		}
	}
	return nil
}

// needless tells why a repair has nothing to do on the platform or with the release.
func needless(m fact.Machine, t fact.Toolkit, r data.Mend) string {
	if len(r.On) > 0 && !slices.Contains(r.On, m.System.Platform) {
		return fmt.Sprintf("nothing to do: it is for %s", strings.Join(r.On, ", "))
	}
	first, err := version.Parse(r.First)
	if err != nil {
		return ""
	}
	release := choice.Release(t)
	switch {
	case release.IsZero():
		return fmt.Sprintf("left out: the release of %s is not known, and only %s and newer need it", choice.Name(t), first)
	case !release.AtLeast(first):
		return fmt.Sprintf("nothing to do: %s and newer need it, this is %s", first, choice.Name(t))
	}
	return ""
}

// fill gives the plan what one repair needs; note says why it needs nothing, or what it leaves alone.
func fill(p *mend.Plan, m fact.Machine, t fact.Toolkit, host *fact.Compiler, r data.Mend) (note string) {
	switch r.Name {
	case mend.HostCompiler:
		p.Compilers, note = compilers(m, t, host)
	case mend.Arch:
		p.Archs, note = archs(t)
	default:
		if p.Flags == nil {
			p.Flags = map[string]string{}
		}
		p.Flags[r.Name] = because(t, r)
	}
	return note
}

// because is the reason that a change carries.
func because(t fact.Toolkit, r data.Mend) string {
	switch r.Name {
	case mend.ZcPreprocessor:
		return fmt.Sprintf("the C++ headers of CUDA %s and newer refuse cl.exe's traditional preprocessor; this is %s", r.First, choice.Name(t))
	case mend.MathDefines:
		return "MSVC's math.h has M_PI and its kin only where _USE_MATH_DEFINES is defined before it is included, and nvcc includes it first"
	}
	return "cl.exe has no -fPIC and nvcc.exe refuses it: Windows code can lie anywhere without it"
}

// archs: the targets that the toolkit knows, and those that only later ones do.
func archs(t fact.Toolkit) (*mend.Archs, string) {
	release := choice.Release(t)
	all := compat.ArchsOf(release)
	if len(all) == 0 {
		return nil, fmt.Sprintf("left out: it is not known which architectures %s has", choice.Name(t))
	}
	a := &mend.Archs{Toolkit: choice.Name(t)}
	for _, k := range all {
		a.Known = append(a.Known, k.Digits())
	}
	for _, row := range data.Archs() {
		if first, err := version.Parse(row.First); err == nil && first.Compare(release.Short()) > 0 {
			if a.Later == nil {
				a.Later = map[string]string{}
			}
			a.Later[strings.TrimPrefix(row.SM, "sm_")] = row.First
		}
	}
	return a, fmt.Sprintf("what %s no longer knows (older than %s) stays as it is: nothing that it makes runs there", choice.Name(t), all[0])
}

// Permanent tells how a project does without a repair: a sentence, and a command or a line to paste. replaced: the project's own
// call had what the repair replaced.
func Permanent(fix string, replaced bool) (text, paste string) {
	for _, r := range data.Mends() {
		switch {
		case r.Name == fix && replaced && r.Replaced != "":
			return r.Replaced, ""
		case r.Name == fix:
			return r.Permanent, r.Paste
		}
	}
	return "", ""
}
