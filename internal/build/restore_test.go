package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/testbed"
)

// kept is a project whose last build is known to the store alone: one file, which holds "ptx".
func kept(t *testing.T, root, name string, known stamp.Known) Asked {
	t.Helper()
	out, request := filepath.Join(root, "build"), digest.Of([]byte("request"))
	a := Asked{Root: root, Out: out, Request: request, Machine: func() digest.Digest { return digest.Digest{} }, Store: cas.Store{Dir: filepath.Join(root, "store")},
		Alone: func() (func(), error) { return func() {}, os.MkdirAll(out, 0o755) }}
	source := filepath.Join(root, "made")
	if err := os.WriteFile(source, []byte("ptx"), 0o644); err != nil {
		t.Fatal(err)
	}
	var err error
	if known.Digest, _, err = a.Store.PutFile(source); err != nil {
		t.Fatal(err)
	}
	s := state{Root: root, Request: request, Whole: true, Outputs: []row{{Path: root + string(filepath.Separator) + filepath.FromSlash(name), Known: known}},
		Steps: []made{{Call: PlannedCall{Kernel: "k", Kind: "ptx", Out: name, Asked: true, Argv: []string{"nvcc"}}, Outputs: []uint32{0}}}}
	s.Sums = []cas.Sum{cas.SumOf(source)}
	s.keep(a.Store, out)
	return a
}

// gone is what is known of a file that is not there any more.
var gone = stamp.Known{Stamp: stamp.Stamp{Size: 3, Number: 1}}

// TestRestoredElsewhere: a state may come from a store that others write to. Only files in the folder of outputs are placed.
func TestRestoredElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name, out, link string
		want            bool
	}{
		{"in the folder", "build/k/x.ptx", "", true},
		{"beside it", "x.ptx", "", false},
		{"beside it, by a detour", "build/../x.ptx", "", false},
		{"through a link in it", "build/k/x.ptx", "build/k", false},
		{"through a link above", "build/k/l/x.ptx", "build/k", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			elsewhere, path := filepath.Join(root, "elsewhere"), root+string(filepath.Separator)+filepath.FromSlash(tt.out)
			for _, dir := range []string{elsewhere, filepath.Join(root, "build")} {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if tt.link != "" {
				testbed.Link(t, elsewhere, filepath.Join(root, tt.link))
			}
			r, ok := Unchanged(kept(t, root, tt.out, gone))
			text, _ := os.ReadFile(path)
			if ok != tt.want || (string(text) == "ptx") != tt.want || ok && (r.Hits != 1 || r.Outputs[0].Size != 3) {
				t.Errorf("answered %v with %+v, the file holds %q", ok, r, text)
			}
			if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
				t.Errorf("elsewhere are %v, %v", left, err)
			}
		})
	}
}

// TestRestoredMeanwhile: another build, which had the folder before, left something else there.
func TestRestoredMeanwhile(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "build", "x.ptx")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("ptx"), 0o644); err != nil {
		t.Fatal(err)
	}
	now, err := stamp.Of(path)
	if err != nil {
		t.Fatal(err)
	}
	a := kept(t, root, "build/x.ptx", stamp.Known{Stamp: now, Settled: true})
	for _, other := range []string{"", "other"} {
		a.Alone = func() (func(), error) {
			if other == "" {
				return func() {}, nil
			}
			return func() {}, os.WriteFile(path, []byte(other), 0o644)
		}
		if _, ok := Unchanged(a); ok != (other == "") {
			t.Errorf("with %q there it answers %v", other, ok)
		}
		if err := os.Remove(filepath.Join(root, "build", stateFile)); err != nil && other == "" {
			t.Fatal(err)
		}
	}
}

