package compat

import (
	"errors"
	"slices"

	"cupel/data"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// Toolkit is the answer to "compat toolkit 12.4".
type Toolkit struct {
	Release    version.V    `json:"release"`
	Label      string       `json:"label"`
	Date       string       `json:"date,omitempty"`
	Preview    bool         `json:"preview,omitempty"`
	Nvcc       version.V    `json:"nvcc,omitzero"`
	PTX        version.V    `json:"ptx_isa,omitzero"`
	Drivers    []DriverNeed `json:"drivers"`
	Host       Bounds       `json:"host_compilers"`
	MSVCFirst  *MSVC        `json:"msvc_first,omitempty"`
	MSVCLast   *MSVC        `json:"msvc_last,omitempty"`
	Archs      []gpu.Arch   `json:"archs"`
	Added      []gpu.Arch   `json:"archs_added,omitempty"`
	Dropped    []gpu.Arch   `json:"archs_dropped,omitempty"`
	Deprecated []gpu.Arch   `json:"archs_deprecated,omitempty"`
	Platforms  []string     `json:"platforms,omitempty"`
	CuDNN      []version.V  `json:"cudnn,omitempty"` // first and last release of the table built for its major
	Forward    *ForwardRow  `json:"forward_compat,omitempty"`
	Updates    []version.V  `json:"updates"` // every release of the same X.Y
	Notes      []string     `json:"notes,omitempty"`
	Source     Source       `json:"source"`
}

// DriverNeed holds the three driver rules for one system. An empty version is not published.
type DriverNeed struct {
	OS     string    `json:"os"`
	Floor  version.V `json:"floor,omitzero"`  // a: programs start
	Level  version.V `json:"level,omitzero"`  // b: its PTX is compiled by the driver
	Listed version.V `json:"listed,omitzero"` // c: NVIDIA lists it
	Source Source    `json:"source,omitempty"`
}

// ForwardRow is what the forward-compatibility matrix says of one toolkit.
type ForwardRow struct {
	Package string   `json:"package"`
	Works   []string `json:"driver_branches"`
	OnlyFor []string `json:"only_for"`
	Source  Source   `json:"source"`
}

// ToolkitAnswer tells all the tables know of a release. The error says why there is none.
func ToolkitAnswer(rel version.V) (Toolkit, error) {
	if ok, why := Exists(rel); !ok {
		return Toolkit{}, errors.New(why)
	}
	r, _ := find(rel)
	t := Toolkit{Release: r.version, Label: r.Label, Date: r.Date, Preview: r.Preview, Nvcc: r.nvcc, PTX: parse(r.PTX),
		Archs: archs(r.Archs), Added: archs(r.Added), Dropped: archs(r.Dropped), Deprecated: archs(r.Deprecated),
		Platforms: r.Platforms, Notes: r.Notes, Source: r.Source, Updates: updates(r.short), CuDNN: cudnnSpan(r.version.Major())}
	t.Drivers = []DriverNeed{driverNeed(r.version, "linux"), driverNeed(r.version, "windows")}
	t.Host, _ = HostBounds(r.version)
	t.MSVCFirst, t.MSVCLast = msvcSpan(t.Host)
	t.Forward = forwardRow(r.version)
	return t, nil
}

func driverNeed(rel version.V, os string) DriverNeed {
	n := DriverNeed{OS: os}
	var listedAt Source
	n.Floor, n.Source = DriverFloor(rel, os)
	n.Listed, listedAt = DriverListed(rel, os)
	n.Level, _ = DriverForLevel(rel, os)
	n.Source = merge(n.Source, listedAt)
	return n
}

func merge(a, b Source) Source {
	both := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(both, s) {
			both = append(both, s)
		}
	}
	return both
}

func updates(short version.V) []version.V {
	var list []version.V
	for _, r := range rows() {
		if r.short == short {
			list = append(list, r.version)
		}
	}
	return list
}

func cudnnSpan(major int) []version.V {
	var list []version.V
	for _, r := range data.CuDNNs() {
		if slices.Contains(r.Majors, major) {
			list = append(list, parse(r.Version))
		}
	}
	if len(list) > 2 {
		return []version.V{list[0], list[len(list)-1]}
	}
	return list
}

func msvcSpan(b Bounds) (first, last *MSVC) {
	if m, ok := MSVCByMSC(b.MSCMin); ok {
		first = &m
	}
	if m, ok := MSVCByMSC(b.MSCMax - 1); ok {
		last = &m
	}
	return first, last
}

func forwardRow(rel version.V) *ForwardRow {
	for _, r := range data.AllReleases().Compat.Rows {
		if r.Toolkit == rel.Short().String() {
			return &ForwardRow{expand(r.Package, rel), r.Works, r.OnlyFor, r.Source}
		}
	}
	return nil
}
