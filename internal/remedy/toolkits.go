package remedy

import (
	"cmp"
	"fmt"
	"slices"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// toolkits are the toolkits a plan may end with: the one that is chosen now, the others that are installed, and
// every release inside the contract's bands that can be got here.
func (s *search) toolkits(in verify.Input) []option {
	bands := in.Contract.For(in.Platform).Toolkit
	var out []option
	if t := toolkitOf(in); t == nil || s.compiles(in.Machine, choice.Release(*t), t.Origin) {
		out = append(out, option{key: "toolkit as it is", cost: weight{wDistance: rank(bands, chosen(in))}.plus(s.demand(in, chosen(in)))})
	}
	for i, t := range in.Machine.Toolkits {
		rel := choice.Release(t)
		if t.Has(fact.PartNvcc) && asked(in, rel, t.Root) && s.compiles(in.Machine, rel, t.Origin) {
			cost := weight{wSwitch: 1, wOrder: i}.plus(ranked(bands, rel)).plus(s.demand(in, rel))
			out = append(out, option{key: t.Home(), use: true, apply: useToolkit(t.Root), cost: cost})
		}
	}
	completed := s.completions(in, bands)
	return slices.Concat(out, completed, s.installable(in, bands, len(completed) > 0))
}

// compiles: the toolkit's headers take the C library of the machine, or conda's compiler, which brings one of its own,
// is the default. What does not is remembered as a reason.
func (s *search) compiles(m fact.Machine, rel version.V, origin string) bool {
	if c := choice.DefaultCompiler(m); c != nil && c.Origin == "conda" {
		return true
	}
	glibc := parsed(m.System.Glibc)
	limit, clash := compat.GlibcTooNew(rel, glibc, origin)
	if clash && s.newestClash.Less(rel) {
		c := verify.Check{Key: "toolkit"}
		c.ID, c.What = "glibc-too-new", fmt.Sprintf("glibc %s is newer than the headers of CUDA %s compile with, which is %s", glibc, rel.Short(), limit.Max)
		s.newestClash, s.blamed[c.ID] = rel, c
	}
	return !clash
}

// chosen is the release of the toolkit that is chosen on the machine; zero when there is none.
func chosen(in verify.Input) version.V {
	if t := toolkitOf(in); t != nil {
		return choice.Release(*t)
	}
	return version.V{}
}

func toolkitOf(in verify.Input) *fact.Toolkit { return pickOf(in).Toolkit }

// pickOf chooses as verify does.
func pickOf(in verify.Input) choice.Pick {
	opt := in.Choice
	opt.Env = cmp.Or(opt.Env, in.Machine.Env["CUPEL_TOOLKIT"])
	if r := in.Contract.For(in.Platform).Toolkit.Recommended; r != nil && opt.Recommended == "" {
		opt.Recommended = r.Version.String()
	}
	_, pick := choice.Toolkit(in.Machine, opt)
	return pick
}

// asked: a person who names a toolkit wants no other.
func asked(in verify.Input, rel version.V, root string) bool {
	if in.Choice.Flag == "" || in.Choice.Flag == root {
		return true
	}
	want, err := version.ParseRelease(in.Choice.Flag)
	return err == nil && want.Covers(rel)
}

func useToolkit(root string) func(*verify.Input) {
	return func(in *verify.Input) { in.Choice.Flag = root }
}

// installable lists the releases that can be got, each by its cheapest way, with the other ways to the same X.Y.
func (s *search) installable(in verify.Input, bands contract.Bands, another bool) []option {
	g := s.grounds(in.Machine)
	var all []offer
	turn := map[string]int{} // source → its turn
	for _, o := range g.ways("toolkit") {
		if o.way.Does == DoInstall {
			own := g.shelf.choices(bands, func(v version.V) bool { return inside(bands, v) && asked(in, v, "") && s.compiles(g.m, v, "cupel") })
			turn = turns(own)
			for _, from := range own {
				all = append(all, g.brought(o, from, bands))
			}
			continue
		}
		for _, rel := range g.releases(o, bands) {
			if asked(in, rel, "") && keepsTorch(in.Machine, o, rel) && s.compiles(g.m, rel, "") {
				all = append(all, g.fill(o, rel))
			}
		}
	}
	var out []option
	for i, o := range all {
		cost := o.weight().plus(s.hands(o)).plus(installed(bands, o.release)).plus(s.demand(in, o.release))
		if another {
			cost[wAnother] = 1
		}
		if !recommended(bands, o.release) {
			cost[wSource] = turn[o.from]
		}
		out = append(out, option{key: "CUDA " + o.release.String(), use: true, offer: &all[i], alts: others(all, o), cost: cost, apply: addToolkit(madeUp(in.Machine, o))})
	}
	return out
}

// keepsTorch: a conda environment whose torch was built for one major is not moved to another.
func keepsTorch(m fact.Machine, o offer, rel version.V) bool {
	prefix := m.Env["CONDA_PREFIX"]
	if !slices.Contains(o.way.NeedsVariable, "CONDA_PREFIX") || prefix == "" {
		return true
	}
	return !slices.ContainsFunc(m.Pythons, func(p fact.Python) bool {
		return p.TorchCUDA.Known() && m.System.Paths().Within(p.Path, prefix) && parsed(p.TorchCUDA).Major() != rel.Major()
	})
}

// others are the ways to the same X.Y: each one is enough.
func others(all []offer, o offer) []offer {
	var out []offer
	for _, x := range all {
		if x.way.ID != o.way.ID && x.way.Group == o.way.Group && x.release.Short() == o.release.Short() &&
			!slices.ContainsFunc(out, func(y offer) bool { return y.way.ID == x.way.ID }) {
			out = append(out, x)
		}
	}
	return out
}

// releases are the newest update of each X.Y that a way gives inside the bands; where the way can give any
// update, the recommended one before that.
func (g grounds) releases(o offer, bands contract.Bands) []version.V {
	var out []version.V
	for _, v := range g.given(o) {
		if !inside(bands, v) || o.way.NeedsInstaller && fileDriver(v) == "" {
			continue
		}
		last := len(out) - 1
		switch {
		case last < 0 || out[last].Short() != v.Short():
			out = append(out, v)
		case out[last].Less(v) && !(o.way.Exact && recommended(bands, out[last]) && !recommended(bands, v)):
			out[last] = v
		}
	}
	return out
}

// given lists the releases of a way, oldest first.
func (g grounds) given(o offer) []version.V {
	var out []version.V
	if len(o.way.Releases) > 0 {
		for _, r := range o.way.Releases {
			v, _ := version.Parse(r)
			out = append(out, v)
		}
		return out
	}
	first, _ := version.Parse(o.way.First)
	last, _ := version.Parse(o.way.Last)
	if r := g.repo(o.way); r != nil && o.way.NeedsRepo {
		first, _ = version.Parse(r.First)
	}
	for _, r := range compat.Releases() {
		v, _ := version.Parse(r.Version)
		if !r.Preview && v.AtLeast(first) && (last.IsZero() || !last.Less(v.Cut(last.Parts()))) && published(r.Platforms, g.m.System) {
			out = append(out, v)
		}
	}
	return out
}

// published: NVIDIA has files of the release for the machine. A release that names no platforms is taken to.
func published(platforms []string, sys fact.System) bool {
	os := map[bool]string{true: "windows-", false: "linux-"}[sys.OS == fact.Windows]
	names := map[string][]string{"amd64": {os + "x86_64"}, "arm64": {os + "sbsa", os + "arm64"}}[sys.Arch]
	return len(platforms) == 0 || slices.ContainsFunc(platforms, func(p string) bool { return slices.Contains(names, p) })
}
