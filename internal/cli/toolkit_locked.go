package cli

import (
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/lock"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

// lockKey is the part of a lock that is about a platform.
func lockKey(p resolve.Platform) string { return lock.Key(p.OS, p.Arch) }

// projectRelease is what the project of this folder is built with: the locked release, else the recommended one.
func (j *install) projectRelease() string { return j.project.release(j.request.Platform) }

// release is the locked one of a platform, else the recommended one; empty: neither names one.
func (w workspace) release(p resolve.Platform) string {
	if r := w.lock.Release(lockKey(p)); r != "" {
		return r
	}
	if w.contract == nil {
		return ""
	}
	r := w.contract.For(contract.Platform{Name: p.OS})
	if r.Toolkit.Recommended != nil {
		return r.Toolkit.Recommended.Version.String()
	}
	return ""
}

// lockedSource is the source that the lock names, where cupel can fetch from it.
func (j *install) lockedSource() string {
	part, _, _ := j.project.lock.For(lockKey(j.request.Platform))
	if part.Toolkit.Release == "" || !slices.Contains(upSources(), part.Toolkit.Source) {
		return ""
	}
	return part.Toolkit.Source
}

// otherFiles are parcels that are not those the project's lock names.
type otherFiles struct {
	differ []string
	after  bool // they are installed: their source told no checksum before
}

func (e otherFiles) Error() string {
	return "the files are not those that cupel.lock names: " + strings.Join(e.differ, "; ")
}

// locked compares what would be fetched with the project's lock, as far as the source told checksums.
func (j *install) locked(p resolve.Plan) error {
	var have []lock.Component
	for _, c := range p.Parcels {
		have = append(have, lock.Component{Name: c.Name, Version: c.Version, SHA256: c.SHA256})
	}
	return j.compare(p, have, false)
}

// lockedAfter compares what was installed: every checksum is known now.
func (j *install) lockedAfter(p resolve.Plan) error {
	var have []lock.Component
	for _, c := range j.answer.Parcels {
		have = append(have, lock.Component{Name: c.Name, Version: c.Version, SHA256: c.SHA256})
	}
	return j.compare(p, have, true)
}

// compare looks at the components that both name: a lock may hold more than this install asks for.
func (j *install) compare(p resolve.Plan, have []lock.Component, after bool) error {
	there := map[string]bool{}
	for _, c := range have {
		there[c.Name] = true
	}
	var want []lock.Component
	for _, c := range j.project.lock.OfSource(lockKey(p.Platform), p.Source, p.Release) {
		if there[c.Name] {
			want = append(want, c)
		}
	}
	if differ := lock.Differ(want, have); len(differ) > 0 {
		return otherFiles{differ, after}
	}
	return nil
}

// inOrder puts the source that the project's lock names first: its files are the ones that are locked.
func (j *install) inOrder(all []source.Source) []source.Source {
	locked, _, _ := j.project.lock.For(lockKey(j.request.Platform))
	release, err := version.Parse(locked.Toolkit.Release)
	if err != nil || !j.request.Release.Covers(release) {
		return all
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b source.Source) int {
		return rankOf(a, locked.Toolkit.Source) - rankOf(b, locked.Toolkit.Source)
	})
}

func rankOf(s source.Source, first string) int {
	if s.Name() == first {
		return 0
	}
	return 1
}
