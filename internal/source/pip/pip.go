// Package pip gets toolkits from a Python package index through the user's own pip or uv, so that their indexes, mirrors,
// credentials, proxies and certificates are honoured. The metapackage cuda-toolkit says which packages make up a release;
// its markers are read here, because the client's own answer would be for the platform it runs on. It installs nothing
// into any Python.
package pip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"

	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

const (
	sourceName  = "pip"
	metapackage = "cuda-toolkit"
)

// Config says which client is used. The zero value looks for one.
type Config struct {
	Pip  []string                          // the command of pip, instead of looking for one; uv is not tried then
	UV   string                            // the program uv, instead of looking for a client
	Env  []string                          // nil: this program's own
	Work string                            // folder for what a client needs while it answers, below CUPEL_CACHE; empty: the system's
	Look func(string) (string, error)      // finds a program; nil: on PATH
	OS   string                            // nil value: this system; decides how Python is started
	Stat func(string) (os.FileInfo, error) // nil: os.Stat
}

// Source is toolkits from a Python package index.
type Source struct {
	cfg    Config
	mu     sync.Mutex
	made   map[string]client // by command
	chosen client
	metas  map[string]core // by wish
}

var _ source.Batcher = (*Source)(nil)

// New makes the source; nothing is started before it is asked something.
func New(cfg Config) *Source {
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	if cfg.Look == nil {
		cfg.Look = exec.LookPath
	}
	if cfg.OS == "" {
		cfg.OS = runtime.GOOS
	}
	if cfg.Stat == nil {
		cfg.Stat = os.Stat
	}
	return &Source{cfg: cfg, made: map[string]client{}, metas: map[string]core{}}
}

// Name is pip.
func (s *Source) Name() string { return sourceName }

// client is a program that speaks to package indexes.
type client interface {
	title() string
	// starts says whether the client is there.
	starts(ctx context.Context) error
	// reach asks the index for the metapackage, and gives up early. asking is called when the question goes out.
	reach(ctx context.Context, asking func()) error
	// releases lists the versions of the metapackage; nil when the client cannot list.
	releases(ctx context.Context) ([]number, error)
	// metadata is the METADATA of the newest metapackage that a specifier allows.
	metadata(ctx context.Context, spec string) (string, error)
	// prepare looks packages up that wheels will be asked for; it is no matter when that fails.
	prepare(ctx context.Context, packages []string)
	// wheels finds the file of each pin for a platform.
	wheels(ctx context.Context, pins []pin, p resolve.Platform) ([]wheel, error)
	// format is what fetch brings: resolve.Wheel or resolve.Tree.
	format() string
	// fetch brings parcels with one start where it can, each into its own folder.
	fetch(ctx context.Context, plan resolve.Plan, parcels []resolve.Parcel, dirs []string, report progress.Report) ([]string, error)
}

// Offers lists the releases on the index, and where it cannot be listed those of the table.
func (s *Source) Offers(ctx context.Context, p resolve.Platform) ([]resolve.Offer, error) {
	c, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.releases(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the releases of %s: %w", metapackage, short(err))
	}
	note := windowsNote(p)
	if found == nil {
		found = known(p)
		note = join(note, "releases as cupel knows them: "+c.title()+" does not list an index")
	}
	var out []resolve.Offer
	for _, n := range found {
		if r := n.release(); offered(r, p) {
			out = append(out, offer(r, p, note))
		}
	}
	return out, nil
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// windowsNote says what somebody would look for: the table has why.
func windowsNote(p resolve.Platform) string {
	if !p.Windows() {
		return ""
	}
	return "without the math libraries, NVRTC, CUPTI and cuDNN: their wheels for Windows have no import libraries; redist has them"
}

// offered says whether a release has a compiler for the platform.
func offered(r version.V, p resolve.Platform) bool {
	_, ok := resolve.Row(sourceName, "nvcc", r, p)
	return ok
}

func offer(r version.V, p resolve.Platform, note string) resolve.Offer {
	o := resolve.Offer{Source: sourceName, Release: r.String(), Platform: p, Components: resolve.Offered(sourceName, r, p), Note: note}
	o.Minimal = weigh(r, p, resolve.Request{Release: r, Platform: p})
	o.Full = weigh(r, p, resolve.Request{Release: r, Platform: p, Full: true})
	return o
}

// noRelease is the answer to a wish for which the index has nothing.
func noRelease(wish version.V, p resolve.Platform, found []number) error {
	err := source.NoRelease{Source: sourceName, Wish: wish.String(), Platform: p}
	for _, n := range found {
		r := n.release()
		if offered(r, p) && !slices.ContainsFunc(err.Has, func(h string) bool { return r.Short().Covers(version.MustParse(h)) }) {
			err.Has = append(err.Has, r.String())
		}
	}
	if first, ok := firstRelease(p); ok && wish.Short().Less(first) {
		return fmt.Errorf("%w (wheels of releases before %s hold no nvcc for %s; redist and apt may have it: --from redist, --from apt)", err, first, p)
	}
	return err
}

var errNoVersion = errors.New("no such version on the index")
