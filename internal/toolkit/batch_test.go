package toolkit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
)

// van is a shop that brings two parcels at a time.
type van struct {
	*shop
	tours    atomic.Int64
	reversed bool // the order in which it takes parcels
}

var _ source.Batcher = (*van)(nil)

func (v *van) Batches(parcels []resolve.Parcel) [][]resolve.Parcel {
	parcels = slices.Clone(parcels)
	if v.reversed {
		slices.Reverse(parcels)
	}
	return slices.Collect(slices.Chunk(parcels, 2))
}

func (v *van) FetchBatch(ctx context.Context, plan resolve.Plan, batch []resolve.Parcel, dirs []string, report progress.Report) ([]string, error) {
	v.tours.Add(1)
	var paths []string
	for i, p := range batch {
		path, err := v.Fetch(ctx, plan, p, dirs[i], report)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// TestBatches: parcels come together, each into its own folder; what lies there finished is not fetched again.
func TestBatches(t *testing.T) {
	i, v := newInstaller(t), &van{shop: newShop(t, here)}
	plan := v.plan(t, here)
	ready := plan.Parcels[4]
	dir, release, err := i.Depot.Hold(ctx, key(ready, here), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Fetch(ctx, plan, ready, dir, nil); err != nil {
		t.Fatal(err)
	}
	release()
	out, err := i.Install(ctx, v, plan)
	if err != nil || v.fetched.Load() != 5 || len(out.Added) != 5 {
		t.Errorf("install: %v, %d fetched, %d added; want 5 and 5", err, v.fetched.Load(), len(out.Added))
	}
	if v.tours.Load() == 0 {
		t.Error("no batch was fetched")
	}
	if got := visible(t, i); len(got) != 1 {
		t.Errorf("visible: %q", got)
	}
}

// TestBatchFaults: the one that is wrong is named, the others of its batch are kept.
func TestBatchFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(path string) error
		want  string
		is    func(error) bool
	}{
		{"another file under the name", flip, "nvidia-nvvm: verify nvidia-nvvm: sha256 is ", is[WrongChecksum]},
		{"cut off", func(path string) error { return os.Truncate(path, 100) }, "nvidia-nvvm: verify nvidia-nvvm: it has 100 bytes, want ", is[WrongChecksum]},
		{"a smaller wheel made anew", func(path string) error { return writeWheel(path, "include/nvvm.h") }, "nvidia-nvvm.whl than NVIDIA published (a mirror", is[WrongChecksum]},
		{"not fetched", func(string) error { return errLine }, "fetch: the line broke", func(err error) bool { return errors.Is(err, errLine) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i, v := newInstaller(t), &van{shop: newShop(t, here)}
			v.spoil = func(path string) error {
				if filepath.Base(path) == "nvidia-nvvm.whl" {
					return tt.spoil(path)
				}
				return nil
			}
			if _, err := i.Install(ctx, v, v.plan(t, here)); err == nil || !strings.Contains(err.Error(), tt.want) || !tt.is(err) {
				t.Errorf("install: %v, want %q", err, tt.want)
			}
			if got, hidden := visible(t, i), left(t, i); len(got)+len(hidden) > 0 {
				t.Errorf("visible %q, left %q", got, hidden)
			}
			v.spoil = nil
			if _, err := i.Install(ctx, v, v.plan(t, here)); err != nil {
				t.Errorf("the next install: %v", err)
			}
		})
	}
}

var errLine = errors.New("the line broke")

// TestBatchesAtOnce: installs that want the same downloads in another order do not wait for each other.
func TestBatchesAtOnce(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	var all sync.WaitGroup
	for n := range 6 {
		v, plan := &van{shop: s, reversed: n%2 == 1}, s.plan(t, here)
		plan.Release = "13.0." + string(rune('0'+n))
		all.Go(func() {
			if _, err := i.Install(ctx, v, plan); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := visible(t, i); len(got) != 6 {
		t.Errorf("visible %q, want six", got)
	}
}

// TestWrongWheel: pip has compared what came with the index, so the index has another file than the table.
func TestWrongWheel(t *testing.T) {
	p := resolve.Parcel{Name: "nvidia-nvvm", File: "nvidia_nvvm-13.0.88-py3-none-win_amd64.whl", SHA256: "aa", Size: resolve.Size{Download: 5}}
	for _, tt := range []struct {
		format string
		size   int64
		want   string
	}{
		{resolve.TarXZ, 5, "verify nvidia-nvvm: sha256 is bb, want aa: it was deleted"},
		{resolve.TarXZ, 4, "verify nvidia-nvvm: it has 4 bytes, want 5: it was cut off, and was deleted"},
		{resolve.Wheel, 5, "verify nvidia-nvvm: sha256 is bb, want aa: the package index has another nvidia_nvvm-13.0.88-py3-none-win_amd64.whl than NVIDIA published (a mirror that made it anew, or changed it); it was deleted"},
		{resolve.Wheel, 4, "verify nvidia-nvvm: it has 4 bytes, want 5: it was cut off, and was deleted"},
	} {
		p.Format = tt.format
		e := WrongChecksum{Parcel: p, Got: "bb", GotSize: tt.size, Truncated: tt.size < p.Size.Download}
		if got := e.Error(); got != tt.want {
			t.Errorf("%s of %d bytes: %q, want %q", tt.format, tt.size, got, tt.want)
		}
	}
	e := WrongChecksum{Parcel: p, Got: "bb", GotSize: 4, Truncated: true, Kept: "mirror/a.whl"}
	if got, want := e.Error(), "verify nvidia-nvvm: it has 4 bytes, want 5: it was cut off; it lies in mirror/a.whl and was left there"; got != want {
		t.Errorf("kept: %q, want %q", got, want)
	}
}
