package mirror

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/fact"
)

// madeUp is a toolkit with few files in a folder whose name is not easy, and the machine it is on.
func madeUp(t *testing.T) (fact.Machine, fact.Toolkit, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "my cuda é")
	exe := ""
	if runtime.GOOS == "windows" {
		exe = ".exe"
	}
	for _, f := range []string{"bin/nvcc" + exe, "bin/ptxas" + exe, "bin/nvcc.profile", "bin/crt/link.stub", "include/cuda.h", "include/crt/host_config.h", "lib/libcudart_static.a", "version.json", "tools/calc.xls"} {
		write(t, filepath.Join(root, filepath.FromSlash(f)), "one "+f)
	}
	k := fact.Toolkit{Root: root, Release: fact.Of("13.0.2", "test"), Missing: []string{fact.PartLib64},
		Parts: map[string]string{fact.PartNvcc: filepath.Join(root, "bin", "nvcc"+exe), fact.PartPtxas: filepath.Join(root, "bin", "ptxas"+exe)}}
	return fact.Machine{System: fact.System{OS: runtime.GOOS}, Toolkits: []fact.Toolkit{k}}, k, filepath.Join(dir, "home")
}

func mustPlan(t *testing.T, m fact.Machine, k fact.Toolkit, home string, opt Options) Plan {
	t.Helper()
	p, err := For(m, k, home, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustMake(t *testing.T, p Plan, program string) {
	t.Helper()
	if err := Make(context.Background(), p, program); err != nil {
		t.Fatal(err)
	}
}

// entries are all files that can be read through the mirror, and what they hold; of a shim only that it is one.
func entries(t *testing.T, p Plan) map[string]string {
	t.Helper()
	out := map[string]string{}
	var walk func(dir, at string)
	walk = func(dir, at string) {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			path, below := filepath.Join(dir, e.Name()), join(at, e.Name())
			info, err := os.Stat(path)
			if err != nil {
				t.Fatalf("%s leads nowhere: %v", path, err)
			}
			if info.IsDir() {
				walk(path, below)
				continue
			}
			text := read(t, path)
			if i := strings.Index(text, "\ncupel-shim "); i >= 0 {
				text = "shim of " + text[:i]
			}
			out[below] = text
		}
	}
	walk(p.Dir, "")
	return out
}

func TestMakeLayout(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program one")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	got := entries(t, p)
	for at, want := range map[string]string{
		strings.ReplaceAll("bin/nvcc", "nvcc", filepath.Base(p.Nvcc)): "shim of program one",
		"bin/nvcc.profile": "one bin/nvcc.profile", "bin/crt/link.stub": "one bin/crt/link.stub", "include/crt/host_config.h": "one include/crt/host_config.h",
		"lib/libcudart_static.a": "one lib/libcudart_static.a", "version.json": "one version.json",
		"cupel-shim": "cupel-shim 1\nnvcc\t" + k.Parts[fact.PartNvcc] + "\n", "cupel-root": k.Root + "\n",
	} {
		if got[at] != want {
			t.Errorf("%s reads %q, want %q", at, got[at], want)
		}
	}
	if _, there := got["tools/calc.xls"]; there {
		t.Error("the toolkit's tools folder stands in the place of the mirror's")
	}
	if _, there := got["lib64/libcudart_static.a"]; there == (runtime.GOOS == "windows") {
		t.Errorf("lib64 is there: %t; wanted where a linker asks for it and only lib is there, never on Windows", there)
	}
	if info, err := os.Lstat(p.Nvcc); err != nil || !info.Mode().IsRegular() {
		t.Errorf("nvcc is %v (%v), want a file: builders resolve links", info.Mode(), err)
	}
}

// TestMakeAgain: what is right stays as it is; what changed is brought up to date; what is gone goes.
func TestMakeAgain(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program one")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	before := stamps(t, p)
	mustMake(t, p, prog)
	if after := stamps(t, p); !slices.Equal(before, after) {
		t.Errorf("made again, entries changed:\n%q\n%q", before, after)
	}

	write(t, prog, "program two, longer")
	write(t, filepath.Join(k.Root, "extras", "x"), "new")
	if err := os.RemoveAll(filepath.Join(k.Root, "include")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.Dir, "bin", "left-over"), "of another toolkit")
	p = mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	got := entries(t, p)
	if got["bin/"+filepath.Base(p.Nvcc)] != "shim of program two, longer" || got["extras/x"] != "new" {
		t.Errorf("not up to date: %q", got)
	}
	for at := range got {
		if strings.HasPrefix(at, "include") || at == "bin/left-over" {
			t.Errorf("%s is still there", at)
		}
	}
}

