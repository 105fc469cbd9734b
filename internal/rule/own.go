package rule

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// What cupel itself can bring, for next: it needs no root, and what it does can be undone.

// upCommand meets the whole contract, where the project has one.
func (in *Input) upCommand() []finding.Step {
	if !in.hasContract() || !in.brings() {
		return nil
	}
	return []finding.Step{command("cupel up", "gets what cupel.toml asks for, without root, and builds")}
}

func (in *Input) hasContract() bool { return in.HasContract || in.ChosenOnly }

// brings: cupel has toolkits for this kind of machine. Jetson's are those of its JetPack.
func (in *Input) brings() bool {
	return slices.Contains([]string{fact.Linux, fact.WSL2, fact.Windows}, in.Machine.System.Platform)
}

// ownInstall installs the newest release that fits here; nothing where cupel has none.
func (in *Input) ownInstall() []finding.Step {
	if !in.brings() {
		return nil
	}
	return in.installOf(in.newestFor(func(version.V) bool { return true }))
}

// installOf is the command for one release; for none that can be told, where to look for one.
func (in *Input) installOf(rel version.V) []finding.Step {
	if rel.IsZero() {
		return []finding.Step{command("cupel toolkit search", "which releases cupel can install, without root")}
	}
	line := "cupel toolkit install " + rel.Short().String()
	t := standIn(rel)
	best, _, _ := choice.FittingCompiler(in.Machine, t)
	switch {
	case best == nil && in.ownGCC(t):
		return []finding.Step{command(line+" --with-host-compiler", "into your own folder, without root, with a gcc that it accepts")}
	case best != nil && len(choice.Fits(in.Machine, t)) == 0:
		return []finding.Step{command(line, "into your own folder, without root; it fits this machine")}
	}
	return []finding.Step{command(line, "into your own folder, without root")}
}

// askedFor gets the release that a variable names; of one named elsewhere only the words are known.
func (in *Input) askedFor() []finding.Step {
	v, err := version.ParseRelease(in.env("CUPEL_TOOLKIT"))
	switch {
	case !in.brings():
		return nil
	case in.Chosen.By != choice.ByEnv || err != nil || !in.offered(v):
		return []finding.Step{command("cupel toolkit search", "which releases cupel can install, without root")}
	}
	return []finding.Step{command("cupel toolkit install "+v.String(), "into your own folder, without root")}
}

// ownWhere is the command for the newest release that is taken; nothing where there is none.
func (in *Input) ownWhere(taken func(version.V) bool) []finding.Step {
	if rel := in.newestFor(taken); in.brings() && !rel.IsZero() {
		return in.installOf(rel)
	}
	return nil
}

// ownBetween is that for a release between two bounds; a zero one is none.
func (in *Input) ownBetween(first, last version.V) []finding.Step {
	return in.ownWhere(func(v version.V) bool {
		return (first.IsZero() || v.AtLeast(first)) && (last.IsZero() || !last.Short().Less(v.Short()))
	})
}

// sameRelease installs the X.Y of a toolkit that is here in a form it does not have.
func (in *Input) sameRelease(t fact.Toolkit, note string) []finding.Step {
	rel := short(t)
	if !in.brings() || rel.IsZero() || !in.offered(rel) {
		return nil
	}
	return []finding.Step{command("cupel toolkit install "+rel.String(), note)}
}

// ownCompiler brings a gcc that the toolkit accepts; for a toolkit that is not cupel's, with one of the same release.
func (in *Input) ownCompiler(t fact.Toolkit) []finding.Step {
	if !in.ownGCC(t) || !in.offered(short(t)) {
		return nil
	}
	note := "a gcc that it accepts, in your own folder, without root"
	if t.Origin != "cupel" {
		note = "the same release with a gcc that it accepts, in your own folder, without root"
	}
	return append(in.upCommand(), command("cupel toolkit install "+short(t).String()+" --with-host-compiler", note))
}

// newestFor is the newest release that is taken, that a source has for this machine, and that driver, GPUs and C library
// accept; one with a host compiler here before others, and one whose PTX the driver loads before those. Zero: none.
func (in *Input) newestFor(taken func(version.V) bool) version.V {
	var best version.V
	least := 0
	for _, r := range slices.Backward(compat.Releases()) {
		v := parseV(r.Version)
		if r.Preview || !taken(v) || !in.offered(v) {
			continue
		}
		if against, ok := in.against(v); ok && (best.IsZero() || against < least) {
			best, least = v, against
		}
		if !best.IsZero() && least <= in.atLeast() {
			break
		}
	}
	return best
}

