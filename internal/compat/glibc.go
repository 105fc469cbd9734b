package compat

import (
	"slices"

	"cupel/data"
	"cupel/internal/version"
)

// GlibcLimit is the newest C library with which the headers of a release compile, and the function that newer ones
// declare in another way.
type GlibcLimit struct {
	Max      version.V
	Function string
	Source   []string
}

// GlibcTooNew says whether a toolkit's headers clash with a C library. Origin is that of the toolkit: where a
// distribution keeps its headers among the system's, nvcc takes both. What is not known is no clash.
func GlibcTooNew(rel, glibc version.V, origin string) (GlibcLimit, bool) {
	if rel.IsZero() || glibc.IsZero() {
		return GlibcLimit{}, false
	}
	for _, row := range data.GlibcLimits() {
		first, last, most := parse(row.First), parse(row.Last), parse(row.Max)
		if rel.Short().Less(first) || last.Less(rel.Short()) || slices.Contains(row.NotOrigin, origin) {
			continue
		}
		return GlibcLimit{Max: most, Function: row.Function, Source: row.Source}, most.Less(glibc)
	}
	return GlibcLimit{}, false
}