// stamps are the entries with what tells that they were made anew.
func stamps(t *testing.T, p Plan) []string {
	t.Helper()
	var out []string
	for _, dir := range []string{"", "bin"} {
		list, err := os.ReadDir(filepath.Join(p.Dir, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			if e.Name() != newDir {
				out = append(out, join(dir, e.Name())+" "+info.Mode().String()+" "+info.ModTime().String())
			}
		}
	}
	return out
}

// TestRealToolkitIsNeverTouched: an update replaces and removes names of the mirror, never what is behind them.
func TestRealToolkitIsNeverTouched(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	mustMake(t, mustPlan(t, m, k, home, Options{}), prog)
	p := mustPlan(t, m, k, home, Options{})
	both := p
	both.Links = append(slices.Clone(p.Links), Link{"lib/other.a", filepath.Join(k.Root, "version.json")})
	if err := Make(context.Background(), both, prog); err == nil {
		t.Error("an entry was made below a link")
	}
	p.Links = slices.DeleteFunc(p.Links, func(l Link) bool { return slices.Contains([]string{"include", "bin/crt", "lib"}, l.At) })
	p.Links = append(p.Links, Link{"lib/other.a", filepath.Join(k.Root, "lib", "libcudart_static.a")}) // lib is a folder of its own now
	mustMake(t, p, prog)
	for _, f := range []string{"include/cuda.h", "bin/crt/link.stub", "lib/libcudart_static.a", "bin/ptxas" + filepath.Ext(p.Nvcc)} {
		if got := read(t, filepath.Join(k.Root, filepath.FromSlash(f))); got != "one "+f {
			t.Errorf("%s of the real toolkit reads %q", f, got)
		}
	}
	if got := entries(t, p); got["lib/other.a"] == "" || got["include/cuda.h"] != "" {
		t.Errorf("entries %q, want lib/other.a and no include", got)
	}
}

// TestMakeRepairs: a process was ended half-way.
func TestMakeRepairs(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	want := entries(t, p)
	for _, at := range []string{filepath.Base(p.Nvcc), "nvcc.profile"} {
		if err := os.Remove(filepath.Join(p.Dir, "bin", at)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, p.Nvcc, "prog") // as a copy would be that was not whole
	left := filepath.Join(p.Dir, newDir, "123")
	write(t, filepath.Join(left, "x"), "half")
	hours := time.Now().Add(-3 * time.Hour)
	if err := os.Chtimes(left, hours, hours); err != nil {
		t.Fatal(err)
	}
	mustMake(t, p, prog)
	got := entries(t, p)
	if len(got) != len(want) {
		t.Errorf("%d entries, want %d: %q", len(got), len(want), got)
	}
	for at := range want {
		if got[at] != want[at] {
			t.Errorf("%s reads %q, want %q", at, got[at], want[at])
		}
	}
}

// TestMakeFails: what is there stays whole.
func TestMakeFails(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	want := entries(t, p)
	if err := Make(context.Background(), p, filepath.Join(home, "nowhere")); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "make the mirror "+p.Dir) {
		t.Errorf("without the program: %v", err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Make(stopped, p, prog); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if got := entries(t, p); len(got) != len(want) {
		t.Errorf("entries %q, want %q", got, want)
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if err := Make(context.Background(), mustPlan(t, m, k, file, Options{}), prog); err == nil {
		t.Error("below a file a mirror was made")
	}
}

// TestMirrorOfMirror: exec inside of exec finds the mirror first on PATH.
func TestMirrorOfMirror(t *testing.T) {
	m, k, home := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	p := mustPlan(t, m, k, home, Options{})
	mustMake(t, p, prog)
	again := k
	again.Root, again.Parts = p.Dir, map[string]string{fact.PartNvcc: p.Nvcc}
	got := mustPlan(t, m, again, home, Options{})
	if got.Dir != p.Dir || got.Root != k.Root || got.Tools["nvcc"] != k.Parts[fact.PartNvcc] {
		t.Errorf("the mirror of %s is %s of %s with %v, want that of the real root", p.Dir, got.Dir, got.Root, got.Tools)
	}
	m.Toolkits = nil
	if _, err := For(m, again, home, Options{}); err == nil || !strings.Contains(err.Error(), "stand-in for "+k.Root) {
		t.Errorf("where the real one is not known: %v", err)
	}
}

// TestShimsDiffer: caches tell compilers by time, size and content of their files.
func TestShimsDiffer(t *testing.T) {
	m, k, home := madeUp(t)
	_, other, _ := madeUp(t)
	prog := filepath.Join(t.TempDir(), "cupel-nvcc")
	write(t, prog, "program")
	a, b := mustPlan(t, m, k, home, Options{}), mustPlan(t, m, other, home, Options{})
	mustMake(t, a, prog)
	mustMake(t, b, prog)
	if a.Dir == b.Dir || read(t, a.Nvcc) == read(t, b.Nvcc) {
		t.Errorf("the shims of two toolkits are the same file to a cache: %s, %s", a.Nvcc, b.Nvcc)
	}
	info, err := os.Stat(a.Nvcc)
	real, err2 := os.Stat(k.Parts[fact.PartNvcc])
	if err != nil || err2 != nil || !info.ModTime().Equal(real.ModTime()) {
		t.Errorf("the shim has not the time of its nvcc: %v %v", err, err2)
	}
}
