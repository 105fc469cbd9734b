package cli

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/lock"
	"cupel/internal/remedy"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// obeyLock makes the locked release the only one that will do, unless something stronger asks for another: two machines
// with one lock build alike, or one of them stops.
func (u *up) obeyLock() {
	opt := &u.judged.input.Choice
	if opt.Flag+opt.Env+opt.ProjectChoice != "" {
		return
	}
	part, _, _ := u.judged.lock.For(lock.Key(u.judged.input.Platform.Name, u.judged.machine.System.Arch))
	if u.locked = part.Toolkit; u.locked.Release != "" {
		opt.Flag = u.locked.Release
	}
}

// lockedSource is the source that the lock names, where cupel can bring a toolkit from it and no other was named here.
func (u *up) lockedSource() string {
	if u.locked.Release == "" || u.flags.from != "" && u.flags.from != u.locked.Source || !slices.Contains(upSources(), u.locked.Source) {
		return ""
	}
	return u.locked.Source
}

// onlyLocked leaves the source that the lock names.
func (u *up) onlyLocked(all []source.Source) []source.Source {
	name := u.lockedSource()
	if name == "" {
		return all
	}
	u.say("%s asks for CUDA %s from %s", lockFile, u.locked.Release, name)
	return slices.DeleteFunc(all, func(s source.Source) bool { return s.Name() != name })
}

// lockedOffers leaves the locked release of what the sources have; where it is not to be had, that is what stops it.
func (u *up) lockedOffers() error {
	if u.locked.Release == "" || !slices.Contains(upSources(), u.locked.Source) {
		return nil
	}
	left, why := 0, ""
	for i := range u.answer.Sources {
		s := &u.answer.Sources[i]
		if s.Name == u.locked.Source && !s.Reachable {
			why = s.Why
		}
		s.Offers = slices.DeleteFunc(s.Offers, func(o resolve.Offer) bool { return o.Release != u.locked.Release })
		left += len(s.Offers)
	}
	if left > 0 || u.lockedSource() == "" || u.chosen().Toolkit != nil {
		return nil
	}
	f := finding.Finding{ID: "lock-source-unreachable", Severity: finding.Error, Where: lockFile, Why: why,
		What: fmt.Sprintf("%s asks for CUDA %s from %s, which cannot be used here", lockFile, u.locked.Release, u.locked.Source)}
	if why == "" {
		f.ID, f.Why = "lock-release-gone", fmt.Sprintf("%s does not have %s any more, or not for %s", u.locked.Source, u.locked.Release, platformHere())
	}
	f.Next = []finding.Step{{Command: again(u.cmd, ""), Note: "once it can be used"},
		{Command: strings.TrimSpace("cupel up " + u.where() + " --toolkit " + u.locked.Release), Note: "takes the release from any source; cupel lock then locks that one"}}
	return stoppedStep{verify.Check{Finding: f, Status: verify.Fail}, exitFindings, fmt.Errorf("%s", f.What)}
}

// where is the project as it was typed.
func (u *up) where() string {
	if args := u.cmd.Flags().Args(); len(args) > 0 {
		return pasted(args[0])
	}
	return ""
}

// exact is the release to ask a source for: the locked one where the plan's is the same X.Y.
func (u *up) exact(wish version.V) version.V {
	if v, err := version.Parse(u.locked.Release); err == nil && wish.Covers(v) {
		return v
	}
	return wish
}

// asLocked compares the files of the toolkit that builds with the locked ones. One from elsewhere has other files, which
// tell nothing; that is said.
func (u *up) asLocked(t fact.Toolkit) error {
	if u.locked.Release == "" || choice.Release(t).String() != u.locked.Release {
		return nil
	}
	if t.Installed == nil || t.Installed.Source != u.locked.Source {
		if slices.Contains(upSources(), u.locked.Source) {
			u.say("%s names CUDA %s from %s; the one in %s did not come from there, and is not compared", lockFile, u.locked.Release, u.locked.Source, t.Root)
		}
		return nil
	}
	var have []lock.Component
	for _, c := range t.Installed.Components {
		have = append(have, lock.Component(c))
	}
	want := u.judged.lock.OfSource(lock.Key(u.judged.input.Platform.Name, u.judged.machine.System.Arch), u.locked.Source, u.locked.Release)
	differ := lock.Differ(want, have)
	if len(differ) == 0 {
		return nil
	}
	j := &install{cmd: u.cmd, ctx: u.ctx, depot: u.depot}
	j.answer.Plan = &resolve.Plan{Source: u.locked.Source, Release: u.locked.Release}
	return u.stopped(remedy.Step{ID: "lock", Title: "compare with " + lockFile}, j, otherFiles{differ, true})
}

// asTyped puts the flags that say where toolkits come from into the commands of a plan: so each step can be typed alone.
func (u *up) asTyped(a remedy.Answer) remedy.Answer {
	if u.flags.from == "" && u.lockedSource() == "" {
		return a
	}
	plans := slices.Clone(a.Plans)
	for i := range plans {
		plans[i].Steps = slices.Clone(plans[i].Steps)
		for n, s := range plans[i].Steps {
			if s.Does == nil || s.Does.Kind != remedy.DoInstall {
				continue
			}
			lines := slices.Clone(s.Commands)
			for k, line := range lines {
				lines[k] = withSource(line, s.Does.Source, u.flags.mirror)
			}
			plans[i].Steps[n].Commands = lines
		}
	}
	a.Plans = plans
	return a
}

func withSource(line, from, mirror string) string {
	if !strings.HasPrefix(line, "cupel toolkit install ") {
		return line
	}
	if from != "" && !strings.Contains(line, " --from ") {
		line += " --from " + from
	}
	if mirror != "" && strings.Contains(line, " --from redist") {
		line += " --mirror " + pasted(mirror)
	}
	return line
}

// reachable: the sources of the answer that can be used, for the plan.
func reachable(all []render.ToolkitSource) (names []string, offers []resolve.Offer) {
	names = []string{}
	for _, s := range all {
		if s.Reachable {
			names, offers = append(names, s.Name), append(offers, s.Offers...)
		}
	}
	return names, offers
}
