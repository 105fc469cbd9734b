package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/build"
)

// filled is a world whose store has the results of objects and a library, and an output folder that is gone.
func filled(t *testing.T) *world {
	t.Helper()
	w := small(t, map[string]string{"inc1/h.h": "int h;\n#warning old\n", "src/a.cu": "#include \"h.h\"\nint a;\n", "src/b.cu": "#include \"h.h\"\nint b;\n"})
	w.spec.kinds = []string{"ptx", "static"}
	if err := w.contract(); err != nil {
		t.Fatal(err)
	}
	settle()
	w.must(t)
	return w
}

func (w *world) dropOutputs(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(w.root(), "build")); err != nil {
		t.Fatal(err)
	}
	w.last = nil
}

// all files below a folder.
func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBitFlips: a bit is wrong in each file of the store and in the state, one after the other, or the file is cut. The
// build makes what a clean one would, and the next is right again.
func TestBitFlips(t *testing.T) {
	w := filled(t)
	w.must(t) // everything is settled and written down
	files := append(filesBelow(t, w.store.Dir), filepath.Join(w.root(), "build", "cupel", ".cupel-state"))
	kinds := map[string]bool{}
	for _, path := range files {
		rel, _ := filepath.Rel(w.dir, path)
		parts := strings.Split(filepath.ToSlash(rel), "/")
		kinds[strings.Join(parts[1:min(4, len(parts)-1)], "/")] = true
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 {
			continue // a note that was taken away meanwhile
		}
		state := filepath.Base(path) == ".cupel-state"
		places := []int64{0, 5, info.Size() / 2, info.Size() - 1, -1}
		if onWindows {
			places = places[2:3] // each takes seconds under wine
		}
		for _, at := range places {
			if _, err := os.Stat(path); err != nil {
				break // found to be wrong, and taken away
			}
			_ = os.Chmod(path, 0o644)
			if at < 0 {
				err = os.Truncate(path, info.Size()/2)
			} else {
				err = flip(path, min(at, info.Size()-1), 1<<w.rand.IntN(8))
			}
			if err != nil {
				continue // shorter than it was
			}
			if w.known = nil; !state {
				w.dropOutputs(t)
			}
			w.last = nil
			if err := w.build(t.Context()); err != nil {
				t.Fatalf("%s, byte %d: %v", rel, at, err)
			}
		}
	}
	t.Logf("%d files of kinds %v", len(files), kinds)
	w.dropOutputs(t)
	if err := w.build(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestHitChanged: who changes an output that came out of the store does not change the next one that comes.
func TestHitChanged(t *testing.T) {
	for _, hard := range []bool{false, true} {
		t.Run(fmt.Sprint("links ", hard), func(t *testing.T) {
			w := filled(t)
			w.store.Hard = hard
			w.dropOutputs(t)
			w.must(t)
			if !strings.Contains(w.told, build.Cached) {
				t.Fatalf("nothing came out of the store:\n%s", w.told)
			}
			for _, path := range filesBelow(t, filepath.Join(w.root(), "build", "cupel", "k")) {
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
			}
			w.last = nil
			if hard {
				w.known = nil // they are the store's own files
			}
			settle()
			w.must(t)
			w.dropOutputs(t)
			w.must(t)
			w.at = 1 // another folder, the same store
			if err := writeAll(w.root(), map[string]string{"inc1/h.h": "int h;\n#warning old\n", "src/a.cu": "#include \"h.h\"\nint a;\n", "src/b.cu": "#include \"h.h\"\nint b;\n", "cupel.toml": w.spec.text()}); err != nil {
				t.Fatal(err)
			}
			settle()
			w.must(t)
		})
	}
}
