package apt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

// Resolve names the packages of a request.
func (s *Source) Resolve(ctx context.Context, req resolve.Request) (resolve.Plan, error) {
	m, err := s.Machine()
	if err != nil {
		return resolve.Plan{}, err
	}
	row, err := s.rowFor(m, req)
	if err != nil {
		return resolve.Plan{}, err
	}
	req.Release = version.MustParse(row.Release)
	words, err := resolve.Closure(Name, req)
	if err != nil {
		return resolve.Plan{}, err
	}
	state := s.suite(m, row, req.Platform)
	if err := state.Update(ctx); err != nil {
		return resolve.Plan{}, err
	}
	known, err := state.Show(ctx, namesOf(words, req.Release, req.Platform)...)
	if err != nil {
		return resolve.Plan{}, err
	}
	if _, ok := pick(known[compiler], row.Release); !ok {
		return resolve.Plan{}, source.NoRelease{Source: Name, Wish: row.Release, Platform: req.Platform}
	}
	words, missing := present(words, req.Release, req.Platform, known, nil)
	missing = slices.DeleteFunc(missing, func(w string) bool { // of everything, what is there
		return req.Full && !slices.Contains(req.With, w) && !slices.Contains(resolve.Minimal(), w)
	})
	if len(missing) > 0 {
		return resolve.Plan{}, resolve.NotOffered{Source: Name, Release: row.Release, Platform: req.Platform, Words: missing}
	}
	plan := resolve.Plan{Source: Name, Release: row.Release, Platform: req.Platform, Components: words, Asked: req.With, Full: req.Full}
	return fill(plan, known, key(row, req.Platform)), nil
}

// fill gives a plan its parcels. A further package of a component, which not every suite has, is left out.
func fill(plan resolve.Plan, known map[string][]Package, key string) resolve.Plan {
	release := version.MustParse(plan.Release)
	kept := sizes(plan.Release, plan.Platform)
	for _, n := range resolve.Names(Name, plan.Components, release, plan.Platform) {
		if pkg, ok := pick(known[n.Name], plan.Release); ok {
			word := leads(n, release, plan.Platform)
			pkg.Size = keeps(pkg, word, kept[word], plan.Full)
			plan.Parcels = append(plan.Parcels, pkg.Parcel(key, n.Brings[0], n.Brings))
		}
	}
	plan.Size = resolve.Sum(plan.Parcels)
	return plan
}

// rowFor finds the suite of a release.
func (s *Source) rowFor(m Machine, req resolve.Request) (data.SuiteRow, error) {
	none := source.NoRelease{Source: Name, Wish: req.Release.String(), Platform: req.Platform}
	if req.Platform.OS != "linux" {
		return data.SuiteRow{}, none
	}
	for _, r := range s.rows(m) {
		if req.Release.Covers(version.MustParse(r.Release)) {
			return r, nil
		}
		none.Has = append(none.Has, r.Release)
	}
	slices.SortFunc(none.Has, func(a, b string) int { return version.MustParse(b).Compare(version.MustParse(a)) })
	return data.SuiteRow{}, none
}

// Fetch downloads a parcel of a plan.
func (s *Source) Fetch(ctx context.Context, plan resolve.Plan, parcel resolve.Parcel, dir string, report progress.Report) (string, error) {
	m, err := s.Machine()
	if err != nil {
		return "", err
	}
	want, _, _ := strings.Cut(parcel.Place, ":")
	for _, r := range s.rows(m) {
		if key(r, plan.Platform) == want {
			state := s.suite(m, r, plan.Platform)
			if err := state.ready(ctx); err != nil {
				return "", err
			}
			return state.Fetch(ctx, parcel, dir, report)
		}
	}
	return "", fmt.Errorf("fetch %s: no suite is named %q", parcel.Name, want)
}
