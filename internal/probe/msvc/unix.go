package msvc

import (
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var (
	tripleName  = pattern.New(`^\w+(-\w+)+$`)
	versionName = pattern.New(`^\d+(\.\d+)*$`)
)

// origins name who brought a compiler, by its path; the first that matches wins. Strawberry Perl has its
// mingw under C:\Strawberry\c, so it comes before mingw.
var origins = []struct {
	path *pattern.Pattern
	name string
}{
	{pattern.New(`(?i)\\(strawberry|[^\\]*perl[^\\]*)\\`), "perl"},
	{pattern.New(`(?i)\\[^\\]*conda[^\\]*\\`), "conda"},
	{pattern.New(`(?i)\\msys\w*\\`), "msys2"},
	{pattern.New(`(?i)\\git\\`), "git"},
	{pattern.New(`(?i)\\mingw[^\\]*\\`), "mingw"},
}

func origin(path string) string {
	for _, o := range origins {
		if o.path.MatchString(path) {
			return o.name
		}
	}
	return ""
}

// unixCompilers lists the gcc and clang of each folder on PATH, by the C++ driver where there is one. None
// is the default: nvcc takes cl.exe on Windows.
func unixCompilers(at *look.At) []fact.Compiler {
	var out []fact.Compiler
	for _, pair := range []struct{ family, cxx, c string }{{"gcc", "g++", "gcc"}, {"clang", "clang++", "clang"}} {
		seen := newSet(at.Path)
		for _, path := range at.WhichAll(pair.cxx) {
			seen.add(at.Path.Dir(path))
			out = append(out, unixCompiler(at, pair.family, path, true))
		}
		for _, path := range at.WhichAll(pair.c) {
			if seen.add(at.Path.Dir(path)) {
				out = append(out, unixCompiler(at, pair.family, path, false))
			}
		}
	}
	return out
}

func unixCompiler(at *look.At, family, path string, cxx bool) fact.Compiler {
	c := fact.Compiler{
		Family: family, Command: path, Path: path, Real: at.RealIfOther(path), Cxx: cxx, Origin: origin(path),
	}
	root := at.Path.Dir(at.Path.Dir(at.Real(path)))
	if family == "gcc" {
		c.Version, c.Target = gccVersion(at, at.Path.Join(root, `lib\gcc`))
	} else {
		c.Version = newest(at, at.Path.Join(root, `lib\clang`))
	}
	return c
}

// gccVersion reads lib\gcc\TRIPLE\VERSION: gcc keeps its own parts there, so no process is needed.
func gccVersion(at *look.At, dir string) (fact.Fact[string], string) {
	for _, triple := range at.List(dir, tripleName) {
		if v := newest(at, triple); v.Known() {
			return v, at.Path.Base(triple)
		}
	}
	return fact.None[string](dir), ""
}

// newest is the highest version among the folders of dir.
func newest(at *look.At, dir string) fact.Fact[string] {
	best := ""
	for _, path := range at.List(dir, versionName) {
		if name := at.Path.Base(path); best == "" || number(best).Less(number(name)) {
			best = name
		}
	}
	if best == "" {
		return fact.None[string](dir)
	}
	return fact.Of(best, at.Path.Join(dir, best))
}
