package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cupel/internal/compat"
	"cupel/internal/finding"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// unknownRelease names the releases of the table on both sides of one that is not in it.
func unknownRelease(v version.V, why string) error {
	p := &problem{id: "contract-unknown-release", what: fmt.Sprintf("CUDA %s is not in the release table", v), why: why}
	below, above := around(v)
	for _, near := range []version.V{below, above} {
		if !near.IsZero() {
			p.next = append(p.next, finding.Step{Command: "cupel compat toolkit " + near.String(), Note: fmt.Sprintf("if %s is meant", near)})
		}
	}
	return p
}

// around finds the nearest releases below and above, cut to as many parts as were asked about.
func around(v version.V) (below, above version.V) {
	for _, rel := range published() {
		switch rel = rel.Cut(max(2, v.Parts())); {
		case rel.Less(v):
			below = rel
		case above.IsZero():
			above = rel
		}
	}
	return below, above
}

// unknownArch names the capabilities of the tables on both sides.
func unknownArch(cc gpu.CC) error {
	all := knownCCs()
	i, _ := slices.BinarySearchFunc(all, cc, gpu.CC.Compare)
	var near []string
	for _, k := range all[max(0, i-1):min(len(all), i+1)] {
		near = append(near, k.SM().String())
	}
	return &problem{id: "contract-unknown-arch", what: fmt.Sprintf("no toolkit of the tables knows %s", cc.SM()),
		why:  fmt.Sprintf("the nearest are %s", strings.Join(near, " and ")),
		next: []finding.Step{{Command: "cupel compat gpu " + all[min(i, len(all)-1)].String(), Note: "shows a capability and the toolkits that know it"}}}
}

// knownArchs lists every target that some release of the table has, lowest first.
var knownArchs = sync.OnceValue(func() []gpu.Arch {
	var all []gpu.Arch
	for _, v := range releases() {
		all = append(all, compat.ArchsOf(v)...)
	}
	slices.SortFunc(all, gpu.Arch.Compare)
	return slices.Compact(all)
})

// knownCCs are the capabilities of these targets.
var knownCCs = sync.OnceValue(func() []gpu.CC {
	var all []gpu.CC
	for _, a := range knownArchs() {
		all = append(all, a.CC)
	}
	return slices.Compact(all)
})

// releases are those of the table, oldest first, and one that is still to come: a range without an end holds that too.
var releases = sync.OnceValue(func() []version.V {
	all := []version.V{}
	for _, r := range compat.Releases() {
		if v, err := version.Parse(r.Version); err == nil {
			all = append(all, v)
		}
	}
	return append(all, version.Of(all[len(all)-1].Major()+1, 0, 0))
})

// published are the releases of the table alone.
func published() []version.V { return releases()[:len(releases())-1] }

// comesNext says that a release is newer than the tables by no more than a major.
func comesNext(v version.V) bool {
	all := published()
	last := all[len(all)-1]
	return last.Less(v) && v.Major() <= last.Major()+1
}

// knownVariant says that some release has exactly this target.
func knownVariant(a gpu.Arch) bool {
	a.Virtual = false
	return slices.Contains(knownArchs(), a)
}

func unknownVariant(a gpu.Arch) error {
	return &problem{id: "contract-unknown-arch", what: fmt.Sprintf("no toolkit of the tables knows %s", a), why: fmt.Sprintf("%s has no variant %s", a.CC.SM(), a.Suffix),
		next: []finding.Step{{Command: "cupel compat gpu " + a.CC.String(), Note: fmt.Sprintf("shows the targets of %s; write %s for the plain one", a.CC, a.CC.SM())}}}
}
