package compat

import (
	"fmt"
	"strings"

	"cupel/data"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

// compilerName is a command or a product with its version: gcc-14, x86_64-linux-gnu-g++-14, clang-18, vs2022,
// Visual Studio 17.10.
var compilerName = pattern.New(`(?i)^(?:\w+-)*?(gcc|g\+\+|clang\+\+|clang|msvc|cl|vs|visual ?studio)[- ]*v?(\d[\d.]*)$`)

// ParseCompiler reads the version of a compiler of a family, alone or behind the compiler's name.
func ParseCompiler(family, text string) (version.V, error) {
	m := compilerName.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return version.Parse(strings.TrimSpace(text))
	}
	if named := familyOf(m[1]); named != family {
		return version.V{}, fmt.Errorf("%q is of the family %s, not %s", text, named, family)
	}
	return version.Parse(m[2])
}

func familyOf(word string) string {
	switch w := strings.ToLower(word); {
	case w == "gcc" || w == "g++":
		return "gcc"
	case strings.HasPrefix(w, "clang"):
		return "clang"
	}
	return "msvc"
}

// MSVCByStudio finds the compilers of a Visual Studio by its year (2022) or version (17.10, 17). The answer
// stands for a span of the table and carries the first compiler of it; for a year or a major it is the newest
// span.
func MSVCByStudio(v version.V) (MSVC, bool) {
	best := data.MSVC{}
	for _, r := range data.MSVCs() {
		first := parse(r.StudioMin)
		year := v.Parts() == 1 && strings.HasSuffix(r.Studio, " "+v.String())
		major := v.Parts() == 1 && v.Major() == first.Major()
		if year || major || (v.Major() == first.Major() && v.AtLeast(first)) {
			best = r
		}
	}
	return MSVCByMSC(best.MSCMin)
}

// spanNote says which compilers an answer about a Visual Studio stands for.
func spanNote(v version.V, m MSVC) string {
	if m.MSCVer == v.Major() || m.Toolset.Major() == v.Major() || m.Cl.Major() == v.Major() {
		return ""
	}
	note := fmt.Sprintf("judged for %s %s (toolsets %s to %s)", m.Studio, m.Span, m.Toolset, lastToolset(m))
	if before, ok := MSVCByMSC(m.MSCVer - 1); ok && before.Studio == m.Studio && v.Parts() == 1 {
		note += fmt.Sprintf("; older updates (%s) are asked about by their toolset, for instance %s", before.Span, before.Toolset)
	}
	return note
}

// lastToolset is the end of the span that begins with a compiler.
func lastToolset(m MSVC) version.V {
	for _, r := range data.MSVCs() {
		if r.MSCMin == m.MSCVer {
			return parse(r.ToolsetMax)
		}
	}
	return m.Toolset
}
