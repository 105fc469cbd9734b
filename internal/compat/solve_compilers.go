package compat

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/version"
)

// Installed is one host compiler of a machine. A release fits when one of them does.
type Installed struct {
	Command string    `json:"command"` // what can be typed: g++-12
	Family  string    `json:"family"`  // gcc | clang | msvc
	Version version.V `json:"version"`
	Default bool      `json:"default,omitempty"` // what nvcc takes when nothing is said
}

// String names a compiler shortly: the command of Microsoft's is a long path, and its version tells it apart.
func (c Installed) String() string {
	if c.Family == "msvc" {
		return "cl " + c.Version.String()
	}
	return fmt.Sprintf("%s (%s %s)", c.Command, c.Family, c.Version)
}

// standing is how a release takes one installed compiler.
type standing struct {
	Installed
	fit  Fit
	span string
}

func (c standing) verdict() string {
	return fmt.Sprintf("%s is %s", c.Installed, strings.ReplaceAll(string(c.fit), "-", " "))
}

// checkInstalled takes the first compiler of the list that is known to fit: who asks puts the default first
// and the better ones before the others.
func checkInstalled(s *Solution, r row) view {
	if len(s.Query.Compilers) == 0 {
		return view{}
	}
	b, _ := HostBounds(r.version)
	var all []standing
	for _, c := range s.Query.Compilers {
		fit, low, high := b.Judge(c.Family, c.Version)
		all = append(all, standing{c, fit, spanText(c.Family, low, high)})
	}
	for _, want := range []Fit{Fits, Unknown} {
		if i := slices.IndexFunc(all, func(c standing) bool { return c.fit == want }); i >= 0 {
			return withCompiler(all[i], all, r)
		}
	}
	return view{rule: "compiler", out: fmt.Sprintf("CUDA %s accepts %s; %s", r.version, spansOf(all), verdicts(all))}
}

// withCompiler tells which compiler a release fits with, and why it is not the default.
func withCompiler(c standing, all []standing, r row) view {
	v := view{rule: "compiler", compiler: c.Command}
	if c.fit == Unknown {
		v.caveats = []string{fmt.Sprintf("whether CUDA %s accepts %s is not established", r.short, c.Installed)}
		return v
	}
	v.reason = fmt.Sprintf("fits with %s; %s are accepted", c.Installed, c.span)
	if i := slices.IndexFunc(all, func(d standing) bool { return d.Default && d.fit != Fits }); i >= 0 {
		if all[i].fit == Unknown {
			v.reason += fmt.Sprintf("; whether the default %s is accepted is not established", all[i].Installed)
		} else {
			v.reason += "; the default " + all[i].verdict()
		}
	}
	return v
}

func spansOf(all []standing) string {
	var spans []string
	for _, c := range all {
		if !slices.Contains(spans, c.span) {
			spans = append(spans, c.span)
		}
	}
	return strings.Join(spans, " and ")
}

func verdicts(all []standing) string {
	var list []string
	for _, c := range all {
		if v := c.verdict(); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return strings.Join(list, ", ")
}

// checkGCC, checkClang and checkMSVC are for compilers that are named in the question: each must fit.
func checkGCC(s *Solution, r row) view   { return checkNamed("gcc", s.Query.GCC, r) }
func checkClang(s *Solution, r row) view { return checkNamed("clang", s.Query.Clang, r) }
func checkMSVC(s *Solution, r row) view  { return checkNamed("msvc", s.Query.MSVC, r) }

func checkNamed(family string, v version.V, r row) view {
	if v.IsZero() {
		return view{}
	}
	b, _ := HostBounds(r.version)
	fit, low, high := b.Judge(family, v)
	span := spanText(family, low, high)
	switch fit {
	case Fits:
		return view{rule: family, reason: fmt.Sprintf("accepts %s %s (%s)", family, v, span)}
	case Unknown:
		return view{rule: family, caveats: []string{fmt.Sprintf("which %s CUDA %s accepts is not established", family, r.short)}}
	}
	return view{rule: family, out: fmt.Sprintf("CUDA %s accepts %s; %s %s is %s", r.version, span, family, v, strings.ReplaceAll(string(fit), "-", " "))}
}

func spanText(family string, low, high int) string {
	if family == "msvc" {
		return fmt.Sprintf("_MSC_VER %d to %d", low, high)
	}
	return fmt.Sprintf("%s %d to %d", family, low, high)
}
