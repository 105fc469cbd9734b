// Package source is where toolkits come from: the one interface behind which NVIDIA's archives, pip, apt, conda and a
// folder look alike. A source tells what it has, names the parcels of an install and brings them; it installs nothing,
// and what it brings is not trusted before its checksum was looked at.
package source

import (
	"context"
	"fmt"
	"time"

	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// Patience is how long a source may take to say whether it can be reached.
const Patience = 3 * time.Second

// Source is one place to get toolkits from.
type Source interface {
	// Name is one of data.SourceNames.
	Name() string
	// Reach says whether the source can be used here and now: its client is there and its server answers. It costs no
	// more than a moment, and ends with the context. An error is Unreachable.
	Reach(ctx context.Context) error
	// Offers lists the releases it has for a platform, newest first.
	Offers(ctx context.Context, p resolve.Platform) ([]resolve.Offer, error)
	// Resolve turns a request into exact parcels. A release that it does not have is NoRelease, a component
	// resolve.NotOffered.
	Resolve(ctx context.Context, req resolve.Request) (resolve.Plan, error)
	// Fetch brings one parcel of a plan into the folder dir, which is there and which nobody else uses meanwhile, and
	// returns where it lies. What an earlier, broken call left in dir may be used to go on. The caller compares sizes
	// and checksums.
	Fetch(ctx context.Context, plan resolve.Plan, parcel resolve.Parcel, dir string, report progress.Report) (path string, err error)
}

// Batcher is a source whose client is slow to start and brings several parcels with one start.
type Batcher interface {
	Source
	// Batches shares parcels out among starts of the client; each parcel is in one batch. Batches may be fetched at the
	// same time.
	Batches(parcels []resolve.Parcel) [][]resolve.Parcel
	// FetchBatch is Fetch for a batch: each parcel comes into the folder at its place in dirs, all of one file system,
	// and the paths are in the same order. It brings all or none; what lies finished in its folder is not fetched again.
	FetchBatch(ctx context.Context, plan resolve.Plan, batch []resolve.Parcel, dirs []string, report progress.Report) (paths []string, err error)
}

// Unreachable says why a source cannot be used here.
type Unreachable struct {
	Source string
	Why    string // no pip or uv on PATH; 127.0.0.1:9 refuses the connection
	Next   string // what would make it reachable, where there is something
}

func (e Unreachable) Error() string { return e.Source + ": " + e.Why }

// NoRelease is a wish that a source cannot meet.
type NoRelease struct {
	Source   string
	Wish     string
	Platform resolve.Platform
	Has      []string // releases it has instead, newest first
}

func (e NoRelease) Error() string {
	text := fmt.Sprintf("%s has no CUDA %s for %s", e.Source, e.Wish, e.Platform)
	if len(e.Has) > 0 {
		text += fmt.Sprintf(": it has %s", list(e.Has))
	}
	return text
}

func list(words []string) string {
	out := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			out += " and "
		default:
			out += ", "
		}
		out += w
	}
	return out
}
