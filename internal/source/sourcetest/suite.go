package sourcetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

// Harness is one source as the suite sees it.
type Harness struct {
	New       func(t *testing.T) source.Source // a fresh one that can be reached
	Platform  resolve.Platform
	Release   string           // X.Y.Z as the source's plans name it
	Component string           // a word that it has besides the minimal set; empty: it has none
	Lacks     string           // a word that it does not have; empty: it has all
	Elsewhere resolve.Platform // another platform for which it has the release; zero: none
	Unknown   string           // a release that it does not have; empty: 9.9
	Root      []string         // files of the finished root; empty: those of a minimal toolkit for the platform
	Few       []string         // Fetch is tried with parcels of these components alone, because the rest is large; then Root is not looked at
	NoFetch   string           // why parcels are not fetched here
	Unsummed  bool             // parcels may have no checksum before they are fetched
}

// Run is the suite that every source passes.
func Run(t *testing.T, h Harness) {
	if h.Unknown == "" {
		h.Unknown = "9.9"
	}
	t.Run("name", h.name)
	t.Run("reach", h.reach)
	t.Run("offers", h.offers)
	t.Run("resolve", h.resolve)
	t.Run("with and full", h.withAndFull)
	t.Run("refusals", h.refusals)
	t.Run("elsewhere", h.elsewhere)
	t.Run("fetch", h.fetch)
}

// patient is a context for work that the suite does not time.
func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func (h Harness) request(release string) resolve.Request {
	return resolve.Request{Release: version.MustParse(release), Platform: h.Platform}
}

func (h Harness) name(t *testing.T) {
	if got := h.New(t).Name(); !slices.Contains(data.SourceNames, got) {
		t.Errorf("Name() = %q, want one of %v", got, data.SourceNames)
	}
}

// reach: an answer, however long a busy machine takes for it, and none after the caller has lost interest.
func (h Harness) reach(t *testing.T) {
	src := h.New(t)
	if err := src.Reach(patient(t)); err != nil {
		t.Fatalf("Reach: %v", err)
	}
	start := time.Now()
	err := src.Reach(ended(t))
	if took := time.Since(start); took > source.Patience {
		t.Errorf("Reach with an ended context took %s (%v)", took, err)
	}
	var unreachable source.Unreachable
	if err != nil && !errors.As(err, &unreachable) && !errors.Is(err, context.Canceled) {
		t.Errorf("Reach with an ended context: %v (%T), want source.Unreachable", err, err)
	}
}

// offers: the release is there with words of the table, newest first, sizes apart.
func (h Harness) offers(t *testing.T) {
	src := h.New(t)
	offers, err := src.Offers(patient(t), h.Platform)
	if err != nil {
		t.Fatalf("Offers: %v", err)
	}
	h.sane(t, src.Name(), offers)
	short := version.MustParse(h.Release).Short()
	i := slices.IndexFunc(offers, func(o resolve.Offer) bool { return version.MustParse(o.Release).Short() == short })
	if i < 0 {
		t.Fatalf("Offers has no %s: %v", h.Release, offers)
	}
	for _, word := range append(resolve.Minimal(), h.Component) {
		if _, offered := resolve.Row(src.Name(), word, short, h.Platform); offered && !slices.Contains(offers[i].Components, word) {
			t.Errorf("offer of %s has no %s, which its table has: %v", h.Release, word, offers[i].Components)
		}
	}
	if h.Component != "" && !slices.Contains(offers[i].Components, h.Component) {
		t.Errorf("offer of %s has no %s: %v", h.Release, h.Component, offers[i].Components)
	}
	if _, err := src.Offers(ended(t), h.Platform); err != nil && !errors.Is(err, context.Canceled) && !isUnreachable(err) {
		t.Errorf("Offers with an ended context: %v, want the context's error or source.Unreachable", err)
	}
}

func isUnreachable(err error) bool {
	var e source.Unreachable
	return errors.As(err, &e)
}

// sane looks at every offer.
func (h Harness) sane(t *testing.T, name string, offers []resolve.Offer) {
	t.Helper()
	var last version.V
	for i, o := range offers {
		v, err := version.Parse(o.Release)
		if err != nil || i > 0 && last.Less(v) {
			t.Errorf("offer %d is %q after %s, want newest first (%v)", i, o.Release, last, err)
		}
		last = v
		if o.Source != name || o.Platform != h.Platform {
			t.Errorf("offer %s is of %s for %s, want %s for %s", o.Release, o.Source, o.Platform, name, h.Platform)
		}
		for _, w := range o.Components {
			if _, ok := data.ComponentByWord(w); !ok {
				t.Errorf("offer %s names %q, which is no word of components.toml", o.Release, w)
			}
		}
		for _, n := range []int64{o.Minimal.Download, o.Minimal.Installed, o.Full.Download, o.Full.Installed} {
			if n < 0 {
				t.Errorf("offer %s has a size of %d", o.Release, n)
			}
		}
		if o.Full.Download > 0 && o.Full.Download < o.Minimal.Download {
			t.Errorf("offer %s: full is %d bytes, minimal %d", o.Release, o.Full.Download, o.Minimal.Download)
		}
	}
}
