package choice

import (
	"cmp"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/version"
)

// Usable says that nvcc on this machine can work with the compiler at all: C++, of the machine's own kind
// (cl.exe on Windows, gcc or clang elsewhere) and for its own processor.
func Usable(m fact.Machine, c fact.Compiler) bool {
	windows := m.System.OS == fact.Windows
	if !c.Cxx || (c.Family == "msvc") != windows || c.Origin == "perl" {
		return false
	}
	return targets(c.Target, m.System.Arch)
}

// targets says that a triple, or Microsoft's short name, is for the processor; an untold one is taken as its.
func targets(target, arch string) bool {
	if target == "" || arch == "" {
		return true
	}
	if strings.Contains(target, "mingw") || strings.Contains(target, "windows") {
		return false
	}
	cpu, _, _ := strings.Cut(target, "-")
	names := map[string][]string{"amd64": {"x86_64", "amd64", "x64", "x86"}, "arm64": {"aarch64", "arm64"}}
	return slices.Contains(names[arch], cpu)
}

// DefaultCompiler is what nvcc takes when nothing is said; nil when there is none.
func DefaultCompiler(m fact.Machine) *fact.Compiler {
	for i := range m.Compilers {
		if c := &m.Compilers[i]; c.Default && Usable(m, *c) {
			return c
		}
	}
	return nil
}

// DefaultFor is what the nvcc of one toolkit takes when nothing is said: nvcc puts its own folder before PATH,
// so a gcc in it comes first (Debian's toolkit has a script there, people put links there).
func DefaultFor(m fact.Machine, t fact.Toolkit) *fact.Compiler {
	if len(t.OwnGCC) == 0 {
		return DefaultCompiler(m)
	}
	s := m.System.Paths()
	for _, own := range t.OwnGCC {
		cxx := s.Join(s.Dir(own), strings.Replace(s.Base(own), "gcc", "g++", 1))
		for i := range m.Compilers {
			c := &m.Compilers[i]
			if c.Command == cxx || s.Same(c.Path, cxx) || (c.Real != "" && s.Same(c.Real, cxx)) {
				return c
			}
		}
	}
	return nil
}

// FittingCompiler finds the host compiler to use with a toolkit. When the default one fits it is the best;
// else the newest that is known to fit, of the default's family before others. best is nil when none is known
// to fit. why is about the default compiler, or says that there is none.
func FittingCompiler(m fact.Machine, t fact.Toolkit) (best *fact.Compiler, defaultFits bool, why string) {
	def := DefaultFor(m, t)
	known := true
	why = "no host compiler is the default here"
	if def != nil {
		defaultFits, known, why = CompilerFits(t, *def)
		if defaultFits {
			return def, true, why
		}
	}
	best = newestFitting(m, t, def)
	if !known {
		// The default may well be right: without a bound nobody can say, so nothing is put in its place.
		return nil, false, why
	}
	return best, false, why
}

func newestFitting(m fact.Machine, t fact.Toolkit, def *fact.Compiler) (best *fact.Compiler) {
	family := "gcc"
	if def != nil {
		family = def.Family
	}
	for i := range m.Compilers {
		c := &m.Compilers[i]
		if ok, _, _ := CompilerFits(t, *c); ok && Usable(m, *c) && (best == nil || better(c, best, family)) {
			best = c
		}
	}
	return best
}

// better prefers the family, then a compiler of the system over one of conda or a cache, then the newer one.
func better(a, b *fact.Compiler, family string) bool {
	return cmp.Or(
		truth(a.Family == family, b.Family == family),
		truth(a.Origin == "", b.Origin == ""),
		VersionOf(a.Version).Compare(VersionOf(b.Version)),
	) > 0
}

func truth(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// VersionOf is the number in a version as its program or file tells it; zero when it is not known.
func VersionOf(f fact.Fact[string]) version.V {
	if !f.Known() {
		return version.V{}
	}
	v, ok := version.Find(f.Value)
	if !ok {
		v, _ = version.Parse(f.Value)
	}
	return v
}
