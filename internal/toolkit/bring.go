package toolkit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/unpack"
)

// defaultJobs is how many parcels are fetched at once: one connection seldom fills the line.
const defaultJobs = 4

// brought is a parcel that lies in the new folder.
type brought struct {
	parcel   resolve.Parcel
	path     string
	sum      string
	size     int64
	cached   bool // it lay in the download cache
	files    []unpack.File
	unpacked int64
}

func (b brought) file() string { return cmp.Or(b.parcel.File, filepath.Base(b.path)) }

// checksum is that of what was fetched, for whoever fetches it again.
func (b brought) checksum() string {
	if b.parcel.Format == resolve.Tree {
		return cmp.Or(promised(b.parcel), b.sum)
	}
	return b.sum
}

func (b brought) words() []string { return union([]string{b.parcel.Component}, b.parcel.Brings) }

// bring fetches, verifies and unpacks what is missing, each parcel as soon as it is there. The largest come first: what
// is left to the end should be small.
func (w *work) bring(ctx context.Context) error {
	missing := w.have.missing(w.plan)
	if err := w.room(missing); err != nil {
		return err
	}
	order := slices.Clone(missing)
	slices.SortStableFunc(order, func(a, b resolve.Parcel) int { return cmp.Compare(b.Size.Download, a.Size.Download) })
	done, err := w.bringAll(ctx, order)
	if err != nil {
		return err
	}
	for _, p := range missing {
		w.brought = append(w.brought, done[p.Name])
	}
	return nil
}

// room looks at the disks before anything is fetched. Sizes that nobody knows count as nothing; each parcel is measured
// again when it is there.
func (w *work) room(missing []resolve.Parcel) error {
	var need resolve.Size
	for _, p := range missing {
		need.Download += p.Size.Download
		need.Installed += p.Size.Installed
	}
	return depot.Room(depot.Need{Dir: w.Depot.Cache, Bytes: need.Download}, depot.Need{Dir: w.Depot.Home, Bytes: need.Installed})
}

// batches are the parcels that one call of the source brings: one by one, unless it can bring more at less cost.
func (w *work) batches(parcels []resolve.Parcel) [][]resolve.Parcel {
	if b, ok := w.src.(source.Batcher); ok && len(parcels) > 0 {
		return b.Batches(parcels)
	}
	return slices.Collect(slices.Chunk(parcels, 1))
}

func (w *work) bringAll(ctx context.Context, parcels []resolve.Parcel) (map[string]brought, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	done := map[string]brought{}
	next := make(chan []resolve.Parcel)
	unpacking := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))
	batches := w.batches(parcels)
	var all sync.WaitGroup
	for range min(len(batches), cmp.Or(w.Jobs, defaultJobs)) {
		all.Go(func() {
			for batch := range next {
				came, err := w.bringBatch(ctx, batch, unpacking)
				if err != nil {
					stop(err)
					continue
				}
				mu.Lock()
				for _, b := range came {
					done[b.parcel.Name] = b
				}
				mu.Unlock()
			}
		})
	}
	for _, batch := range batches {
		if ctx.Err() != nil {
			break
		}
		next <- batch
	}
	close(next)
	all.Wait()
	return done, context.Cause(ctx)
}

// bringBatch holds the downloads of its parcels while they are fetched and unpacked, and no longer.
func (w *work) bringBatch(ctx context.Context, batch []resolve.Parcel, unpacking chan struct{}) ([]brought, error) {
	dirs, release, err := w.hold(ctx, batch)
	if err != nil {
		return nil, named(batch, err)
	}
	defer release()
	stop := w.times.start(progress.Fetch)
	came, err := w.fetch(ctx, batch, dirs)
	stop()
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(came))
	var all sync.WaitGroup
	for i := range came {
		all.Go(func() { errs[i] = w.unpackInTurn(ctx, &came[i], unpacking) })
	}
	all.Wait()
	return came, cmp.Or(errs...)
}

// hold takes the download folders of a batch, in the order of their keys: who holds one may wait for a later one alone,
// so no two wait for each other.
func (w *work) hold(ctx context.Context, batch []resolve.Parcel) (dirs []string, release func(), err error) {
	var keys []string
	for _, p := range batch {
		keys = append(keys, key(p, w.plan.Platform))
	}
	at := map[string]string{}
	var held []func()
	release = func() {
		for _, r := range held {
			r()
		}
	}
	for _, k := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		dir, r, err := w.Depot.Hold(ctx, k, w.Report)
		if err != nil {
			release()
			return nil, nil, err
		}
		at[k], held = dir, append(held, r)
	}
	for _, k := range keys {
		dirs = append(dirs, at[k])
	}
	return dirs, release, nil
}

// named says which parcel an error is about, where it is about one.
func named(batch []resolve.Parcel, err error) error {
	if len(batch) > 1 {
		return err
	}
	return fmt.Errorf("%s: %w", batch[0].Name, err)
}

func (w *work) unpackInTurn(ctx context.Context, b *brought, unpacking chan struct{}) error {
	select {
	case unpacking <- struct{}{}:
		defer func() { <-unpacking }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer w.times.start(progress.Unpack)()
	if err := w.unpack(ctx, b); err != nil {
		return fmt.Errorf("%s: %w", b.parcel.Name, err)
	}
	return nil
}

func (w *work) unpack(ctx context.Context, b *brought) error {
	o := unpack.Options{
		Format: b.parcel.Format, Place: resolve.LayoutOf(w.plan, b.parcel).Place, NoLinks: w.plan.Platform.Windows(),
		Item: b.parcel.Name, Report: w.Report,
	}
	need, err := unpack.Measure(b.path, o)
	if err != nil {
		return fmt.Errorf("measure: %w", err)
	}
	if err := depot.Space(w.change.Dir, need); err != nil {
		return err
	}
	b.files, err = unpack.Unpack(ctx, b.path, w.change.Dir, o)
	if err != nil {
		return depot.Full(w.change.Dir, need, err)
	}
	for _, f := range b.files {
		b.unpacked += f.Size
	}
	return nil
}

// sums are the checksums that are known already, by path.
func (w *work) sums() map[string]unpack.File {
	out := map[string]unpack.File{}
	if w.adopted {
		if old, err := depot.Read(w.change.Old.Dir); err == nil {
			for _, f := range old.Files {
				out[f.Path] = f
			}
		}
	}
	for _, b := range w.brought {
		for _, f := range b.files {
			out[f.Path] = f
		}
	}
	for _, path := range slices.Concat(w.root.made, mended) {
		delete(out, path)
	}
	return out
}

// notBrought is what a source promised and did not bring.
type notBrought struct{ path string }

func (e notBrought) Error() string {
	return "the source said that it brought " + e.path + ", but it is not there"
}

func missingFile(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return notBrought{path}
	}
	return err
}
