// Package compiler finds the gcc and clang host compilers of a Linux host. It reads the folders of
// PATH and a few strings of the programs themselves; a process is started only for a compiler whose files do
// not tell its version (a wrapper script).
package compiler

import (
	"context"
	"errors"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// driverName matches C++ drivers, with a cross or conda triple before and a version behind.
var driverName = pattern.New(`^((?:x86_64|aarch64)-(?:conda-)?linux-gnu-)?(g\+\+|clang\+\+|c\+\+)(?:-(\d+(?:\.\d+)*))?$`)

// Survey lists every C++ compiler on PATH once, the default one first.
func Survey(ctx context.Context, a *look.At) []fact.Compiler {
	if a.Path.Windows() {
		return nil
	}
	var out []fact.Compiler
	at := map[string]int{}
	for _, path := range drivers(a) {
		real := a.Real(path)
		if i, ok := at[real]; ok {
			rename(a, &out[i], path, real)
			continue
		}
		if wrapper(a.Path.Base(real)) {
			continue
		}
		at[real] = len(out)
		out = append(out, describe(ctx, a, path, real))
	}
	out = withOwn(a, out, at)
	markDefault(a, out)
	slices.SortStableFunc(out, func(x, y fact.Compiler) int { return rank(x) - rank(y) })
	return out
}

func rank(c fact.Compiler) int {
	if c.Default {
		return 0
	}
	return 1
}

// drivers lists the candidates in PATH order. /usr/bin is looked at even when PATH lacks it: "install gcc" is
// wrong advice where one is there.
func drivers(a *look.At) []string {
	var out []string
	dirs := a.SearchDirs()
	if !slices.Contains(dirs, "/usr/bin") {
		dirs = append(slices.Clone(dirs), "/usr/bin")
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		if seen[dir] || !a.IsDir(dir) {
			continue
		}
		seen[dir] = true
		for _, p := range a.List(dir, driverName) {
			if info, err := a.Stat(p); err == nil && info.Exec && !info.Dir {
				out = append(out, p)
			}
		}
	}
	return out
}

// wrapper names programs that stand in for a compiler found elsewhere on PATH.
func wrapper(base string) bool {
	return base == "ccache" || base == "sccache" || base == "distcc" || base == "icecc"
}

// better prefers the name a person would type: the versioned one, without a triple.
func better(have, other string) string {
	score := func(s string) int {
		m := driverName.FindStringSubmatch(s)
		switch {
		case m == nil:
			return 0
		case m[1] == "" && m[3] != "":
			return 3
		case m[1] == "" && m[2] != "c++":
			return 2
		}
		return 1
	}
	if score(other) > score(have) {
		return other
	}
	return have
}

// rename gives a compiler the better of two names it is found under.
func rename(a *look.At, c *fact.Compiler, path, real string) {
	base := a.Path.Base(path)
	if better(c.Command, base) != base || base == c.Command {
		return
	}
	c.Command, c.Path, c.Real = base, path, ""
	if !a.Path.Same(real, path) {
		c.Real = real
	}
}

func describe(ctx context.Context, a *look.At, path, real string) fact.Compiler {
	c := fact.Compiler{Family: "gcc", Command: a.Path.Base(path), Path: path, Cxx: true}
	if !a.Path.Same(real, path) {
		c.Real = real
	}
	if strings.Contains(a.Path.Base(real), "clang") {
		c.Family = "clang"
	}
	if strings.Contains(real, "conda") {
		c.Origin = "conda"
	}
	if c.Family == "clang" {
		c.Version = clangVersion(ctx, a, path, real)
	} else {
		c.Version = gccVersion(ctx, a, real)
	}
	return c
}

var (
	plainVersion = pattern.New(`^\d+\.\d+\.\d+$`)
	anyVersion   = pattern.New(`\d+(?:\.\d+)+|\d+`)
	clangDir     = pattern.New(`^\d+(\.\d+)*$`)
)

// gccVersion: the driver carries its own version as a string of its own, as in "12.2.0".
func gccVersion(ctx context.Context, a *look.At, real string) fact.Fact[string] {
	text, err := a.Search(real, plainVersion)
	if err != nil {
		return fact.Fact[string]{State: fact.Unreadable, Source: real, Why: look.Reason(err)}
	}
	if text != "" && agrees(real, text) {
		return fact.Of(text, real)
	}
	return asked(ctx, a, real, "-dumpfullversion", "-dumpversion")
}

var nameVersion = pattern.New(`-(\d+)(?:\.\d+)*$`)

// agrees guards against a foreign number among the strings: g++-12 is 12.something.
func agrees(real, found string) bool {
	m := nameVersion.FindStringSubmatch(real)
	return m == nil || strings.HasPrefix(found, m[1]+".")
}

// clangVersion reads the name of the resource folder (lib/clang/14.0.6; from 16 on the major alone). Several
// releases may share the folder above it; where the compiler's name does not say which is its own, it is asked.
func clangVersion(ctx context.Context, a *look.At, path, real string) fact.Fact[string] {
	dir := a.Path.Join(a.Path.Dir(a.Path.Dir(real)), "lib", "clang")
	names, err := a.Names(dir, clangDir)
	a.Note("the version of "+path, dir, err)
	if name := ownFolder(names, a.Path.Base(path), a.Path.Base(real)); name != "" {
		return fact.Of(name, a.Path.Join(dir, name))
	}
	return asked(ctx, a, real, "--version")
}

// ownFolder is the most exact of the names that agree with the major in one of the program's names; with no
// major there, of those of the only major there is.
func ownFolder(names []string, programs ...string) string {
	wanted := ""
	for _, p := range programs {
		if m := nameVersion.FindStringSubmatch(p); m != nil && wanted == "" {
			wanted = m[1]
		}
	}
	majors := map[string]string{}
	for _, n := range names {
		major, _, _ := strings.Cut(n, ".")
		if len(n) > len(majors[major]) {
			majors[major] = n
		}
	}
	if wanted == "" && len(majors) == 1 {
		wanted, _, _ = strings.Cut(names[0], ".")
	}
	return majors[wanted]
}

func asked(ctx context.Context, a *look.At, path string, args ...string) fact.Fact[string] {
	source := path + " " + strings.Join(args, " ")
	out, err := a.Ask(ctx, path, args...)
	if err != nil {
		return fact.Fact[string]{State: fact.Unreadable, Source: source, Why: look.Reason(err)}
	}
	v := anyVersion.FindString(out)
	if v == "" {
		return fact.Bad[string](source, errors.New("no version in what it prints"))
	}
	return fact.Of(v, source)
}

// markDefault finds the compiler nvcc takes when nothing is said: it starts plain gcc from PATH for every
// compile step (nvcc 11.8 to 13.4, dry runs), and the C++ driver beside that gcc is the same compiler.
func markDefault(a *look.At, out []fact.Compiler) {
	want := ""
	for _, gcc := range a.WhichAll("gcc") {
		// A cache or distributor in front starts the next real gcc.
		if want = a.Real(gcc); !wrapper(a.Path.Base(want)) {
			break
		}
		want = ""
	}
	if want == "" {
		return
	}
	for _, swap := range []struct{ from, to string }{{"gcc", "g++"}, {"clang", "clang++"}} {
		if cxx := a.Path.Join(a.Path.Dir(want), strings.Replace(a.Path.Base(want), swap.from, swap.to, 1)); cxx != want {
			want = a.Real(cxx)
			break
		}
	}
	for i := range out {
		if out[i].Path == want || out[i].Real == want {
			out[i].Default = true
			return
		}
	}
}
