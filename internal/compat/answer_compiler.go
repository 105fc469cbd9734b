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
	Note     string        `json:"note,omitempty"`
	Source   Source        `json:"source"`
}

// CompilerFit is how the newest release of one X.Y takes the compiler.
type CompilerFit struct {
	Release version.V `json:"release"`
	Fit     Fit       `json:"fit"`
	Min     int       `json:"min,omitempty"`
	Max     int       `json:"max,omitempty"` // inclusive
}

// CompilerAnswer tells which toolkits accept a host compiler. An MSVC may be given under any number that
// ParseMSVC reads.
func CompilerAnswer(family string, v version.V) (Compiler, error) {
	c := Compiler{Family: family, Version: v}
	if family == "msvc" {
		m, ok := ParseMSVC(v)
		if !ok {
			return Compiler{}, noMSVC(v)
		}
		c.MSVC, c.Note = &m, spanNote(v, m)
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
	f := CompilerFit{Release: r.version}
	f.Fit, f.Min, f.Max = b.Judge(c.Family, c.Version)
	c.Toolkits = append(c.Toolkits, f)
	if f.Fit == Fits {
		c.First = r.short
		if c.Last.IsZero() {
			c.Last = r.short
		}
	}
	c.Source = merge(c.Source, b.Source)
}

func noMSVC(v version.V) error {
	return fmt.Errorf("no MSVC %s is in the table: give a toolset (14.40), a cl (19.40), an _MSC_VER (1940) or a Visual Studio (2022, 17.10)", v)
}

// ParseMSVC reads a Microsoft compiler under any of its numbers: toolset (14.40), cl (19.40), _MSC_VER (1940),
// Visual Studio (17.10 or 2022). The tables tell them apart, because their ranges do not meet.
func ParseMSVC(v version.V) (MSVC, bool) {
	if v.Parts() == 1 {
		if m, ok := MSVCByMSC(v.Major()); ok {
			return m, true
		}
		return MSVCByStudio(v)
	}
	if m, ok := MSVCByToolset(v); ok {
		return m, true
	}
	if m, ok := MSVCByCl(v); ok {
		return m, true
	}
	return MSVCByStudio(v)
}
