package pip

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"cupel/data"
	"cupel/internal/resolve"
)

// Resolve names the files of a wish. The index says which update is its newest; the files of an update that the table
// knows are named without a further question, those of others are read from the metapackage and looked up.
func (s *Source) Resolve(ctx context.Context, req resolve.Request) (resolve.Plan, error) {
	c, err := s.client(ctx)
	if err != nil {
		return resolve.Plan{}, err
	}
	exact, first, err := s.exact(ctx, c, req)
	if err != nil {
		return resolve.Plan{}, err
	}
	if parts, ok := tabled(exact); ok && first {
		return s.fill(ctx, c, exact, parts)
	}
	// The table knows the names of the packages before the metapackage tells their versions.
	var wg sync.WaitGroup
	wg.Go(func() { c.prepare(ctx, expected(req)) })
	meta, err := s.metapackage(ctx, c, exact)
	wg.Wait()
	if err != nil {
		return resolve.Plan{}, err
	}
	exact.Release = meta.version.release()
	parts, err := choose(meta, exact)
	if err != nil {
		return resolve.Plan{}, err
	}
	return s.fill(ctx, c, exact, parts)
}

// exact is the wish for the newest update within it, where the client can list the index. The first metapackage of an
// update is the one that the table was made from: 13.0.3 or 13.0.3.0; a 13.0.3.1 may name other files.
func (s *Source) exact(ctx context.Context, c client, req resolve.Request) (exact resolve.Request, first bool, err error) {
	if !offered(req.Release, req.Platform) {
		return req, false, noRelease(req.Release, req.Platform, s.listed(ctx, c, req.Platform))
	}
	listed, err := c.releases(ctx)
	if err != nil {
		return req, false, fmt.Errorf("list the releases of %s: %w", metapackage, short(err))
	}
	if listed == nil {
		return req, false, nil
	}
	i := slices.IndexFunc(listed, func(n number) bool { return req.Release.Covers(n.release()) })
	if i < 0 {
		return req, false, noRelease(req.Release, req.Platform, listed)
	}
	n := listed[i]
	req.Release = n.release()
	return req, n.compare(n[:min(len(n), 3)]) == 0, nil
}

// fill looks up the files that are not known yet.
func (s *Source) fill(ctx context.Context, c client, req resolve.Request, parts []part) (resolve.Plan, error) {
	var pins []pin
	for _, p := range parts {
		if p.known.file == "" {
			pins = append(pins, p.pin)
		}
	}
	var found []wheel
	if len(pins) > 0 {
		var err error
		if found, err = c.wheels(ctx, pins, req.Platform); err != nil {
			return resolve.Plan{}, fmt.Errorf("resolve CUDA %s from %s: %w", req.Release, sourceName, err)
		}
	}
	for i := range parts {
		if parts[i].known.file == "" {
			parts[i].known, found = found[0], found[1:]
		}
	}
	return plan(c, req, parts), nil
}

// expected are the packages that a wish will come to, as far as the table can tell.
func expected(req resolve.Request) []string {
	words, err := resolve.Closure(sourceName, req)
	if err != nil {
		return nil
	}
	var out []string
	for _, n := range resolve.Names(sourceName, words, req.Release, req.Platform) {
		out = append(out, n.Name)
	}
	return out
}

