// Package compat answers questions from the release tables: which driver a toolkit needs, which host
// compilers it accepts, which architectures it knows, which of them fit together. It reads embedded data only
// and never the machine.
package compat

import (
	"fmt"
	"sync"

	"cupel/data"
	"cupel/internal/version"
)

// Source says where an answer comes from.
type Source []string

// row is a release with its numbers parsed.
type row struct {
	data.Release
	version, short, nvcc version.V
}

// rows parses the release numbers once; a number that does not parse is caught by the tests.
var rows = sync.OnceValue(func() []row {
	list := make([]row, 0, len(data.Releases()))
	for _, r := range data.Releases() {
		v := parse(r.Version)
		list = append(list, row{Release: r, version: v, short: v.Short(), nvcc: parse(r.Nvcc)})
	}
	return list
})

// parse reads a number of a table; an empty one is unknown.
func parse(s string) version.V {
	v, _ := version.Parse(s)
	return v
}

// Releases lists every release, oldest first.
func Releases() []data.Release { return data.Releases() }

// Release finds a release by its number, by the build of its nvcc (12.4.131), or, when only X.Y or X is
// given, the newest final one that it covers.
func Release(v version.V) (data.Release, bool) {
	r, ok := find(v)
	return r.Release, ok
}

func find(v version.V) (row, bool) {
	list := rows()
	best := -1
	for i, r := range list {
		if r.nvcc == v || r.version == v {
			return r, true
		}
		if v.Covers(r.version) && (best < 0 || !r.Preview || list[best].Preview) {
			best = i
		}
	}
	if best < 0 {
		return row{}, false
	}
	return list[best], true
}

// line finds any release of the same X.Y: what holds for X.Y is known even for an update the table lacks.
func line(v version.V) (row, bool) {
	if r, ok := find(v); ok {
		return r, true
	}
	if v.Parts() > 2 {
		return find(v.Short())
	}
	return row{}, false
}

// Exists says whether such a release was published, and if not, why not or what is nearest.
func Exists(v version.V) (ok bool, why string) {
	if _, found := find(v); found {
		return true, ""
	}
	for _, n := range data.AllReleases().Never {
		if parse(n.Version).Covers(v) || v == parse(n.Version) {
			return false, n.Why
		}
	}
	list := rows()
	first, last := list[0], list[len(list)-1]
	switch {
	case last.version.Less(v):
		return false, fmt.Sprintf("CUDA %s is newer than this cupel's table, which ends at %s", v, last.version)
	case v.Less(first.version):
		return false, fmt.Sprintf("CUDA %s is older than this cupel's table, which begins with %s", v, first.version)
	}
	return false, fmt.Sprintf("no CUDA %s is in the release table (%s to %s)", v, first.version, last.version)
}

// PTXISA is the PTX version that the release's compiler writes.
func PTXISA(rel version.V) version.V {
	r, _ := line(rel)
	return parse(r.PTX)
}
