package compat

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/version"
)

// Three driver rules, never one:
//
//	a  DriverFloor   a program built by any toolkit of a major starts (minor-version compatibility)
//	b  DriverLevel   PTX made by toolkit X needs a driver whose CUDA level is at least X
//	c  DriverListed  the driver NVIDIA lists for the release: everything works

// DriverFloor is rule a. os is linux, windows or wsl2.
func DriverFloor(rel version.V, os string) (version.V, Source) {
	r, ok := line(rel)
	if !ok {
		return version.V{}, nil
	}
	return parse(r.Floor.On(os)), r.RuleSource
}

// DriverListed is rule c. An update that NVIDIA's table leaves out takes the driver of the update before it,
// whose branch it shares. NVIDIA lists no Windows driver for 13.x: then it is unknown.
func DriverListed(rel version.V, os string) (version.V, Source) {
	r, ok := line(rel)
	if !ok {
		return version.V{}, nil
	}
	for _, other := range slices.Backward(rows()) {
		listed := parse(other.Paired.On(os))
		if other.short == r.short && !r.version.Less(other.version) && !listed.IsZero() {
			return listed, other.Source
		}
	}
	return version.V{}, nil
}

// DriverLevel is the highest CUDA X.Y that a driver supports (rule b): the newest X.Y whose driver branch is
// not newer. The branch decides and not the listed number, because drivers of a branch that came before the
// listed one support the same level (550.40.07 prints 12.4, which lists 550.54.14), and both systems number
// their branches alike.
func DriverLevel(driver version.V, os string) (level version.V, ok bool) {
	for _, l := range levels() {
		if driver.AtLeast(l.branch) && level.Less(l.level) {
			level = l.level
		}
	}
	return level, !level.IsZero()
}

// DriverForLevel is rule b read backwards: the driver listed for the first release of X.Y, or its branch where
// NVIDIA lists none for the system.
func DriverForLevel(rel version.V, os string) (version.V, bool) {
	for _, l := range levels() {
		if l.level != rel.Short() {
			continue
		}
		if listed := parse(l.first.Paired.On(os)); !listed.IsZero() {
			return listed, true
		}
		return l.branch, true
	}
	return version.V{}, false
}

// level is an X.Y with the branch that brought it and its first final release.
type level struct {
	level, branch version.V
	first         data.Release
}

// levels lists every X.Y of the table, and the branches that no toolkit pairs with.
var levels = sync.OnceValue(func() []level {
	var list []level
	for _, r := range rows() {
		seen := slices.ContainsFunc(list, func(l level) bool { return l.level == r.short })
		if branch := branchOf(r); !seen && !r.Preview && !branch.IsZero() {
			list = append(list, level{r.short, branch, r.Release})
		}
	}
	for _, b := range data.AllReleases().Branches {
		list = append(list, level{level: parse(b.Level), branch: parse(b.Branch)})
	}
	return list
})

// branchOf is the branch a release names, else the one of its listed Linux driver.
func branchOf(r row) version.V {
	if r.Release.Branch != "" {
		return parse(strings.TrimPrefix(r.Release.Branch, "R"))
	}
	return Branch(parse(r.Paired.Linux))
}

// Branch is the driver branch as NVIDIA counts it in its tables: the first part of the number.
func Branch(driver version.V) version.V { return driver.Cut(1) }

// Forward is the answer about a cuda-compat package.
type Forward struct {
	Package    string   `json:"package"`
	InstallsTo string   `json:"installs_to"`
	OnlyFor    []string `json:"only_for"`
	Verdict    string   `json:"verdict"` // works | native | refused | unknown
	Source     Source   `json:"source"`
}

// ForwardCompat says whether the forward-compatibility package of a release runs on a kernel driver: the way
// out of rule a, for data-centre GPUs. ok is false when NVIDIA offers no package for that X.Y in the table.
func ForwardCompat(rel, driver version.V) (f Forward, ok bool) {
	branch := strconv.Itoa(driver.Major())
	for _, r := range data.AllReleases().Compat.Rows {
		if r.Toolkit == rel.Short().String() {
			f = Forward{Package: expand(r.Package, rel), InstallsTo: expand(r.Installs, rel),
				OnlyFor: r.OnlyFor, Source: r.Source, Verdict: verdict(r, branch)}
			return f, true
		}
	}
	return Forward{}, false
}

func verdict(r data.Forward, branch string) string {
	switch {
	case slices.Contains(r.Works, branch):
		return "works"
	case slices.Contains(r.Native, branch):
		return "native"
	case slices.Contains(r.Refused, branch):
		return "refused"
	}
	return "unknown"
}

// expand fills <major> and <minor> in a name of the tables.
func expand(pattern string, rel version.V) string {
	return strings.NewReplacer("<major>", strconv.Itoa(rel.Major()), "<minor>", strconv.Itoa(rel.Minor())).Replace(pattern)
}