// metapackage gets what the newest release within the wish is made of.
func (s *Source) metapackage(ctx context.Context, c client, req resolve.Request) (core, error) {
	s.mu.Lock()
	meta, known := s.metas[req.Release.String()]
	s.mu.Unlock()
	if known {
		return meta, nil
	}
	text, err := c.metadata(ctx, "=="+req.Release.String()+".*")
	if errors.Is(err, errNoVersion) {
		return core{}, noRelease(req.Release, req.Platform, s.listed(ctx, c, req.Platform))
	}
	if err != nil {
		return core{}, fmt.Errorf("get %s %s with %s: %w", metapackage, req.Release, c.title(), short(err))
	}
	if meta, err = parseCore(text); err != nil {
		return core{}, fmt.Errorf("read the METADATA of %s %s: %w", metapackage, req.Release, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.metas[req.Release.String()] = meta
	return meta, nil
}

// listed are the releases of the index, or of the table where it cannot be listed.
func (s *Source) listed(ctx context.Context, c client, p resolve.Platform) []number {
	if found, err := c.releases(ctx); err == nil && found != nil {
		return found
	}
	return known(p)
}

// part is a package and the component that it is.
type part struct {
	word  string
	pin   pin
	known wheel // its file; without a name: not known yet
}

// choose follows the extras of the wanted components: a package that they pin besides (cuBLAS wants NVRTC) is taken too.
func choose(meta core, req resolve.Request) ([]part, error) {
	words, err := resolve.Closure(sourceName, req)
	if err != nil {
		return nil, err
	}
	var parts []part
	var missing []string
	for i := 0; i < len(words); i++ { // words grows
		w := words[i]
		pins, err := pinsOf(meta, w, req)
		if err != nil {
			return nil, err
		}
		if len(pins) == 0 && (slices.Contains(req.With, w) || slices.Contains(resolve.Minimal(), w)) {
			missing = append(missing, w)
		}
		for _, p := range pins {
			owner := wordOf(p.name, w, req)
			if slices.ContainsFunc(parts, func(q part) bool { return q.pin.name == p.name }) {
				continue
			}
			parts = append(parts, part{word: owner, pin: p})
			if !slices.Contains(words, owner) {
				words = append(words, owner)
			}
		}
	}
	if len(missing) > 0 {
		return nil, resolve.NotOffered{Source: sourceName, Release: req.Release.String(), Platform: req.Platform, Words: missing}
	}
	return parts, nil
}

// pinsOf is what a component's extra pins; a component with releases of its own is its newest package.
func pinsOf(meta core, word string, req resolve.Request) ([]pin, error) {
	if c, _ := data.ComponentByWord(word); c.Apart {
		var out []pin
		for _, n := range resolve.Names(sourceName, []string{word}, req.Release, req.Platform) {
			out = append(out, pin{name: n.Name})
		}
		return out, nil
	}
	return meta.extra(word, req.Platform)
}

// wordOf is the component that a package is; asker's when the table does not know it.
func wordOf(pkg, asker string, req resolve.Request) string {
	for _, n := range resolve.Names(sourceName, resolve.Offered(sourceName, req.Release, req.Platform), req.Release, req.Platform) {
		if n.Name == pkg {
			return n.Brings[0]
		}
	}
	return asker
}

func plan(c client, req resolve.Request, parts []part) resolve.Plan {
	p := resolve.Plan{Source: sourceName, Release: req.Release.String(), Platform: req.Platform, Asked: req.With, Full: req.Full}
	for _, q := range parts {
		p.Parcels = append(p.Parcels, parcel(c, q.word, q.known, req.Platform))
	}
	order := resolve.Words()
	slices.SortStableFunc(p.Parcels, func(a, b resolve.Parcel) int {
		return slices.Index(order, a.Component) - slices.Index(order, b.Component)
	})
	for _, q := range p.Parcels {
		if !slices.Contains(p.Components, q.Component) {
			p.Components = append(p.Components, q.Component)
		}
	}
	p.Size = resolve.Sum(p.Parcels)
	return p
}

func parcel(c client, word string, w wheel, p resolve.Platform) resolve.Parcel {
	out := resolve.Parcel{
		Component: word, Name: w.name, Version: w.version.String(), File: w.file, Place: w.place(), SHA256: w.sha256,
		Size: sizeOf(word, w.version.String(), p), Format: c.format(), License: data.LicenseOf(word),
	}
	if out.Format == resolve.Tree && w.sha256 != "" { // the checksum is the wheel's, which uv looks at; a folder has none
		out.Place, out.SHA256, out.File = out.Place+" --hash=sha256:"+w.sha256, "", ""
	}
	return out
}