// TestRestoredTorn: a blob that is not what it was is not placed, and is taken away.
func TestRestoredTorn(t *testing.T) {
	for _, sum := range []string{"with its sum", "without"} {
		t.Run(sum, func(t *testing.T) {
			root := t.TempDir()
			a := kept(t, root, "build/x.ptx", gone)
			if sum == "without" {
				resum(t, a, func(cas.Sum) cas.Sum { return 0 })
			}
			d := digest.Of([]byte("ptx")).String()
			blob := filepath.Join(a.Store.Dir, "blobs", d[:2], d[2:])
			if err := os.Chmod(blob, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(blob, []byte("ptz"), 0o644); err != nil {
				t.Fatal(err)
			}
			if r, ok := Unchanged(a); ok {
				t.Errorf("answered with %+v", r)
			}
			for _, path := range []string{blob, filepath.Join(root, "build", "x.ptx")} {
				if _, err := os.Lstat(path); err == nil {
					t.Errorf("%s is there", path)
				}
			}
		})
	}
}

// TestRestoredBySum: the state's sum decides.
func TestRestoredBySum(t *testing.T) {
	for change, want := range map[cas.Sum]bool{0: true, 1: false} {
		a := kept(t, t.TempDir(), "build/x.ptx", gone)
		resum(t, a, func(s cas.Sum) cas.Sum { return s ^ change })
		if r, ok := Unchanged(a); ok != want {
			t.Errorf("with the sum changed by %d it answers %v, %+v", change, ok, r)
		}
	}
}

// resum changes the sum in the store's copy of the state.
func resum(t *testing.T, a Asked, change func(cas.Sum) cas.Sum) {
	t.Helper()
	s := storedState(a.Store, a.Out, a.Root, a.Request)
	if err := s.steps(); err != nil {
		t.Fatal(err)
	}
	s.Sums[0] = change(s.Sums[0])
	s.keep(a.Store, a.Out)
}

// TestSums: the sum of a file is taken once, and again when it is another file.
func TestSums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.ptx")
	s := &state{Whole: true, Outputs: []row{{Path: path, Known: stamp.Known{Digest: digest.Of([]byte("ptx"))}}}}
	if s.sum(nil); s.Sums[0] != 0 {
		t.Errorf("what is not there has the sum %#x", s.Sums[0])
	}
	if err := os.WriteFile(path, []byte("ptx"), 0o644); err != nil {
		t.Fatal(err)
	}
	if s.sum(nil); s.Sums[0] != 0 {
		t.Errorf("what came after its digest was taken has the sum %#x", s.Sums[0])
	}
	now, err := stamp.Of(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Outputs[0].Known.Stamp = now
	if s.sum(nil); s.Sums[0] != cas.SumOf(path) || s.Sums[0] == 0 {
		t.Errorf("the sum is %#x", s.Sums[0])
	}
	old := *s
	old.Sums = []cas.Sum{7}
	if s.sum(&old); s.Sums[0] != 7 {
		t.Errorf("the sum of the last build became %#x", s.Sums[0])
	}
	s.Outputs = slices.Clone(s.Outputs)
	s.Outputs[0].Known.Digest = digest.Of([]byte("other"))
	if s.sum(&old); s.Sums[0] == 7 {
		t.Error("another file has the sum of the last one")
	}
}

// TestRestoredNothing: where something else changed, not even the folder is made.
func TestRestoredNothing(t *testing.T) {
	root := t.TempDir()
	a := kept(t, root, "build/x.ptx", gone)
	a.Machine = func() digest.Digest { return digest.Of([]byte("another GPU")) }
	if r, ok := Unchanged(a); ok {
		t.Errorf("answered %+v", r)
	}
	if _, err := os.Lstat(filepath.Join(root, "build")); !os.IsNotExist(err) {
		t.Errorf("the folder of outputs: %v", err)
	}
}

// TestOnTheWay: of a folder on the way to the outputs other names count, and whether it is a link.
func TestOnTheWay(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string)
		want   bool
	}{
		{"nothing", func(*testing.T, string) {}, true},
		{"the way itself", func(t *testing.T, dir string) { remove(t, filepath.Join(dir, "out")) }, true},
		{"another name", func(t *testing.T, dir string) { remove(t, filepath.Join(dir, "k.cu")) }, false},
		{"moved and linked", func(t *testing.T, dir string) {
			if err := os.Rename(dir, dir+"-moved"); err != nil {
				t.Fatal(err)
			}
			testbed.Link(t, dir+"-moved", dir)
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "gen")
			out := filepath.Join(dir, "out")
			if err := os.MkdirAll(out, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "k.cu"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			was := FolderOn(dir, []string{"out", "k.cu"}, out)
			tt.change(t, dir)
			if got := onTheWay(was, out); got != tt.want {
				t.Errorf("the same: %v, want %v", got, tt.want)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// TestSites: sources that lie somewhere else are others, though no file changed: compilers make names of their places.
func TestSites(t *testing.T) {
	for _, tt := range []struct{ name, from, link, to string }{ // from becomes moved, and link leads to to
		{"nothing", "", "", ""},
		{"the project", "p", "p", "moved"},
		{"a folder", "p/a/b", "p/a/b", "moved"},
		{"a folder above", "p/a", "p/a", "moved"},
		{"what a linked folder leads to", "c", "p/linked", "moved"},
		{"the folder of what a linked source leads to", "d", "p/one.cu", "moved/x.cu"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			in := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
			for _, dir := range []string{"p/a/b", "c", "d"} {
				if err := os.MkdirAll(in(dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			testbed.Link(t, in("c"), in("p/linked"))
			testbed.Link(t, in("d/x.cu"), in("p/one.cu"))
			sources := map[string]bool{}
			for _, name := range []string{"p/k.cu", "p/a/b/k.cu", "p/linked/l.cu", "p/one.cu"} {
				sources[in(name)] = true
				if err := os.WriteFile(in(name), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			sites, ok := sitesOf(in("p"), sources)
			if !ok {
				t.Fatal("a place is not known")
			}
			if tt.from != "" {
				if err := os.Rename(in(tt.from), in("moved")); err != nil {
					t.Fatal(err)
				}
				_ = os.Remove(in(tt.link))
				testbed.Link(t, in(tt.to), in(tt.link))
			}
			same := true
			for _, s := range sites {
				same = same && s.same()
			}
			if same != (tt.from == "") {
				t.Errorf("the same: %v; %+v", same, sites)
			}
		})
	}
}
