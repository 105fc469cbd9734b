package redist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"cupel/data"
	"cupel/internal/fetch"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

// Resolve names the archives of a request.
func (s *Source) Resolve(ctx context.Context, req resolve.Request) (resolve.Plan, error) {
	list, exact, err := s.listFor(ctx, req)
	if err != nil {
		return resolve.Plan{}, err
	}
	req.Release = exact
	words, err := resolve.Closure(name, req)
	if err != nil {
		return resolve.Plan{}, err
	}
	plan := resolve.Plan{Source: name, Release: exact.String(), Platform: req.Platform, Asked: req.With, Full: req.Full}
	var missing []string
	for _, named := range resolve.Names(name, words, exact, req.Platform) {
		parcel, ok, err := s.parcel(ctx, list, named, req)
		if err != nil {
			return resolve.Plan{}, err
		}
		if ok {
			plan.Parcels = append(plan.Parcels, parcel)
			continue
		}
		words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(named.Brings, w) })
		missing = append(missing, wanted(named.Brings, req)...)
	}
	if len(missing) > 0 {
		return resolve.Plan{}, resolve.NotOffered{Source: name, Release: exact.String(), Platform: req.Platform, Words: missing}
	}
	if req.Full {
		plan.Parcels = append(plan.Parcels, others(list, plan.Parcels, req)...)
	}
	plan.Components, plan.Size = words, resolve.Sum(plan.Parcels)
	return plan, nil
}

// wanted are those of words that were asked for by name; the compiler always is.
func wanted(words []string, req resolve.Request) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w != "nvcc" && !slices.Contains(req.With, w) })
}

// listFor finds the list of a wish. Without the compiler for the platform it is none.
func (s *Source) listFor(ctx context.Context, req resolve.Request) (manifest, version.V, error) {
	exact, err := s.pick(ctx, req.Release)
	if err != nil {
		return manifest{}, exact, err
	}
	if exact.IsZero() {
		return manifest{}, exact, s.noRelease(ctx, req)
	}
	list, err := s.lists.read(ctx, s.listAddress(s.base, exact))
	switch {
	case fetch.Missing(err):
		return manifest{}, exact, s.noRelease(ctx, req)
	case err != nil:
		return manifest{}, exact, s.listError(ctx, exact, err)
	case !hasCompiler(list, exact, req.Platform):
		return manifest{}, exact, s.noRelease(ctx, req)
	}
	return list, exact, nil
}

func (s *Source) listError(ctx context.Context, v version.V, err error) error {
	var failed fetch.Failed
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &failed):
		return s.unreachable(err)
	}
	return fmt.Errorf("resolve CUDA %s: %w", v, err)
}

func platformName(p resolve.Platform) string { return data.Redist().Platforms[p.String()] }

func hasCompiler(list manifest, v version.V, p resolve.Platform) bool {
	row, _ := resolve.Row(name, "nvcc", v, p)
	return slices.ContainsFunc(row.Names, func(n string) bool {
		_, _, ok := list.on(n, platformName(p), v.Major())
		return ok
	})
}

// noRelease says what there is instead, as far as that can be found out.
func (s *Source) noRelease(ctx context.Context, req resolve.Request) error {
	e := source.NoRelease{Source: name, Wish: req.Release.String(), Platform: req.Platform}
	offers, _ := s.Offers(ctx, req.Platform)
	for _, o := range offers {
		e.Has = append(e.Has, o.Release)
	}
	return cmp.Or(context.Cause(ctx), error(e))
}

// parcel looks up one name in the list it stands in; false: it is not there for this platform.
func (s *Source) parcel(ctx context.Context, list manifest, named resolve.Named, req resolve.Request) (resolve.Parcel, bool, error) {
	if c, _ := data.ComponentByWord(named.Brings[0]); c.Apart {
		own, err := s.cudnnList(ctx, req.Release, req.Platform)
		if err != nil {
			return resolve.Parcel{}, false, err
		}
		list = own
	}
	p, ok := parcelOf(list, named.Name, req)
	if ok {
		p.Component, p.Brings = named.Brings[0], named.Brings
	}
	return p, ok, nil
}

func parcelOf(list manifest, component string, req resolve.Request) (resolve.Parcel, bool) {
	a, e, ok := list.on(component, platformName(req.Platform), req.Release.Major())
	if !ok {
		return resolve.Parcel{}, false
	}
	return resolve.Parcel{
		Component: component, Name: component, Version: e.version, File: path.Base(a.path), Place: a.path,
		SHA256: a.sha256, Size: resolve.Size{Download: a.size}, Format: a.format, License: data.LicenseNamed(e.license, component),
	}, true
}

// others are the parts of a toolkit that have no word: --full brings them under the list's own names.
func others(list manifest, have []resolve.Parcel, req resolve.Request) []resolve.Parcel {
	var out []resolve.Parcel
	for _, component := range slices.Sorted(maps.Keys(list.components)) {
		if !data.PartOfToolkit(component) || slices.ContainsFunc(have, func(p resolve.Parcel) bool { return p.Name == component }) {
			continue
		}
		if p, ok := parcelOf(list, component, req); ok {
			out = append(out, p)
		}
	}
	return out
}
