package rule

import (
	"fmt"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

var glibcRules = []Rule{
	{ID: "glibc-too-new", Severity: finding.Error, Title: "the C library is newer than the toolkit's headers compile with", On: linuxLike, Check: glibcTooNew},
}

// glibcTooNew: the bounds of host_config.h say nothing about the C library. A compiler of conda's brings its own.
func glibcTooNew(in *Input) []finding.Finding {
	g := in.Machine.System.Glibc
	have, _ := version.Parse(g.Value)
	var out []finding.Finding
	for _, t := range in.subjects() {
		limit, clash := compat.GlibcTooNew(choice.Release(t), have, t.Origin)
		if c := in.Effective(t); !clash || c != nil && c.Origin == "conda" {
			continue
		}
		out = append(out, finding.Finding{
			What:     fmt.Sprintf("glibc %s is newer than the headers of %s compile with", have, name(t)),
			Where:    t.Root,
			Why:      fmt.Sprintf("both declare %s, glibc with noexcept: nvcc ends with \"exception specification is incompatible\" in every file that includes cmath; the headers compile up to glibc %s", limit.Function, limit.Max),
			Evidence: []finding.Evidence{evidence(g.Source, g.Value)},
			Next:     in.glibcHint(t, have),
		})
	}
	return out
}

// glibcHint names an installed toolkit that takes this C library, else the first release that does.
func (in *Input) glibcHint(t fact.Toolkit, glibc version.V) []finding.Step {
	for _, other := range in.Machine.Toolkits {
		if _, clash := compat.GlibcTooNew(choice.Release(other), glibc, other.Origin); !clash && choice.Complete(other) && other.Home() != t.Home() {
			return []finding.Step{command(in.evalEnv("--toolkit "+quote(other.Root)), fmt.Sprintf("%s compiles with glibc %s", name(other), glibc))}
		}
	}
	first := firstFor(glibc)
	return append(in.ownBetween(first, version.V{}), advice(fmt.Sprintf("use CUDA %s or newer, or build in a container of an older distribution", first)))
}

// firstFor is the oldest X.Y from which on no release clashes with a C library.
func firstFor(glibc version.V) version.V {
	var first version.V
	for _, r := range compat.Releases() {
		v, _ := version.Parse(r.Version)
		if _, clash := compat.GlibcTooNew(v, glibc, ""); clash {
			first = version.V{}
		} else if first.IsZero() && !r.Preview {
			first = v.Short()
		}
	}
	return first
}
