package redist

import (
	"context"
	"errors"
	"slices"

	"cupel/data"
	"cupel/internal/fetch"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// Offers reads the lists there are. Of a server only the newest update of each X.Y is asked for.
func (s *Source) Offers(ctx context.Context, p resolve.Platform) ([]resolve.Offer, error) {
	found, err := s.has(ctx)
	if err != nil {
		return nil, err
	}
	note := ""
	if _, folder := fetch.Local(s.base); !folder {
		note = "earlier updates of it were not asked for"
	}
	offers, errs := make([]resolve.Offer, len(found)), make([]error, len(found))
	each(len(found), func(i int) {
		list, err := s.lists.read(ctx, s.listAddress(s.base, found[i]))
		if errs[i] = err; err == nil && list.product != "cudnn" && hasCompiler(list, found[i], p) {
			offers[i] = s.offer(ctx, list, found[i], p)
			offers[i].Note = note
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	offers = slices.DeleteFunc(offers, func(o resolve.Offer) bool { return o.Release == "" })
	if len(offers) == 0 {
		return nil, errors.Join(errs...) // a mirror whose lists cannot be read is not an empty one
	}
	return offers, nil
}

// offer weighs a release: what a list names for a platform.
func (s *Source) offer(ctx context.Context, list manifest, v version.V, p resolve.Platform) resolve.Offer {
	req := resolve.Request{Release: v, Platform: p}
	o := resolve.Offer{Source: name, Release: v.String(), Platform: p}
	minimal, _ := resolve.Closure(name, req)
	var small, all []resolve.Parcel
	for _, named := range resolve.Names(name, resolve.Offered(name, v, p), v, p) {
		parcel, ok, err := s.parcel(ctx, list, named, req)
		if !ok || err != nil {
			continue
		}
		o.Components = append(o.Components, named.Brings...)
		if c, _ := data.ComponentByWord(parcel.Component); !c.Apart {
			all = append(all, parcel)
		}
		if slices.ContainsFunc(named.Brings, func(w string) bool { return slices.Contains(minimal, w) }) {
			small = append(small, parcel)
		}
	}
	o.Components = slices.DeleteFunc(resolve.Words(), func(w string) bool { return !slices.Contains(o.Components, w) })
	o.Minimal = resolve.Sum(small)
	o.Full = resolve.Sum(append(all, others(list, all, req)...))
	return o
}