// noCompiler is what a release without a host compiler here counts: more than PTX that is too new.
const noCompiler = 2

// atLeast is what speaks against every release: nothing is better than that.
func (in *Input) atLeast() int {
	if slices.ContainsFunc(in.Machine.Compilers, func(c fact.Compiler) bool { return choice.Usable(in.Machine, c) }) {
		return 0
	}
	return noCompiler
}

// against counts what speaks against a release and can be helped: no host compiler for it, and PTX too new for the
// driver. Not ok: driver, GPU or C library refuse it.
func (in *Input) against(v version.V) (count int, ok bool) {
	t := standIn(v)
	reasons := len(choice.Fits(in.Machine, t))
	if best, _, _ := choice.FittingCompiler(in.Machine, t); best == nil && reasons > 0 {
		count, reasons = noCompiler, reasons-1
	}
	if _, clash := compat.GlibcTooNew(v, parseV(in.Machine.System.Glibc.Value), "cupel"); clash || reasons > 0 {
		return 0, false
	}
	if level, _ := choice.Level(in.Machine); !level.IsZero() && level.Less(v.Short()) {
		count++
	}
	return count, true
}

// standIn is a release as a toolkit that is not here yet.
func standIn(v version.V) fact.Toolkit {
	return fact.Toolkit{Release: fact.Of(v.String(), "release table"), Parts: map[string]string{fact.PartNvcc: "nvcc"}}
}

// offered: the table of a source that needs nothing else first has the compiler of the release for this machine.
func (in *Input) offered(v version.V) bool {
	p := in.platform()
	return slices.ContainsFunc([]string{"redist", "pip"}, func(source string) bool {
		_, ok := resolve.Row(source, "nvcc", v, p)
		return ok && published(v, p)
	})
}

// published: NVIDIA has files of the release for the platform. A release that names no platforms is taken to.
func published(v version.V, p resolve.Platform) bool {
	r, ok := compat.Release(v)
	return ok && (len(r.Platforms) == 0 || slices.ContainsFunc(r.Platforms, func(n string) bool {
		q, err := resolve.ParsePlatform(n)
		return err == nil && q == p
	}))
}

func (in *Input) platform() resolve.Platform {
	os := "linux"
	if in.Machine.System.OS == fact.Windows {
		os = "windows"
	}
	return resolve.Platform{OS: os, Arch: in.Machine.System.Arch}
}

// ownGCC: cupel brings a gcc that the toolkit accepts, from packages of this distribution.
func (in *Input) ownGCC(t fact.Toolkit) bool {
	if !slices.Contains(linuxLike, in.Machine.System.Platform) {
		return false
	}
	return slices.ContainsFunc(in.gccMajors(), func(major int) bool {
		ok, _, _ := choice.CompilerFits(t, fact.Compiler{Family: "gcc", Version: fact.Of(fmt.Sprint(major), "distribution"), Cxx: true})
		return ok
	})
}

// gccMajors are those that the distribution has as packages, by the table of ways.
func (in *Input) gccMajors() []int {
	d := in.Machine.System.Distro.Value
	for _, s := range data.AllRemedies().Systems {
		if s.Manager == "apt" && slices.Contains(s.IDs, d.ID) && (s.Version == "" || parseV(s.Version).Covers(parseV(d.Version))) {
			return s.GCC
		}
	}
	return nil
}

// ownRepair mends a toolkit that cupel installed: what differs from its manifest, and the files again. Nothing for another
// one, and for a root that is only registered.
func ownRepair(t fact.Toolkit) []finding.Step {
	i := t.Installed
	if t.Origin != "cupel" || i == nil || i.Source == "local" || i.Name == "" {
		return nil
	}
	steps := []finding.Step{command("cupel toolkit verify "+quote(i.Name), "which files differ from what was installed")}
	if rel := choice.Release(t); !rel.IsZero() {
		steps = append(steps, command("cupel toolkit install "+rel.String()+" --from "+i.Source, "installs it again"))
	}
	return steps
}

// ownMore adds a component to the chosen toolkit, where cupel installed it and its source has the component.
func (in *Input) ownMore(word string) []finding.Step {
	t := in.Chosen.Toolkit
	if t == nil || t.Origin != "cupel" || t.Installed == nil {
		return nil
	}
	rel := choice.Release(*t)
	if _, ok := resolve.Row(t.Installed.Source, word, rel, in.platform()); !ok {
		return nil
	}
	line := strings.Join([]string{"cupel toolkit install", rel.String(), "--from", t.Installed.Source, "--with", word}, " ")
	return []finding.Step{command(line, "adds it to the toolkit that cupel installed")}
}
