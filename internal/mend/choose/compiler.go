package choose

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/mend"
)

// compilers finds the host compiler to name, and every name under which a call may ask for one that does not fit. What is
// not known to be wrong is no trouble.
func compilers(m fact.Machine, t fact.Toolkit, host *fact.Compiler) (*mend.Compilers, string) {
	best, defaultFits, why := choice.FittingCompiler(m, t)
	if host != nil {
		if ok, known, why := choice.CompilerFits(t, *host); !ok && known {
			return nil, fmt.Sprintf("left out: the compiler that was asked for does not fit, and no other is put in its place: %s", why)
		}
		best = host
	}
	c := &mend.Compilers{Refused: refused(m, t)}
	if !defaultFits && wrongDefault(m, t) {
		c.Default = why
	}
	switch {
	case c.Default == "" && len(c.Refused) == 0 && !defaultFits:
		return nil, "left out: " + why
	case c.Default == "" && len(c.Refused) == 0:
		return nil, fmt.Sprintf("nothing to do: %s takes every host compiler here", choice.Name(t))
	case best == nil:
		return nil, fmt.Sprintf("left out: no installed host compiler is known to fit: %s; cupel toolkit install %s --with-host-compiler brings one where it can",
			why, choice.Release(t).Short())
	}
	c.Use = best.Path
	delete(c.Refused, mend.Key(c.Use, m.System.OS == fact.Windows))
	return c, ""
}

// wrongDefault: what nvcc takes by itself is known not to fit, or there is none. On Windows the second is no trouble: the
// environment of a build puts a cl.exe on PATH.
func wrongDefault(m fact.Machine, t fact.Toolkit) bool {
	def := choice.DefaultFor(m, t)
	if def == nil {
		return m.System.OS != fact.Windows
	}
	_, known, _ := choice.CompilerFits(t, *def)
	return known
}

// refused maps names to why. A name that a fitting compiler has too says nothing.
func refused(m fact.Machine, t fact.Toolkit) map[string]string {
	windows := m.System.OS == fact.Windows
	bad, good := map[string]string{}, map[string]bool{}
	for _, c := range m.Compilers {
		ok, known, why := choice.CompilerFits(t, c)
		for _, name := range names(m, c) {
			key := mend.Key(name, windows)
			if known && !ok {
				bad[key] = why
			} else {
				good[key] = true
			}
		}
	}
	for name := range good {
		delete(bad, name)
	}
	return bad
}

// names are those under which -ccbin can ask for a compiler: its command, its path, its C side, and its folder where nvcc
// looks for a plain gcc or cl.exe in a folder.
func names(m fact.Machine, c fact.Compiler) []string {
	s := m.System.Paths()
	list := []string{c.Path}
	if c.Command != "" {
		list = append(list, c.Command)
	}
	if c.Real != "" {
		list = append(list, c.Real)
	}
	for _, name := range list {
		base := s.Base(name)
		for _, side := range [][2]string{{"clang++", "clang"}, {"g++", "gcc"}} {
			if i := strings.LastIndex(base, side[0]); i >= 0 {
				list = append(list, strings.TrimSuffix(name, base)+base[:i]+side[1]+base[i+len(side[0]):])
				break
			}
		}
	}
	switch base := strings.ToLower(s.Base(c.Path)); base {
	case "g++", "gcc", "cl.exe":
		list = append(list, s.Dir(c.Path))
	}
	if c.Default && c.Family == "msvc" {
		list = append(list, "cl", "cl.exe")
	}
	return list
}
