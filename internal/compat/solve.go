package compat

import (
	"cmp"
	"slices"

	"cupel/internal/gpu"
	"cupel/internal/version"
)

// Query says what must fit together. Zero fields are not asked about.
type Query struct {
	GPU    string    `json:"gpu,omitempty"` // product name, PCI id or capability
	CC     gpu.CC    `json:"compute_capability,omitzero"`
	Driver version.V `json:"driver,omitzero"`
	Level  version.V `json:"driver_cuda_level,omitzero"` // what the driver itself says; else the table's answer
	GCC    version.V `json:"gcc,omitzero"`
	Clang  version.V `json:"clang,omitzero"`
	MSVC   version.V `json:"msvc,omitzero"` // toolset, cl or _MSC_VER
	// Compilers are those of a machine, the preferred first: one that fits is enough.
	Compilers []Installed `json:"compilers,omitempty"`
	OS        string      `json:"os,omitempty"`     // linux, windows, wsl2; empty: by the driver's number, else linux
	Toolkit   version.V   `json:"toolkit,omitzero"` // only this release, or this X.Y
}

// Solution lists what fits, best first, and why the others fall out. Best means: fewest caveats, then newest.
type Solution struct {
	Query Query     `json:"query"`
	GPU   *GPU      `json:"gpu,omitempty"`
	Level version.V `json:"driver_cuda_level,omitzero"`
	Notes []string  `json:"notes,omitempty"` // how the question was understood
	Fits  []FitRow  `json:"fits"`
	Out   []OutRow  `json:"out"`
}

// FitRow is a release that fits, with what was checked and what to keep in mind.
type FitRow struct {
	Release  version.V `json:"release"`
	Compiler string    `json:"compiler,omitempty"` // the installed one it fits with
	Reasons  []string  `json:"reasons"`
	Caveats  []string  `json:"caveats,omitempty"`
}

// OutRow is a release that does not fit. Rule is the check it failed at.
type OutRow struct {
	Release version.V `json:"release"`
	Rule    string    `json:"rule"` // platform | gpu | driver | compiler | gcc | clang | msvc
	Reason  string    `json:"reason"`
}

// Solve tries the newest release of every X.Y. The error says what in the query cannot be understood.
func Solve(q Query) (Solution, error) {
	s := Solution{Query: q, Fits: []FitRow{}, Out: []OutRow{}}
	if err := s.resolve(); err != nil {
		return Solution{}, err
	}
	lines, err := candidates(q.Toolkit)
	if err != nil {
		return Solution{}, err
	}
	for _, r := range lines {
		s.try(r)
	}
	slices.SortStableFunc(s.Fits, func(a, b FitRow) int { return cmp.Compare(len(a.Caveats), len(b.Caveats)) })
	return s, nil
}

// try runs the checks in order; the first that fails is the reason shown.
func (s *Solution) try(r row) {
	fit := FitRow{Release: r.version}
	for _, check := range []check{checkPlatform, checkGPU, checkDriver, checkInstalled, checkGCC, checkClang, checkMSVC} {
		v := check(s, r)
		if v.out != "" {
			s.Out = append(s.Out, OutRow{r.version, v.rule, v.out})
			return
		}
		if v.reason != "" {
			fit.Reasons = append(fit.Reasons, v.reason)
		}
		fit.Compiler = cmp.Or(fit.Compiler, v.compiler)
		fit.Caveats = append(fit.Caveats, v.caveats...)
	}
	s.Fits = append(s.Fits, fit)
}
