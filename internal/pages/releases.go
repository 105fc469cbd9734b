package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// releaseTable is what a script knows of each release: the first columns are the tables', those after are what
// cupel verify says about this contract with that release.
type releaseTable struct {
	names    []string // of the columns after the fixed ones
	rows     [][]string
	detected [][3]string // key, capability from which on or "none", value: see detect.go
	keys     map[string]string
}

// fixedColumns: key, nvcc build, driver floors, bounds of gcc, clang and cl.exe, architectures.
const fixedColumns = 11

// column is the number of a column, counted from 1; 0: there is none. A check has three columns: status, expected, found.
func (t *releaseTable) column(name string) int {
	at := fixedColumns + 1
	for _, n := range t.names {
		if n == name {
			return at
		}
		at += width(n)
	}
	return 0
}

func width(name string) int {
	if strings.HasPrefix(name, "env ") {
		return 1
	}
	return 3
}

// releasesFor makes the table for one contract on one kind of platform.
func releasesFor(c *contract.Contract, p contract.Platform) *releaseTable {
	t := &releaseTable{names: columnsOf(c, p), keys: map[string]string{}}
	k := &kit{req: c.For(p), byName: map[string]string{}}
	k.name(checkIDs(c, p), "env-", k.variables())
	none := make([]string, fixedColumns)
	none[0] = "none"
	t.rows = append(t.rows, append(none, t.said(k, version.V{})...))
	for _, key := range releaseKeys() {
		t.rows = append(t.rows, append(fixed(key), t.said(k, key)...))
	}
	return t
}

// columnsOf names the columns after the fixed ones: the checks by release, and each variable that holds targets.
func columnsOf(c *contract.Contract, p contract.Platform) []string {
	names, k := slices.Clone(byRelease), &kit{req: c.For(p)}
	for _, name := range k.variables() {
		if template, ok := k.template(name); ok && strings.Contains(template, "{arch.") {
			names = append(names, "env "+name)
		}
	}
	return names
}

// releaseKeys are every release, and every X.Y for a toolkit that does not tell its update.
func releaseKeys() []version.V {
	var out []version.V
	for _, r := range data.Releases() {
		v, err := version.Parse(r.Version)
		if err != nil {
			continue
		}
		for _, key := range []version.V{v.Short(), v} {
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}

func fixed(v version.V) []string {
	linux, _ := compat.DriverFloor(v, "linux")
	windows, _ := compat.DriverFloor(v, "windows")
	h, _ := compat.HostBounds(v)
	nvcc := ""
	for _, r := range data.Releases() {
		if r.Version == v.String() {
			nvcc = r.Nvcc
		}
	}
	var archs []string
	for _, a := range compat.ArchsOf(v) {
		archs = append(archs, a.Digits())
	}
	row := []string{v.String(), nvcc, linux.String(), windows.String()}
	for _, n := range []int{h.GCCMin, h.GCCMax, h.ClangMin, h.ClangMax, h.MSCMin, h.MSCMax} {
		row = append(row, cmp.Or(strings.TrimPrefix(strconv.Itoa(n), "0"), ""))
	}
	return append(row, strings.Join(archs, " "))
}

// said asks verify about a machine with one toolkit and nothing else; zero: without one.
func (t *releaseTable) said(k *kit, rel version.V) []string {
	c, p := k.req.Contract, k.req.Platform
	checks := judged(c, p, standing(p, rel), fact.Project{})
	var out []string
	for _, name := range t.names {
		variable, isEnv := strings.CutPrefix(name, "env ")
		switch f := checks[name]; {
		case isEnv && c.Arch.Detect:
			out = append(out, t.detect(k, variable, rel))
		case isEnv:
			out = append(out, cell(k.expected(checks, variable)))
		default:
			out = append(out, cell(string(f.Status)), cell(f.Expected), cell(f.Found))
		}
	}
	return out
}

// standing is a machine with one toolkit of a release, or without any.
func standing(p contract.Platform, rel version.V) fact.Machine {
	if rel.IsZero() {
		return blank(p)
	}
	return withToolkit(blank(p), rel.String())
}

// expected is what verify wants a variable to hold.
func (k *kit) expected(checks map[string]verify.Check, variable string) string {
	for id, name := range k.byName {
		if f := checks[id]; name == variable && f.Status != verify.Skipped {
			return f.Expected
		}
	}
	return ""
}

// cell keeps what cannot stand in the table out of it: it would be read as another column or row.
func cell(s string) string {
	if strings.ContainsAny(s, "|\n\r") {
		return ""
	}
	return s
}

// levels lists the CUDA level of each driver branch that the tables name, lowest first.
func levels() [][2]string {
	var branches []int
	add := func(text string) {
		if v, err := version.Parse(strings.TrimPrefix(text, "R")); err == nil && !slices.Contains(branches, v.Major()) {
			branches = append(branches, v.Major())
		}
	}
	for _, r := range data.Releases() {
		add(r.Branch)
		add(r.Paired.Linux)
	}
	for _, b := range data.AllReleases().Branches {
		add(b.Branch)
	}
	slices.Sort(branches)
	var out [][2]string
	for _, b := range branches {
		if level, ok := compat.DriverLevel(version.Of(b), "linux"); ok {
			out = append(out, [2]string{level.String(), strconv.Itoa(b)})
		}
	}
	return out
}
