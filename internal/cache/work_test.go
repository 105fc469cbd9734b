package cache

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"cupel/internal/cas"
	"cupel/internal/recipe"
)

// TestWorkAlone: a folder under one name has one holder at a time, whoever ends, begins and sweeps beside it. To the lock,
// these are as much strangers as processes are.
func TestWorkAlone(t *testing.T) {
	c := New(cas.Store{Dir: t.TempDir()}, nil)
	base := filepath.Join(c.Store.Dir, "work")
	if err := os.Mkdir(base, 0o755); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var inside, taken atomic.Int32
	times := 3000
	if onWindows {
		times /= 10 // a look at a file takes that much longer under wine
	}
	for range 6 {
		all.Go(func() {
			for k := range times {
				w := &Work{}
				if !w.lock(base, "call") {
					if k%4 == 0 {
						c.Sweep()
					}
					continue
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d have it at once", n)
				}
				taken.Add(1)
				mine := filepath.Join(w.Dir, "k.ii")
				if err := os.WriteFile(mine, nil, 0o644); err != nil {
					t.Error(err)
				}
				runtime.Gosched() // time for another to come in
				if _, err := os.Stat(mine); err != nil {
					t.Errorf("another took a file of mine away: %v", err)
				}
				inside.Add(-1)
				w.End()
			}
		})
	}
	all.Wait()
	if taken.Load() == 0 {
		t.Error("nobody had it")
	}
}

// TestFailed: a call that failed leaves its file for make, as nvcc does, and no output.
func TestFailed(t *testing.T) {
	dir, aside := t.TempDir(), t.TempDir()
	c := New(cas.Store{Dir: t.TempDir()}, nil)
	r := recipe.Recipe{Outputs: []recipe.Output{{Role: "main", Path: "k.ptx"}, {Role: "depfile", Path: "k.d"}}}
	w := &Work{Dir: aside, q: &Question{Call: Call{Dir: dir}, Recipe: r, cache: c}, outs: []string{filepath.Join(aside, "out.ptx"), filepath.Join(aside, "out.depfile")}}
	for _, name := range w.outs {
		if err := os.WriteFile(name, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Failed(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "k.d" {
		t.Errorf("it leaves %v, want k.d: %v", left, err)
	}
}

func TestWithVariables(t *testing.T) {
	env := []string{"A=1", "AB=2", "path=x", "A=3"}
	for _, tt := range []struct {
		name      string
		set, want []string
	}{
		{"none", nil, env},
		{"one that is there twice", []string{"A=9"}, []string{"AB=2", "path=x", "A=9"}},
		{"a new one", []string{"C="}, append(slices.Clone(env), "C=")},
		{"another case", []string{"PATH=y"}, map[bool][]string{
			false: {"A=1", "AB=2", "path=x", "A=3", "PATH=y"}, true: {"A=1", "AB=2", "A=3", "PATH=y"},
		}[onWindows]},
	} {
		if got := withVariables(env, tt.set); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestMove: the new file is there whole, whatever lay there.
func TestMove(t *testing.T) {
	for _, tt := range []struct {
		name string
		lay  func(t *testing.T, to string)
	}{
		{"nothing", func(*testing.T, string) {}},
		{"a file", func(t *testing.T, to string) { put(t, to, "old", 0o644) }},
		{"a read-only file", func(t *testing.T, to string) { put(t, to, "old", 0o444) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "k.o")
			put(t, from, "new", 0o644)
			tt.lay(t, to)
			if err := move(from, to); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(to); err != nil || string(b) != "new" {
				t.Errorf("%q, %v", b, err)
			}
		})
	}
}

// TestBarred: which outputs are left to nvcc. Who may write a file all the same, as root may, is told nothing.
func TestBarred(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		hard       bool
		outputs    []recipe.Output
		want       string
	}{
		{"nothing there", "ptx", false, []recipe.Output{{Role: "main", Path: "none.ptx"}}, ""},
		{"may be written", "ptx", false, []recipe.Output{{Role: "main", Path: "open.ptx"}}, ""},
		{"may not", "ptx", false, []recipe.Output{{Role: "main", Path: "shut"}}, "output-read-only: shut"},
		{"may not, an object", "object", false, []recipe.Output{{Role: "main", Path: "shut"}}, map[bool]string{true: "output-read-only: shut"}[onWindows]},
		{"may not, a file of dependencies", "object", false, []recipe.Output{{Role: "main", Path: "none"}, {Role: "depfile", Path: "shut"}}, "output-read-only: shut"},
		{"may not, and the store links", "ptx", true, []recipe.Output{{Role: "main", Path: "shut"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			weak(t)
			dir := t.TempDir()
			put(t, filepath.Join(dir, "open.ptx"), "", 0o644)
			put(t, filepath.Join(dir, "shut"), "", 0o444)
			q := &Question{Call: Call{Dir: dir}, Recipe: recipe.Recipe{Kind: tt.kind, Outputs: tt.outputs}, cache: New(cas.Store{Hard: tt.hard}, nil)}
			got := ""
			if refused := q.barred(); refused != nil {
				got = refused.Error()
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
