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
	if glibc.IsZero() {
		return GlibcLimit{}, false
	}
	limit, limited := GlibcLimitOf(rel, origin)
	return limit, limited && limit.Max.Less(glibc)
}

// GlibcLimitOf is the limit of a release's headers when they are the user's and not the system's; false: none is known.
func GlibcLimitOf(rel version.V, origin string) (GlibcLimit, bool) {
	for _, row := range data.GlibcLimits() {
		if rel.IsZero() || rel.Short().Less(parse(row.First)) || parse(row.Last).Less(rel.Short()) || slices.Contains(row.NotOrigin, origin) {
			continue
		}
		return GlibcLimit{Max: parse(row.Max), Function: row.Function, Source: row.Source}, true
	}
	return GlibcLimit{}, false
}
