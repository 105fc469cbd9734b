package choice

import (
	"fmt"

	"cupel/internal/fact"
	"cupel/internal/ospath"
)

// activeOf finds the toolkit of the first nvcc on PATH. An nvcc that belongs to no toolkit found (a shim, a
// wrapper of a compiler cache) is passed over: the one it would call in the end comes later on PATH.
func activeOf(m fact.Machine) Pick {
	s := m.System.Paths()
	for _, d := range m.Path {
		files := nvccs(m, s, d)
		for i := range m.Toolkits {
			if t := &m.Toolkits[i]; owns(s, *t, files) {
				return pick(t, ByActive, fmt.Sprintf("first nvcc on PATH: %s", files[0]))
			}
		}
	}
	return Pick{By: ByNone, Reason: "no nvcc is on PATH"}
}

// nvccs lists the spellings under which a folder's nvcc may be known, as found and with links resolved.
func nvccs(m fact.Machine, s ospath.Style, d fact.PathDir) []string {
	files := []string{s.Join(d.Dir, s.Program("nvcc"))}
	if d.Real != "" {
		files = append(files, s.Join(d.Real, s.Program("nvcc")))
	}
	for _, f := range files {
		if p, ok := m.Places[f]; ok && p.Real != "" {
			files = append(files, p.Real)
		}
	}
	return files
}

// owns says that one of the files is the toolkit's own nvcc. A file that merely lies below the root is not
// enough: / and /usr are roots of some layouts.
func owns(s ospath.Style, t fact.Toolkit, files []string) bool {
	nvcc := t.Parts[fact.PartNvcc]
	if nvcc == "" || t.Faults[fact.PartNvcc] != "" {
		return false // shells pass over what they may not execute
	}
	own := []string{nvcc, s.Join(t.Root, "bin", s.Base(nvcc)), s.Join(t.Home(), "bin", s.Base(nvcc))}
	for _, f := range files {
		for _, o := range own {
			if s.Same(f, o) {
				return true
			}
		}
	}
	return false
}
