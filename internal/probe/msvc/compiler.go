package msvc

import (
	"cupel/internal/fact"
	"cupel/internal/probe/look"
)

// compilersOf lists every cl.exe on PATH, then each toolset's best one that is not there, then the gcc and
// clang on PATH.
func compilersOf(at *look.At, vs []fact.VisualStudio) []fact.Compiler {
	var out []fact.Compiler
	seen := newSet(at.Path)
	for i, path := range at.WhichAll("cl") {
		c := clCompiler(at, path)
		if c.Default = i == 0; c.Default {
			c.Command = "cl"
		}
		seen.add(path)
		out = append(out, c)
	}
	for _, instance := range vs {
		for _, ts := range instance.Toolsets {
			if ts.ClPath != "" && seen.add(ts.ClPath) {
				out = append(out, clCompiler(at, ts.ClPath))
			}
		}
	}
	return append(out, unixCompilers(at)...)
}

func clCompiler(at *look.At, path string) fact.Compiler {
	return fact.Compiler{
		Family: "msvc", Command: path, Path: path, Real: at.RealIfOther(path),
		Version: clVersion(at, path), Target: clTarget(at, path), Cxx: true,
	}
}
