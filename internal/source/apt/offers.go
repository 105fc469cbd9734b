package apt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// rows are the suites of the machine's distribution, its own first.
func (s *Source) rows(m Machine) []data.SuiteRow {
	var own, others []data.SuiteRow
	for _, r := range s.suites {
		switch {
		case r.Distribution != m.Distribution:
		case slices.Contains(m.Codenames, suiteName(r)):
			own = append(own, r)
		default:
			others = append(others, r)
		}
	}
	return append(own, others...)
}

// suiteName is the suite that has the toolkit: the first word.
func suiteName(r data.SuiteRow) string { return strings.Fields(r.Suite)[0] }

// key names the state of a suite: trixie-amd64.
func key(r data.SuiteRow, p resolve.Platform) string { return suiteName(r) + "-" + debian(p) }

// suite is the state with everything of a suite.
func (s *Source) suite(m Machine, r data.SuiteRow, p resolve.Platform) State {
	return s.state(m, key(r, p), m.own().with(strings.Fields(r.Suite), r.Components), debian(p), "")
}

// glimpse is the state with the small list alone in which NVIDIA's packages stand.
func (s *Source) glimpse(m Machine, r data.SuiteRow, p resolve.Platform) State {
	return s.state(m, key(r, p)+"-small", m.own().with([]string{suiteName(r)}, r.Components[:1]), debian(p), "")
}

// Offers looks into the small list of every suite. A suite that the mirror does not have is left out.
func (s *Source) Offers(ctx context.Context, p resolve.Platform) ([]resolve.Offer, error) {
	m, err := s.Machine()
	if err != nil {
		return nil, err
	}
	if p.OS != "linux" {
		return nil, nil
	}
	rows := s.rows(m)
	found, failed := make([]*resolve.Offer, len(rows)), make([]error, len(rows))
	var wait sync.WaitGroup
	for i, r := range rows {
		wait.Go(func() { found[i], failed[i] = s.offer(ctx, m, r, p) })
	}
	wait.Wait()
	var out []resolve.Offer
	for _, o := range found {
		if o != nil {
			out = append(out, *o)
		}
	}
	if len(out) == 0 {
		return nil, errors.Join(failed...)
	}
	slices.SortFunc(out, func(a, b resolve.Offer) int {
		return version.MustParse(b.Release).Compare(version.MustParse(a.Release))
	})
	return out, nil
}

// offer is what one suite has; nil: not what the table says.
func (s *Source) offer(ctx context.Context, m Machine, r data.SuiteRow, p resolve.Platform) (*resolve.Offer, error) {
	state := s.glimpse(m, r, p)
	if err := state.Update(ctx); err != nil {
		return nil, fmt.Errorf("suite %s: %w", suiteName(r), err)
	}
	release := version.MustParse(r.Release)
	words := resolve.Offered(Name, release, p)
	known, err := state.Show(ctx, namesOf(words, release, p)...)
	if err != nil {
		return nil, err
	}
	if _, ok := pick(known[compiler], r.Release); !ok {
		return nil, nil
	}
	o := &resolve.Offer{Source: Name, Release: r.Release, Platform: p, Preview: r.Preview, Note: m.Distribution + " " + suiteName(r)}
	kept := sizes(r.Release, p)
	for _, full := range []bool{false, true} {
		want, err := resolve.Closure(Name, resolve.Request{Release: release, Platform: p, Full: full})
		if err != nil {
			return nil, err
		}
		want, _ = present(want, release, p, known, kept)
		size := weigh(want, release, p, known, kept, full)
		if full {
			o.Components, o.Full = want, size
		} else {
			o.Minimal = size
		}
	}
	return o, nil
}

// compiler is the package by which a toolkit is known.
const compiler = "nvidia-cuda-toolkit"

func namesOf(words []string, release version.V, p resolve.Platform) []string {
	var out []string
	for _, n := range resolve.Names(Name, words, release, p) {
		out = append(out, n.Name)
	}
	return out
}
