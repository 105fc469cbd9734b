package cli

import (
	"fmt"
	"slices"

	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/toolkit"
	"cupel/internal/version"
)

// already finds what was asked for among what is installed, whole: then no source is asked, and nobody. A damaged one is
// told and made anew.
func (j *install) already() *depot.Installed {
	all, err := j.depot.List(depot.Toolkits)
	if err != nil || j.root != "" {
		return nil
	}
	var best *depot.Installed
	for n := range all {
		i := &all[n]
		if !j.meets(*i) || best != nil && !newer(*i, *best) {
			continue
		}
		if faults, err := depot.Glance(j.cmd.Context(), *i); err != nil || len(faults) > 0 {
			fmt.Fprintf(j.cmd.ErrOrStderr(), "%s is damaged (%d files are not as they were installed): it is made anew\n", nameOf(*i), len(faults))
			return nil
		}
		best = i
	}
	return best
}

// meets: a toolkit of cupel's own making with all that is wanted. The smallest set is in each of them.
func (j *install) meets(i depot.Installed) bool {
	m, r := i.Manifest, j.request
	have, err := version.Parse(m.Release)
	lacks := slices.ContainsFunc(r.With, func(w string) bool { return !slices.Contains(m.Words, w) })
	return err == nil && i.Broken == nil && m.Root == "" && r.Release.Covers(have) && m.Platform == r.Platform &&
		(j.flags.from == "" || j.flags.from == m.Source) && !lacks && (!r.Full || m.Full)
}

func newer(a, b depot.Installed) bool {
	x, _ := version.Parse(a.Manifest.Release)
	y, _ := version.Parse(b.Manifest.Release)
	return y.Less(x)
}

// answerAlready fills the answer with what is there.
func (j *install) answerAlready(i depot.Installed) error {
	m := i.Manifest
	plan := resolve.Plan{Source: m.Source, Release: m.Release, Platform: m.Platform, Components: m.Words, Asked: m.Asked, Full: m.Full}
	j.answer.Plan, j.answer.Root = &plan, i.Root()
	if j.flags.dryRun {
		return nil
	}
	j.installed(toolkit.Outcome{Installed: i, Already: true, Proof: m.Proof})
	if err := j.lockedAfter(plan); err != nil {
		return err
	}
	if j.flags.compiler {
		return j.hostCompiler()
	}
	return nil
}
