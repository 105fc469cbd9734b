package compat

import (
	"cupel/data"
	"cupel/internal/version"
)

// Bounds are the host compilers a release accepts, by major version; MSCMax is the first _MSC_VER refused.
// 0 means not established. nvcc compares majors only, so gcc 13.3 is fine where 13 is the maximum.
type Bounds struct {
	GCCMin   int    `json:"gcc_min,omitempty"`
	GCCMax   int    `json:"gcc_max,omitempty"`
	ClangMin int    `json:"clang_min,omitempty"`
	ClangMax int    `json:"clang_max,omitempty"`
	MSCMin   int    `json:"msc_min,omitempty"`
	MSCMax   int    `json:"msc_max_exclusive,omitempty"`
	Source   Source `json:"source,omitempty"`
}

// HostBounds gives the table's bounds. For an installed toolkit its own crt/host_config.h comes first; this
// is for when none is there.
func HostBounds(rel version.V) (Bounds, bool) {
	r, ok := hostRow(rel)
	return Bounds{r.GCCMin, r.GCCMax, r.ClangMin, r.ClangMax, r.MSCMin, r.MSCMax, r.Source}, ok
}

// hostRow finds the row of a release; X.Y alone is read as its newest update.
func hostRow(rel version.V) (data.HostCompiler, bool) {
	v := rel
	if r, ok := line(rel); ok {
		v = r.version
	}
	for _, h := range data.HostCompilers() {
		first, last := parse(h.First), parse(h.Last)
		if first.Covers(v) || last.Covers(v) || (first.Less(v) && v.Less(last)) {
			return h, true
		}
	}
	return data.HostCompiler{}, false
}

// Fit says where a compiler stands against bounds.
type Fit string

const (
	Fits    Fit = "fits"
	TooNew  Fit = "too-new"
	TooOld  Fit = "too-old"
	Unknown Fit = "unknown" // no bound is established: never taken for fine
)

// GCC judges a gcc by its major.
func (b Bounds) GCC(major int) Fit { return within(major, b.GCCMin, b.GCCMax) }

// Clang judges a clang by its major.
func (b Bounds) Clang(major int) Fit { return within(major, b.ClangMin, b.ClangMax) }

// MSC judges a Microsoft compiler by its _MSC_VER, for instance 1940.
func (b Bounds) MSC(mscver int) Fit { return within(mscver, b.MSCMin, b.MSCMax-1) }

// Judge holds a compiler of a family against its bounds and gives those that count; 0 means not established.
func (b Bounds) Judge(family string, v version.V) (fit Fit, low, high int) {
	switch family {
	case "gcc":
		return b.GCC(v.Major()), b.GCCMin, b.GCCMax
	case "clang":
		return b.Clang(v.Major()), b.ClangMin, b.ClangMax
	case "msvc":
		m, _ := ParseMSVC(v)
		return b.MSC(m.MSCVer), b.MSCMin, max(b.MSCMax-1, 0)
	}
	return Unknown, 0, 0
}

func within(n, low, high int) Fit {
	switch {
	case low <= 0 || high <= 0 || n <= 0:
		return Unknown
	case n > high:
		return TooNew
	case n < low:
		return TooOld
	}
	return Fits
}

// MSVC is one Microsoft compiler under its three names.
type MSVC struct {
	MSCVer  int       `json:"msc_ver"`        // 1940
	Cl      version.V `json:"cl"`             // 19.40
	Toolset version.V `json:"toolset"`        // 14.40
	Studio  string    `json:"studio"`         // Visual Studio 2022
	Span    string    `json:"studio_version"` // 17.10-17.14
	Source  Source    `json:"source"`
}

// MSVCByMSC finds a compiler by its _MSC_VER.
func MSVCByMSC(mscver int) (MSVC, bool) {
	for _, r := range data.MSVCs() {
		if r.MSCMin <= mscver && mscver <= r.MSCMax {
			toolset := parse(r.ToolsetMin)
			minor := toolset.Minor() + mscver - r.MSCMin
			return MSVC{mscver, version.Of(mscver/100, mscver%100), version.Of(toolset.Major(), minor), r.Studio, r.Versions, r.Source}, true
		}
	}
	return MSVC{}, false
}

// MSVCByToolset finds a compiler by the version of its folder, 14.40.33807 or 14.40.
func MSVCByToolset(toolset version.V) (MSVC, bool) {
	for _, r := range data.MSVCs() {
		low, high := parse(r.ToolsetMin), parse(r.ToolsetMax)
		if s := toolset.Short(); s.AtLeast(low) && high.AtLeast(s) {
			return MSVCByMSC(r.MSCMin + s.Minor() - low.Minor())
		}
	}
	return MSVC{}, false
}

// MSVCByCl finds a compiler by what cl.exe prints: 19.40.33811.
func MSVCByCl(cl version.V) (MSVC, bool) { return MSVCByMSC(cl.Major()*100 + cl.Minor()) }
