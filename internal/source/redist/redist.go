// Package redist is NVIDIA's own archives as a source of toolkits: a list of components for each release
// (redistrib_X.Y.Z.json) and an archive for each component and platform, on NVIDIA's server or in a mirror of it, which
// may be a folder. It reads lists and brings archives; lists and archives are foreign bytes.
package redist

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"time"

	"cupel/data"
	"cupel/internal/fetch"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
)

const name = "redist"

// Config says where the archives are.
type Config struct {
	Base      string       // https://…, file:///…, or a folder; empty: NVIDIA's server
	CuDNNBase string       // the same for cuDNN; empty: NVIDIA's server, or Base when that was given
	Version   string       // of this program, for the server
	Client    fetch.Client // patience and parallelism; zero: good defaults
}

// Source is the archives behind one address.
type Source struct {
	base, cudnn string
	client      fetch.Client
	lists       *lists
	slots       chan struct{} // one for each request under way
}

// New is the source of a configuration. Nothing is asked before it is used.
func New(c Config) *Source {
	base, cudnn := c.Base, c.CuDNNBase
	if cudnn == "" {
		cudnn = base
	}
	table := data.Redist()
	if base == "" {
		base = table.Base
	}
	if cudnn == "" {
		cudnn = table.CuDNNBase
	}
	client := c.Client
	if client.Agent == "" {
		client.Agent = "cupel/" + or(c.Version, "devel")
	}
	client = client.Ready()
	slots := make(chan struct{}, atOnce)
	return &Source{base: base, cudnn: cudnn, client: client, lists: &lists{client: client, slots: slots}, slots: slots}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Name is the word for this source.
func (s *Source) Name() string { return name }

// Reach asks for one list. That the server does not have it is an answer too. How long that may take is the caller's matter.
func (s *Source) Reach(ctx context.Context) error {
	start := time.Now()
	if dir, ok := fetch.Local(s.base); ok {
		return s.reachFolder(dir)
	}
	err := s.client.Head(ctx, s.listAddress(s.base, newestKnown()))
	if err == nil || answered(err) {
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("%s did not answer within %s", fetch.Shown(s.base), time.Since(start).Round(time.Second))
	}
	return s.unreachable(err)
}

func (s *Source) reachFolder(dir string) error {
	found, err := listed(dir)
	switch {
	case err != nil:
		return source.Unreachable{Source: name, Why: err.Error()}
	case len(found) == 0:
		return source.Unreachable{Source: name, Why: fmt.Sprintf("%s holds no redistrib_X.Y.Z.json", dir)}
	}
	return nil
}

// answered says that a server is there, whatever it says of this one file. A refusal is no such answer: proxies and fire
// walls give them for whole servers.
func answered(err error) bool {
	var f fetch.Failed
	return fetch.Missing(err) || errors.As(err, &f) && f.Status == 405
}

// unreachable says why the archives cannot be had.
func (s *Source) unreachable(err error) error {
	why := err.Error()
	var f fetch.Failed
	if errors.As(err, &f) {
		why = fetch.Shown(s.base) + ": " + f.Why
	}
	return source.Unreachable{Source: name, Why: why, Next: "a mirror of the archives can be named instead: an address or a folder"}
}

// Fetch brings one archive.
func (s *Source) Fetch(ctx context.Context, plan resolve.Plan, parcel resolve.Parcel, dir string, report progress.Report) (string, error) {
	if parcel.File == "" || path.Base(parcel.Place) != parcel.File || !clean(parcel.Place) {
		return "", fmt.Errorf("fetch %s: %q is no place of an archive", parcel.Name, parcel.Place)
	}
	to := filepath.Join(dir, parcel.File)
	err := s.client.Get(ctx, fetch.Request{
		URL: fetch.Join(s.baseOf(parcel), parcel.Place), To: to, Size: parcel.Size.Download, SHA256: parcel.SHA256,
		Item: parcel.Name, Report: report,
	})
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", parcel.Name, err)
	}
	return to, nil
}

// baseOf tells cuDNN, which has lists of its own, from the toolkit.
func (s *Source) baseOf(p resolve.Parcel) string {
	if c, ok := data.ComponentByWord(p.Component); ok && c.Apart {
		return s.cudnn
	}
	return s.base
}
