package toolkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"cupel/internal/depot"
	"cupel/internal/resolve"
)

// mount puts a small disk of its own at a new folder.
func mount(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small disk")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// TestDiskFull fills a disk of 64 MiB: where the plan tells the sizes it is seen before anything is fetched, where it
// does not, while writing. Nothing is left visible, and with room the next run succeeds.
func TestDiskFull(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known bool
	}{{"sizes known before", true}, {"sizes not known", false}} {
		t.Run(tt.name, func(t *testing.T) {
			disk := mount(t, "size=64m")
			i, s := newInstaller(t), newShop(t, here)
			i.Depot.Home = filepath.Join(disk, "home")
			plan := s.plan(t, here)
			filler := filepath.Join(disk, "filler")
			if err := os.WriteFile(filler, make([]byte, 62<<20), 0o644); err != nil {
				t.Fatal(err)
			}
			if !tt.known {
				for n := range plan.Parcels {
					plan.Parcels[n].Size = resolve.Size{}
				}
			}
			_, err := i.Install(ctx, s, plan)
			if !is[depot.NoSpace](err) || !strings.Contains(err.Error(), disk) {
				t.Errorf("install: %v, want NoSpace with the folder", err)
			}
			if fetched := s.fetched.Load(); tt.known && fetched > 0 {
				t.Errorf("%d parcels were fetched for a disk that is known to be too small", fetched)
			}
			if got := visible(t, i); len(got) > 0 {
				t.Errorf("visible: %q", got)
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			if _, err := i.Install(ctx, s, plan); err != nil {
				t.Errorf("the next run: %v", err)
			}
			visible(t, i)
		})
	}
}

// TestDiskFullWhileWriting: nobody could tell before, the write itself fails.
func TestDiskFullWhileWriting(t *testing.T) {
	disk := mount(t, "size=3m")
	i, s := newInstaller(t), newShop(t, here)
	i.Depot.Cache = filepath.Join(disk, "cache")
	plan := s.plan(t, here)
	for n := range plan.Parcels {
		plan.Parcels[n].Size = resolve.Size{}
	}
	if _, err := i.Install(ctx, s, plan); !is[depot.NoSpace](err) || !strings.Contains(err.Error(), disk) {
		t.Errorf("install: %v, want NoSpace with the folder", err)
	}
	if got, hidden := visible(t, i), left(t, i); len(got)+len(hidden) > 0 {
		t.Errorf("visible %q, left %q", got, hidden)
	}
}

// TestReadOnlyDestination names the folder, and List still reads it.
func TestReadOnlyDestination(t *testing.T) {
	disk := mount(t, "size=256m")
	i, s := newInstaller(t), newShop(t, here)
	i.Depot.Home = filepath.Join(disk, "home")
	plan := s.plan(t, here)
	if _, err := i.Install(ctx, s, plan); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("a small disk cannot be made read-only here: %v", err)
	}
	if missing, err := i.Missing(ctx, plan); err != nil || len(missing) > 0 {
		t.Errorf("missing of what is there: %v, %v", missing, err)
	}
	if out, err := i.Install(ctx, s, plan); err != nil || !out.Already {
		t.Errorf("install what is there: %+v, %v", out, err)
	}
	_, err := i.Install(ctx, s, s.plan(t, here, "cublas"))
	if !is[depot.NotWritable](err) || !strings.Contains(err.Error(), "read-only file system") {
		t.Errorf("install: %v, want NotWritable", err)
	}
	if _, err := i.Remove(ctx, plan.Name()); !is[depot.NotWritable](err) {
		t.Errorf("remove: %v, want NotWritable", err)
	}
	if got := visible(t, i); len(got) != 1 {
		t.Errorf("visible: %q, want the installed one", got)
	}
}
