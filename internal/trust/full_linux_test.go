package trust

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/build"
	"cupel/internal/testbed"
)

// fillUp leaves room for a few small files.
func fillUp(t *testing.T, dir string, free int64) {
	t.Helper()
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, max(0, int64(s.Bavail)*s.Bsize-free)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// large makes outputs of some 100 kB.
func large(t *testing.T, w *world) {
	t.Helper()
	text := strings.Repeat("int a_long_line_of_code_that_fills_a_disk;\n", 1000)
	if err := writeAll(w.root(), map[string]string{"src/a.cu": "int a;\n" + text, "src/b.cu": "int b;\n" + text}); err != nil {
		t.Fatal(err)
	}
	settle()
}

// TestStoreFull: a build whose store has no room makes everything, says what is not kept, and leaves nothing torn: with room
// again everything is remembered.
func TestStoreFull(t *testing.T) {
	w := small(t, nil)
	large(t, w)
	disk := testbed.SmallDisk(t)
	w.store.Dir = filepath.Join(disk, "store")
	for _, free := range []int64{0, 8 << 10, 64 << 10} {
		fillUp(t, disk, free)
		j, err := w.job()
		if err != nil {
			t.Fatal(err)
		}
		wants, err := w.wants(j)
		if err != nil {
			t.Fatal(err)
		}
		r, err := build.Run(t.Context(), j, build.Options{Store: w.store, Jobs: 2, KeepGoing: true, Plan: w.plan(j)})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.compare(j, wants, r); err != nil {
			t.Errorf("%d bytes free: %v\n%s", free, err, told(r))
		}
		if said := told(r); !strings.Contains(said, "not kept") && !strings.Contains(said, "no-room") && !strings.Contains(said, "no space") {
			t.Errorf("%d bytes free: it is not said that results are not kept:\n%s", free, said)
		}
		if err := os.RemoveAll(filepath.Join(w.root(), "build")); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeAll(w.root(), map[string]string{"src/a.cu": "int a;\n", "src/b.cu": "int b;\n"}); err != nil {
		t.Fatal(err)
	}
	settle()
	w.must(t)
	w.dropOutputs(t)
	w.must(t)
}

// TestOutputFull: where the outputs have no room, the build says so and leaves none; with room again it makes them, with the
// store and without it.
func TestOutputFull(t *testing.T) {
	w := small(t, nil)
	large(t, w)
	disk := testbed.SmallDisk(t)
	if err := os.Symlink(disk, filepath.Join(w.root(), "build")); err != nil {
		t.Fatal(err)
	}
	for _, round := range []string{"compiled", "out of the store"} {
		for _, free := range []int64{0, 8 << 10, 64 << 10} {
			fillUp(t, disk, free)
			j, err := w.job()
			if err != nil {
				t.Fatal(err)
			}
			r, err := build.Run(t.Context(), j, build.Options{Store: w.store, Jobs: 2, KeepGoing: true})
			if err == nil && r.OK() {
				t.Errorf("%s, %d bytes free: it is said to be built:\n%s", round, free, told(r))
			}
			if err == nil && !strings.Contains(told(r)+r.Failed[0].Output, "no space") {
				t.Errorf("%s, %d bytes free: the reason is not told: %+v", round, free, r.Failed)
			}
			for _, s := range r.Steps {
				if _, err := os.Lstat(w.path(s.Out)); err == nil && s.How == build.Failed {
					t.Errorf("%s, %d bytes free: %s is left", round, free, s.Out)
				}
			}
			for _, f := range filesBelow(t, disk) {
				if name := filepath.Base(f); strings.HasPrefix(name, ".cupel-") && name != ".cupel-state" {
					t.Errorf("%s, %d bytes free: %s is left", round, free, f)
				}
			}
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				t.Fatal(err)
			}
		}
		w.must(t)
		for _, f := range filesBelow(t, disk) {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
		w.last = nil
	}
}

// TestStoreReadOnly: a store that cannot be written to is used as far as it goes, and the build goes on.
func TestStoreReadOnly(t *testing.T) {
	w := small(t, map[string]string{"src/a.cu": "int a;\n"})
	disk := testbed.SmallDisk(t)
	w.store.Dir = filepath.Join(disk, "store")
	w.must(t)
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("a disk that is read-only needs the right to mount one: %v", err)
	}
	w.dropOutputs(t)
	w.must(t) // what it has is taken
	if err := w.write("src/a.cu", "int b;\n"); err != nil {
		t.Fatal(err)
	}
	settle()
	j, err := w.job()
	if err != nil {
		t.Fatal(err)
	}
	wants, err := w.wants(j)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := build.Run(ctx, j, build.Options{Store: w.store, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.compare(j, wants, r); err != nil {
		t.Error(err)
	}
	if !strings.Contains(told(r), "not kept") {
		t.Errorf("it is not said that results are not kept:\n%s", told(r))
	}
}
