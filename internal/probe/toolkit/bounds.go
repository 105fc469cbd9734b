package toolkit

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// hostConfigLine keeps the lines of crt/host_config.h that carry a bound. The #error text is taken for clang:
// the #if lines above it stand there twice, once for another system.
var hostConfigLine = pattern.New(`__GNUC__ > \d|clang version must be less than \d|_MSC_VER < \d+ \|\| _MSC_VER >= \d`)

var (
	gccBound   = pattern.New(`#if\s+__GNUC__\s*>\s*(\d+)`)
	clangBound = pattern.New(`unsupported clang version! clang version must be less than (\d+)`)
	mscBound   = pattern.New(`#if\s+_MSC_VER\s*<\s*(\d+)\s*\|\|\s*_MSC_VER\s*>=\s*(\d+)`)
)

func bounds(a *look.At, path string) fact.Fact[fact.Bounds] {
	if path == "" {
		return fact.None[fact.Bounds]("")
	}
	lines, err := a.Lines(path, hostConfigLine)
	if err != nil {
		return fact.Fact[fact.Bounds]{State: fact.Unreadable, Source: path, Why: look.Reason(err)}
	}
	b := parseHostConfig(lines)
	if b == (fact.Bounds{}) {
		return fact.Bad[fact.Bounds](path, errors.New("no compiler bound in it"))
	}
	return fact.Of(b, path)
}

func parseHostConfig(lines []string) fact.Bounds {
	var b fact.Bounds
	for _, l := range lines {
		first(&b.GCCMax, gccBound, l, 1)
		first(&b.ClangBelow, clangBound, l, 1)
		first(&b.MSCMin, mscBound, l, 1)
		first(&b.MSCBelow, mscBound, l, 2)
	}
	return b
}

// first keeps the first bound met; a number no compiler will ever carry is not one.
func first(into *int, re *pattern.Pattern, line string, group int) {
	m := re.FindStringSubmatch(line)
	if *into != 0 || m == nil {
		return
	}
	if n, err := strconv.Atoi(m[group]); err == nil && n < 10000 {
		*into = n
	}
}

var progLine = pattern.New(`prog=gcc-\d+`)

// ownGCC finds a gcc beside nvcc. Debian's toolkit has a script there that takes the first of several that is
// installed; people put a link there to give nvcc another compiler.
func ownGCC(a *look.At, nvcc string) []string {
	if nvcc == "" || a.Path.Windows() {
		return nil
	}
	gcc := a.Path.Join(a.Path.Dir(nvcc), "gcc")
	if !a.IsFile(gcc) {
		return nil
	}
	if real := a.RealIfOther(gcc); real != "" && a.Path.Dir(real) != a.Path.Dir(gcc) {
		return []string{real}
	}
	lines, err := a.Lines(gcc, progLine)
	if err != nil {
		a.Note("the compiler beside nvcc", gcc, err)
	}
	var out []string
	for _, l := range lines {
		if name := strings.TrimPrefix(progLine.FindString(l), "prog="); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		out = []string{gcc}
	}
	return out
}
