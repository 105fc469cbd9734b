package compiler

import (
	"cupel/internal/fact"
	"cupel/internal/probe/look"
)

// withOwn adds the compilers that cupel installed. They lie off PATH, so the whole path is what can be typed; the
// manifest tells the version, and no process is started. at is where a compiler that was found already stands, by its
// resolved path.
func withOwn(a *look.At, out []fact.Compiler, at map[string]int) []fact.Compiler {
	for _, o := range look.Owned(a, "compilers") {
		path := a.Path.Join(o.Dir, o.Command)
		if o.Command == "" || !a.IsFile(path) {
			continue
		}
		if i, ok := at[a.Real(path)]; ok {
			out[i].Origin = "cupel"
			continue
		}
		c := fact.Compiler{Family: "gcc", Command: path, Path: path, Real: a.RealIfOther(path), Cxx: true, Origin: "cupel"}
		c.Version = fact.Of(o.Release, a.Path.Join(o.Dir, look.ManifestName))
		out = append(out, c)
	}
	return out
}
