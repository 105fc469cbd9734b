// Package local is the source of toolkits that are on this machine already: a CUDA root that somebody else installed and
// that cupel only registers. It reads the root's own files (version.json, cuda.h, the head of nvcc) and runs, copies and
// changes nothing.
package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"cupel/data"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

const (
	name = "local"
	next = "name the folder that holds bin, include and nvvm"
)

// Source is one root.
type Source struct {
	root    string
	release string
}

var _ source.Source = (*Source)(nil)

// New is the source of a root. Its release is read from its files when the caller does not know it.
func New(root, release string) *Source { return &Source{root: root, release: release} }

func (s *Source) Name() string { return name }

// Reach looks for nvcc.
func (s *Source) Reach(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return source.Unreachable{Source: name, Why: err.Error()}
	}
	_, err := s.look()
	return err
}

// found is what a root turned out to be.
type found struct {
	root     string
	release  version.V
	platform resolve.Platform
	words    []string
}

// look reads the root.
func (s *Source) look() (found, error) {
	if s.root == "" {
		return found{}, source.Unreachable{Source: name, Why: "no folder was named", Next: next}
	}
	root, err := filepath.Abs(s.root)
	if err != nil {
		return found{}, source.Unreachable{Source: name, Why: err.Error()}
	}
	nvcc, err := compiler(root)
	if err != nil {
		return found{}, source.Unreachable{Source: name, Why: why(root, err), Next: next}
	}
	f := found{root: root, platform: platformOf(nvcc), words: words(root)}
	if f.release, err = s.releaseOf(root); err != nil {
		return found{}, source.Unreachable{Source: name, Why: err.Error(), Next: "name its release too"}
	}
	return f, nil
}

func why(root string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("%s is no CUDA root: there is no bin/nvcc in it", root)
	}
	return fmt.Sprintf("%s cannot be read: %v", root, err)
}

func (s *Source) releaseOf(root string) (version.V, error) {
	if s.release == "" {
		return release(root)
	}
	v, err := version.Parse(s.release)
	if err != nil || v.Parts() < 2 {
		return version.V{}, fmt.Errorf("%q is no release of CUDA", s.release)
	}
	return v, nil
}

// Offers is the one release that the root is, on the platform that its compiler runs on.
func (s *Source) Offers(ctx context.Context, p resolve.Platform) ([]resolve.Offer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := s.look()
	if err != nil || f.platform != p {
		return nil, err
	}
	return []resolve.Offer{{Source: name, Release: f.release.String(), Platform: p, Components: f.words, Note: f.root}}, nil
}

// Resolve is a plan without parcels, for there is nothing to fetch. A request without a release is met by whatever
// release the root is.
func (s *Source) Resolve(ctx context.Context, req resolve.Request) (resolve.Plan, error) {
	if err := ctx.Err(); err != nil {
		return resolve.Plan{}, err
	}
	f, err := s.look()
	if err != nil {
		return resolve.Plan{}, err
	}
	if f.platform != req.Platform || !req.Release.IsZero() && !req.Release.Covers(f.release) {
		return resolve.Plan{}, f.noRelease(req)
	}
	if err := f.has(req.With, req.Platform); err != nil {
		return resolve.Plan{}, err
	}
	return resolve.Plan{
		Source: name, Release: f.release.String(), Platform: f.platform, Components: f.words,
		Asked: req.With, Full: req.Full, Root: f.root,
	}, nil
}

func (f found) noRelease(req resolve.Request) error {
	e := source.NoRelease{Source: name, Wish: req.Release.String(), Platform: req.Platform}
	if f.platform == req.Platform {
		e.Has = []string{f.release.String()}
	}
	return e
}

// has says which of the wanted components the root lacks.
func (f found) has(with []string, p resolve.Platform) error {
	var missing []string
	for _, w := range with {
		if _, ok := data.ComponentByWord(w); !ok {
			return resolve.UnknownComponent{Word: w}
		}
		if !slices.Contains(f.words, w) {
			missing = append(missing, w)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return resolve.NotOffered{Source: name, Release: f.release.String(), Platform: p, Words: missing}
}

// Fetch is never needed: plans of this source have no parcels.
func (s *Source) Fetch(_ context.Context, _ resolve.Plan, parcel resolve.Parcel, _ string, _ progress.Report) (string, error) {
	return "", fmt.Errorf("fetch %s: a toolkit that is here already is registered, not fetched", parcel.Name)
}
