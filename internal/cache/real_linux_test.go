package cache

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/cas"
	"cupel/internal/recipe"
	"cupel/internal/testbed"
)

const kernel = "__global__ void k(float *p) { *p = 2; }\n"

// bench is a folder with a source, a real nvcc and a store.
type bench struct {
	nvcc, dir string
	env       []string
	store     cas.Store
	meanwhile func() // what happens when nvcc has ended; may be nil
}

func newBench(t *testing.T, part string) *bench {
	t.Helper()
	b := &bench{nvcc: filepath.Join(testbed.Toolkit(t, part), "bin", "nvcc"), dir: t.TempDir(), env: os.Environ(), store: cas.Store{Dir: t.TempDir()}}
	put(t, filepath.Join(b.dir, "k.cu"), kernel, 0o644)
	old := time.Now().Add(-time.Hour) // what changed just now is not remembered
	if err := os.Chtimes(filepath.Join(b.dir, "k.cu"), old, old); err != nil {
		t.Fatal(err)
	}
	return b
}

func run(ctx context.Context, program string, args []string, dir string, env []string) (string, error) {
	ctx, end := context.WithTimeout(ctx, 2*time.Minute)
	defer end()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, env
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// call makes a call as the shim does, and says how it ended: hit, miss or the refusal.
func (b *bench) call(t *testing.T, args ...string) (how string, failed error) {
	t.Helper()
	q, refused := New(b.store, b.env).Ask(Call{Nvcc: b.nvcc, Args: args, Dir: b.dir})
	if refused != nil {
		_, err := run(t.Context(), b.nvcc, args, b.dir, b.env)
		return refused.Reason, err
	}
	if found, _ := q.Find(true); found != nil {
		return "hit", q.Place(found.Result)
	}
	w, err := q.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer w.End()
	if said, err := run(t.Context(), b.nvcc, w.Args, b.dir, b.env); err != nil {
		return said, err
	}
	if b.meanwhile != nil {
		b.meanwhile()
	}
	c, refused, err := w.Closure()
	if refused != nil || err != nil {
		t.Fatal(refused, err)
	}
	if _, err := w.Save(c, Result{Merged: true}); err != nil {
		t.Fatal(err)
	}
	return "miss", w.Finish()
}

func (b *bench) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestVerifyRight: a right result is found so, also where the output holds its own name, and where a variable that counts is
// set now as it was then.
func TestVerifyRight(t *testing.T) {
	b := newBench(t, "cuda-13.0")
	b.env = withVariables(b.env, []string{"CPATH=" + t.TempDir()})
	if err := os.Mkdir(filepath.Join(b.dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	calls := []string{"-G -cubin -arch=sm_80 k.cu -o sub/debug.cubin", "-c -g -arch=sm_80 k.cu -o k.o"}
	if testing.Short() {
		calls = calls[:1]
	}
	for _, c := range calls {
		if how, err := b.call(t, strings.Fields(c)...); how != "miss" || err != nil {
			t.Fatalf("%s: %s, %v", c, how, err)
		}
	}
	n := 0
	err := Verify(t.Context(), b.store, b.env, 1, run, func(v Verified) bool {
		if n++; !v.Same || v.Skip != "" {
			t.Errorf("%q: same %v, skipped %q, %s", v.Args, v.Same, v.Skip, v.Why)
		}
		return true
	})
	if err != nil || n != len(calls) {
		t.Errorf("%d verified, want %d: %v", n, len(calls), err)
	}
}

// TestOwnName: a cubin of -G holds its own name, however that was told.
func TestOwnName(t *testing.T) {
	for k, part := range []string{"cuda-13.0", "cuda-13.4"} {
		for j, name := range []string{"", "--output-file=other.cubin", "-o other.cubin"} {
			t.Run(part+name, func(t *testing.T) {
				if k+j > 0 {
					testbed.Long(t)
				}
				b := newBench(t, part)
				args := strings.Fields("-G -cubin -arch=sm_80 k.cu " + name)
				out := "k.cubin"
				if name != "" {
					out = "other.cubin"
				}
				if said, err := run(t.Context(), b.nvcc, recipe.Kept(args, t.TempDir()), b.dir, b.env); err != nil {
					t.Fatal(said)
				}
				want := b.read(t, out)
				if err := os.Remove(filepath.Join(b.dir, out)); err != nil {
					t.Fatal(err)
				}
				if how, err := b.call(t, args...); how != "miss" || err != nil {
					t.Fatal(how, err)
				}
				if b.read(t, out) != want {
					t.Error("the cubin is not the one that nvcc makes")
				}
			})
		}
	}
}

// TestForMake: what another call writes to the same places meanwhile is not taken for the result of this one, also where a file
// for make is written, which is the one of plain nvcc.
func TestForMake(t *testing.T) {
	for k, part := range []string{"cuda-13.0", "cuda-12.4", "cuda-13.4"} {
		for j, words := range []string{"-ptx -MD -MF d/k.d -o d/k.ptx", "-cubin -MMD -o d/k.cubin", "-c -MD -MP -MT name -o=d/k.o"} {
			t.Run(part+" "+words, func(t *testing.T) {
				if k+j > 0 {
					testbed.Long(t)
				}
				b := newBench(t, part)
				if err := os.Mkdir(filepath.Join(b.dir, "d"), 0o755); err != nil {
					t.Fatal(err)
				}
				args := append([]string{"-arch=sm_80", "k.cu"}, strings.Fields(words)...)
				if said, err := run(t.Context(), b.nvcc, recipe.Kept(args, t.TempDir()), b.dir, b.env); err != nil {
					t.Fatal(said)
				}
				q, refused := New(b.store, b.env).Ask(Call{Nvcc: b.nvcc, Args: args, Dir: b.dir})
				if refused != nil {
					t.Fatal(refused)
				}
				want := map[string]string{}
				for _, o := range q.Recipe.Outputs {
					want[o.Path] = b.read(t, o.Path)
				}
				b.meanwhile = func() {
					for name := range want {
						put(t, filepath.Join(b.dir, name), "another call's", 0o644)
					}
				}
				for _, how := range []string{"miss", "hit"} {
					if got, err := b.call(t, args...); got != how || err != nil {
						t.Fatalf("%s, want a %s: %v", got, how, err)
					}
					for name, text := range want {
						if got := b.read(t, name); got != text {
							t.Errorf("%s after a %s is not the one of nvcc, but\n%.100q", name, how, got)
						}
					}
				}
			})
		}
	}
}

// TestReadOnlyOutput: a call whose output lies there read-only ends as nvcc's own does, whether the store has it or not, with
// root's rights and without.
func TestReadOnlyOutput(t *testing.T) {
	for _, tt := range []struct {
		kind, out string
		rights    bool
	}{
		{"-ptx", "k.ptx", false}, {"-c", "k.o", false},
		{"-cubin", "k.cubin", false}, {"-fatbin", "k.fatbin", false}, {"-ptx", "k.ptx", true}, {"-cubin", "k.cubin", true}, {"-c", "k.o", true},
	} {
		t.Run(fmt.Sprint(tt.kind, tt.rights), func(t *testing.T) {
			if tt.rights || tt.out != "k.ptx" {
				testbed.Long(t)
			}
			if !tt.rights {
				weak(t)
			}
			b := newBench(t, "cuda-13.0")
			args := []string{tt.kind, "-arch=sm_80", "k.cu", "-o", tt.out}
			path := filepath.Join(b.dir, tt.out)
			lay := func() {
				_ = os.Remove(path)
				put(t, path, "old", 0o444)
			}
			lay()
			_, plain := run(t.Context(), b.nvcc, args, b.dir, b.env)
			stays := b.read(t, tt.out) == "old"
			var seen []string
			for _, place := range []func(){lay, func() { _ = os.Remove(path); _, _ = b.call(t, args...); lay() }} {
				place()
				how, err := b.call(t, args...)
				seen = append(seen, how)
				if (err == nil) != (plain == nil) || (b.read(t, tt.out) == "old") != stays {
					t.Errorf("%s: %v, the old file stays: %v; with nvcc alone %v, %v", how, err, b.read(t, tt.out) == "old", plain, stays)
				}
			}
			want := []string{"miss", "hit"}
			if stays {
				want = []string{"output-read-only", "output-read-only"}
			}
			if !slices.Equal(seen, want) {
				t.Errorf("%q, want %q", seen, want)
			}
			_ = Verify(t.Context(), b.store, b.env, 1, run, func(v Verified) bool {
				if !v.Same {
					t.Errorf("what is remembered is wrong: %+v", v)
				}
				return true
			})
		})
	}
}

// TestFolderShut: a file that may be written in a folder that may not.
func TestFolderShut(t *testing.T) {
	weak(t)
	from, dir := filepath.Join(t.TempDir(), "out"), t.TempDir()
	to := filepath.Join(dir, "k.o")
	put(t, from, "new", 0o644)
	put(t, to, "old", 0o644)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if err := move(from, to); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(to); err != nil || !bytes.Equal(b, []byte("new")) {
		t.Errorf("%q, %v", b, err)
	}
}
