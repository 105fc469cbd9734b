package compat

import (
	"fmt"

	"cupel/internal/version"
)

// Compiler is the answer to "compat gcc 14".
type Compiler struct {
	Family   string        `json:"family"` // gcc | clang | msvc
	Version  version.V     `json:"version"`
	MSVC     *MSVC         `json:"msvc,omitempty"`
	Toolkits []CompilerFit `json:"toolkits"` // newest first
	First    version.V     `json:"first_toolkit,omitzero"`
	Last     version.V     `json:"last_toolkit,omitzero"`
	Source   Source        `json:"source"`
}

// CompilerFit is how the newest release of one X.Y takes the compiler.
type CompilerFit struct {
	Release version.V `json:"release"`
	Fit     Fit       `json:"fit"`
	Min     int       `json:"min,omitempty"`
	Max     int       `json:"max,omitempty"` // inclusive
}

// CompilerAnswer tells which toolkits accept a host compiler. An MSVC may be given as toolset (14.40), as cl
// (19.40) or as _MSC_VER (1940).
func CompilerAnswer(family string, v version.V) (Compiler, error) {
	c := Compiler{Family: family, Version: v}
	if family == "msvc" {
		m, ok := ParseMSVC(v)
		if !ok {
			return Compiler{}, fmt.Errorf("no MSVC %s is in the table: give a toolset (14.40), a cl (19.40) or an _MSC_VER (1940)", v)
		}
		c.MSVC = &m
	} else if family != "gcc" && family != "clang" {
		return Compiler{}, fmt.Errorf("host compiler %q is not one of gcc, clang, msvc", family)
	}
	for _, r := range newestLines() {
		c.add(r)
	}
	return c, nil
}

func (c *Compiler) add(r row) {
	b, ok := HostBounds(r.version)
	if !ok {
		return
	}
	f := c.fit(b)
	f.Release = r.version
	c.Toolkits = append(c.Toolkits, f)
	if f.Fit == Fits {
		c.First = r.short
		if c.Last.IsZero() {
			c.Last = r.short
		}
	}
	c.Source = merge(c.Source, b.Source)
}

func (c *Compiler) fit(b Bounds) CompilerFit {
	switch c.Family {
	case "gcc":
		return CompilerFit{Fit: b.GCC(c.Version.Major()), Min: b.GCCMin, Max: b.GCCMax}
	case "clang":
		return CompilerFit{Fit: b.Clang(c.Version.Major()), Min: b.ClangMin, Max: b.ClangMax}
	}
	return CompilerFit{Fit: b.MSC(c.MSVC.MSCVer), Min: b.MSCMin, Max: b.MSCMax - 1}
}

// ParseMSVC reads a Microsoft compiler under any of its three numbers; the tables tell them apart, because
// their ranges do not meet.
func ParseMSVC(v version.V) (MSVC, bool) {
	if v.Parts() == 1 {
		return MSVCByMSC(v.Major())
	}
	if m, ok := MSVCByToolset(v); ok {
		return m, true
	}
	return MSVCByCl(v)
}
