package toolkit

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/unpack"
)

// TestFaults: each ends with an error that names the trouble, leaves nothing visible, and the next run succeeds.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(s *shop) func()
		want  string
		is    func(err error) bool
	}{
		{"wrong checksum", func(s *shop) func() {
			s.spoil = flip
			return func() { s.spoil = nil }
		}, "sha256 is", is[WrongChecksum]},
		{"truncated", func(s *shop) func() {
			s.spoil = func(path string) error { return os.Truncate(path, 100) }
			return func() { s.spoil = nil }
		}, "cut off", is[WrongChecksum]},
		{"the source has not what the plan names", func(s *shop) func() {
			from, to := filepath.Join(s.dir, "nvidia-nvvm.whl"), filepath.Join(s.dir, "gone")
			_ = os.Rename(from, to)
			return func() { _ = os.Rename(to, from) }
		}, "nvidia-nvvm: fetch", func(err error) bool { return errors.Is(err, os.ErrNotExist) }},
		{"the source brings nothing", func(s *shop) func() {
			s.spoil = os.Remove
			return func() { s.spoil = nil }
		}, "it is not there", is[notBrought]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i, s := newInstaller(t), newShop(t, here)
			plan := s.plan(t, here)
			restore := tt.spoil(s)
			_, err := i.Install(ctx, s, plan)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !tt.is(err) {
				t.Errorf("install: %v, want %q", err, tt.want)
			}
			if got, hidden := visible(t, i), left(t, i); len(got)+len(hidden) > 0 {
				t.Errorf("visible %q, left %q", got, hidden)
			}
			restore()
			if _, err := i.Install(ctx, s, plan); err != nil {
				t.Errorf("the next run: %v", err)
			}
			visible(t, i)
		})
	}
}

// flip changes one byte in the middle.
func flip(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 1
	return os.WriteFile(path, data, 0o644)
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// TestHostileArchive: the checksum fits, for the source itself is hostile. What else is refused is tested where archives
// are unpacked.
func TestHostileArchive(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	var wheel bytes.Buffer
	z := zip.NewWriter(&wheel)
	for _, text := range []string{"one", "two"} {
		w, err := z.Create("nvidia/cu13/include/crt/host_config.h")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, "nvidia-cuda-crt.whl")
	_ = os.Remove(path)
	if err := os.WriteFile(path, wheel.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := i.Install(ctx, s, s.plan(t, here))
	if !is[unpack.Refused](err) || !strings.Contains(err.Error(), "nvidia-cuda-crt: ") {
		t.Errorf("install: %v, want the archive refused by name", err)
	}
	if got, hidden := visible(t, i), left(t, i); len(got)+len(hidden) > 0 {
		t.Errorf("visible %q, left %q", got, hidden)
	}
}

// TestUnproved: a root that lacks a part or whose compiler does not answer is taken away, and the old one stays.
func TestUnproved(t *testing.T) {
	for _, tt := range []struct{ name, wheel, file, want string }{
		{"a part is missing", "nvidia-nvvm", "nvvm/bin/nothing", "cicc"},
		{"nvcc is no program", "nvidia-cuda-nvcc", "bin/nvcc", "nvcc --version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i, s := newInstaller(t), newShop(t, here)
			if _, err := i.Install(ctx, s, s.plan(t, here)); err != nil {
				t.Fatal(err)
			}
			before := visible(t, i)
			bad := newShop(t, here)
			spoilWheel(t, bad, tt.wheel, tt.file)
			plan := bad.plan(t, here)
			_, err := i.Install(ctx, bad, plan)
			if !is[Unproved](err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("install: %v, want Unproved with %q", err, tt.want)
			}
			if got, hidden := visible(t, i), left(t, i); strings.Join(got, ",") != strings.Join(before, ",") || len(hidden) > 0 {
				t.Errorf("visible %q, want %q; left %q", got, before, hidden)
			}
		})
	}
}

// spoilWheel leaves out all of a wheel's programs but keeps its other files, and adds one file that is no program.
func spoilWheel(t *testing.T, s *shop, wheel, file string) {
	t.Helper()
	exe := map[bool]string{true: ".exe"}[here.Windows()]
	files := []string{file + exe}
	if file == "bin/nvcc" {
		for _, f := range wheels[wheel][here.Windows()] {
			if !strings.HasSuffix(f, "bin/nvcc"+exe) {
				files = append(files, f)
			}
		}
	}
	if err := writeWheel(filepath.Join(s.dir, wheel+".whl"), files...); err != nil {
		t.Fatal(err)
	}
}

// TestTwoAtOnce: the same and different toolkits, from several goroutines with one depot.
func TestTwoAtOnce(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	var all sync.WaitGroup
	var already atomic.Int64
	other := s.plan(t, here)
	other.Release = "13.0.1"
	for n := range 6 {
		plan := s.plan(t, here)
		if n%2 == 1 {
			plan = other
		}
		all.Go(func() {
			out, err := i.Install(ctx, s, plan)
			if err != nil {
				t.Error(err)
			}
			if out.Already {
				already.Add(1)
			}
		})
	}
	all.Wait()
	if got := visible(t, i); len(got) != 2 || already.Load() != 4 {
		t.Errorf("visible %q, %d found it installed; want two and 4", got, already.Load())
	}
	if got := left(t, i); len(got) > 0 {
		t.Errorf("left: %q", got)
	}
}

func TestCancelled(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	stopped, stop := context.WithCancel(ctx)
	s.spoil = func(string) error { stop(); return nil }
	if _, err := i.Install(stopped, s, s.plan(t, here)); !errors.Is(err, context.Canceled) {
		t.Errorf("install: %v, want %v", err, context.Canceled)
	}
	if got, hidden := visible(t, i), left(t, i); len(got)+len(hidden) > 0 {
		t.Errorf("visible %q, left %q", got, hidden)
	}
}

// TestNoRoom: the disk is looked at before anything is fetched.
func TestNoRoom(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	plan := s.plan(t, here)
	plan.Parcels[0].Size.Download = 1 << 60
	if _, err := i.Install(ctx, s, plan); !is[depot.NoSpace](err) || s.fetched.Load() > 0 {
		t.Errorf("install: %v, %d fetched, want NoSpace and none", err, s.fetched.Load())
	}
}

// mirror is a shop whose files are used where they lie.
type mirror struct{ *shop }

func (m mirror) Fetch(_ context.Context, _ resolve.Plan, p resolve.Parcel, _ string, _ progress.Report) (string, error) {
	return filepath.Join(m.dir, p.File), nil
}

// TestWrongInMirror: a file that is not cupel's is not deleted, and the error does not say so.
func TestWrongInMirror(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	plan := s.plan(t, here)
	plan.Parcels[0].SHA256 = sumOf(nil)
	path := filepath.Join(s.dir, plan.Parcels[0].File)
	_, err := i.Install(ctx, mirror{s}, plan)
	var wrong WrongChecksum
	if !errors.As(err, &wrong) || wrong.Kept != path || !strings.Contains(err.Error(), path+" and was left there") || strings.Contains(err.Error(), "deleted") {
		t.Errorf("install: %v, want WrongChecksum that names %s", err, path)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the mirror's file: %v", err)
	}
	if _, err := i.Install(ctx, mirror{s}, s.plan(t, here)); err != nil {
		t.Errorf("the next run: %v", err)
	}
}
