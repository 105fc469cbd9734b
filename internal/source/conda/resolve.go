package conda

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/child"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

// metapackage pins the exact components of a release, as the package of the same name does for pip.
const metapackage = "cuda-toolkit"

// Offers lists the releases of the metapackage for which the table names the compiler. Sizes are known only once a
// solution was asked for.
func (s *Source) Offers(ctx context.Context, p resolve.Platform) ([]resolve.Offer, error) {
	releases, err := s.releases(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("list what %s has: %w", s.config.Channel, err)
	}
	var out []resolve.Offer
	for _, v := range releases {
		out = append(out, resolve.Offer{Source: name, Release: v.String(), Platform: p, Components: resolve.Offered(name, v, p)})
	}
	return out, nil
}

// releases are those of the channel, newest first.
func (s *Source) releases(ctx context.Context, p resolve.Platform) ([]version.V, error) {
	out, err := s.ask(ctx, call{platform: p, hurry: true, args: s.channel("search", "--json", metapackage)})
	var no refused
	if errors.As(err, &no) && no.exception == "PackagesNotFoundError" {
		err = nil // conda's way to print an empty list
	}
	if err != nil {
		return nil, err
	}
	var list []version.V
	for _, r := range listing(out, metapackage) {
		v, err := version.Parse(r.Version)
		if err == nil && r.Name == metapackage && slices.Contains(resolve.Offered(name, v, p), "nvcc") && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b version.V) int { return b.Compare(a) })
	return list, nil
}

// channel is a command with the one channel that counts. Where it really lies, the client's settings say.
func (s *Source) channel(command ...string) []string {
	return append(command, "--override-channels", "--channel", s.config.Channel)
}

// Resolve lets the client solve for the metapackage of the release and the packages that hold the files.
func (s *Source) Resolve(ctx context.Context, req resolve.Request) (resolve.Plan, error) {
	words, err := resolve.Closure(name, req)
	if err != nil {
		return resolve.Plan{}, s.closureError(ctx, req, err)
	}
	named := resolve.Names(name, words, req.Release, req.Platform)
	for i := range named {
		named[i].Name = strings.ReplaceAll(named[i].Name, "<subdir>", subdirs[req.Platform])
	}
	solved, err := s.solve(ctx, req, named)
	if err != nil {
		return resolve.Plan{}, s.solveError(ctx, req, err)
	}
	plan := resolve.Plan{
		Source: name, Release: solved[metapackage].Version, Platform: req.Platform, Components: words, Asked: req.With, Full: req.Full,
	}
	for _, n := range named {
		plan.Parcels = append(plan.Parcels, s.parcel(n, solved[n.Name]))
	}
	plan.Size = resolve.Sum(plan.Parcels)
	return plan, nil
}

// parcel is a package of the solution. Plans are shown, so the address is without a password or token; see place.
func (s *Source) parcel(n resolve.Named, r record) resolve.Parcel {
	s.mu.Lock()
	s.places[r.SHA256] = r.URL
	s.mu.Unlock()
	p := resolve.Parcel{
		Component: n.Brings[0], Name: r.Name, Version: r.Version, File: r.File, Place: child.Mask(r.URL), SHA256: r.SHA256,
		Size: resolve.Size{Download: r.Size}, Format: resolve.Conda, License: data.LicenseOf(n.Brings[0]),
	}
	if len(n.Brings) > 1 {
		p.Brings = n.Brings
	}
	if strings.HasSuffix(r.File, "."+resolve.TarBZ2) {
		p.Format = resolve.TarBZ2
	}
	return p
}

// solve asks with the user's own package cache first, because the channel's index lies there. What lies there already
// conda does not describe in full; then it is asked again with an empty one.
func (s *Source) solve(ctx context.Context, req resolve.Request, named []resolve.Named) (map[string]record, error) {
	dir, err := os.MkdirTemp("", "cupel-conda-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var lacking []string
	for _, packages := range []string{"", filepath.Join(dir, "pkgs")} {
		out, err := s.ask(ctx, call{
			platform: req.Platform, release: req.Release.Short().String(), packages: packages,
			args: s.channel(specs(filepath.Join(dir, "prefix"), req.Release, named)...),
		})
		if err != nil {
			return nil, err
		}
		solved := solution(out)
		if lacking = missing(solved, named); len(lacking) == 0 {
			return solved, nil
		}
	}
	return nil, fmt.Errorf("the client's solution does not say where to get %s", strings.Join(lacking, ", "))
}

// specs is the command without the channel.
func specs(prefix string, release version.V, named []resolve.Named) []string {
	args := []string{
		"create", "--dry-run", "--json", "--yes", "--prefix", prefix,
		metapackage + "=" + release.String(), "cuda-version=" + release.Short().String(),
	}
	for _, n := range named {
		args = append(args, n.Name)
	}
	return args
}

func missing(solved map[string]record, named []resolve.Named) []string {
	var out []string
	if _, err := version.Parse(solved[metapackage].Version); err != nil {
		out = append(out, metapackage)
	}
	for _, n := range named {
		if !solved[n.Name].whole() {
			out = append(out, n.Name)
		}
	}
	return out
}

// closureError tells a release that the table does not have from a component that it does not have.
func (s *Source) closureError(ctx context.Context, req resolve.Request, err error) error {
	if slices.Contains(resolve.Offered(name, req.Release, req.Platform), "nvcc") {
		return err
	}
	if unknown := (resolve.UnknownComponent{}); errors.As(err, &unknown) {
		return err
	}
	return s.noRelease(ctx, req)
}

// solveError: clients say in many ways that a release is not there, so the channel is asked what it has.
func (s *Source) solveError(ctx context.Context, req resolve.Request, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	releases, listErr := s.releases(ctx, req.Platform)
	if listErr == nil && !slices.ContainsFunc(releases, req.Release.Covers) {
		return s.noRelease(ctx, req)
	}
	return fmt.Errorf("solve for CUDA %s: %w", req.Release, err)
}

func (s *Source) noRelease(ctx context.Context, req resolve.Request) error {
	e := source.NoRelease{Source: name, Wish: req.Release.String(), Platform: req.Platform}
	releases, err := s.releases(ctx, req.Platform)
	if err != nil {
		return err
	}
	for _, v := range releases {
		e.Has = append(e.Has, v.String())
	}
	return e
}
