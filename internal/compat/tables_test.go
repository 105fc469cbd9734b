package compat

import (
	"slices"
	"testing"

	"cupel/data"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// These tests read the tables as numbers; package data has the ones that read them as text.

func TestReleasesAscend(t *testing.T) {
	var last row
	for _, r := range rows() {
		if r.version.Parts() != 3 {
			t.Errorf("release %q is not X.Y.Z", r.Version)
		}
		if !last.version.Less(r.version) {
			t.Errorf("release %s does not follow %s", r.version, last.version)
		}
		if r.nvcc.Less(last.nvcc) && !r.nvcc.IsZero() {
			t.Errorf("nvcc %s of %s is older than %s of %s", r.nvcc, r.version, last.nvcc, last.version)
		}
		if !r.nvcc.IsZero() {
			last = r
		}
	}
}

func TestReleaseRowsAreWhole(t *testing.T) {
	for _, r := range rows() {
		if PTXISA(r.version).IsZero() || len(r.Archs) == 0 {
			t.Errorf("release %s has no PTX version or no architectures: its X.Y has no row", r.version)
		}
		for _, os := range []string{"linux", "windows"} {
			if floor, src := DriverFloor(r.version, os); floor.IsZero() || len(src) == 0 {
				t.Errorf("release %s has no driver floor on %s", r.version, os)
			}
		}
		if !r.Preview && r.nvcc.IsZero() {
			t.Errorf("release %s has no nvcc", r.version)
		}
		if _, ok := HostBounds(r.version); !ok {
			t.Errorf("release %s has no host compiler row", r.version)
		}
	}
}

func TestDriversAscend(t *testing.T) {
	for _, os := range []string{"linux", "windows"} {
		var last version.V
		for _, r := range rows() {
			listed := parse(r.Paired.On(os))
			if listed.IsZero() {
				continue
			}
			if listed.Less(last) {
				t.Errorf("%s driver %s of %s is older than %s of an earlier release", os, listed, r.version, last)
			}
			last = listed
		}
	}
}

// TestEveryArchExists follows every architecture named anywhere to its row, and compares the two tables.
func TestEveryArchExists(t *testing.T) {
	for _, r := range rows() {
		for _, list := range [][]string{r.Archs, r.Added, r.Dropped, r.Deprecated} {
			for _, d := range list {
				a, err := gpu.ParseArch(d)
				if _, ok := archRow(a); err != nil || !ok {
					t.Errorf("release %s names %q, which has no row", r.version, d)
				}
			}
		}
		for _, a := range archs(r.Deprecated) {
			if !Knows(r.version, a) {
				t.Errorf("release %s deprecates %s, which it does not know", r.version, a)
			}
		}
	}
	for _, g := range data.GPUs() {
		if cc, err := gpu.ParseCC(g.CC); err != nil || !KnownCC(cc) {
			t.Errorf("%s has capability %q, which has no row", g.Name, g.CC)
		}
	}
	for _, f := range data.Families() {
		if cc, err := gpu.ParseCC(f.CC); err != nil || !KnownCC(cc) {
			t.Errorf("family %q has capability %q, which has no row", f.Pattern, f.CC)
		}
	}
	for _, a := range data.Archs() {
		if a.Renamed != "" {
			if _, ok := archRow(gpu.MustArch(a.Renamed)); !ok {
				t.Errorf("%s is renamed to %s, which has no row", a.SM, a.Renamed)
			}
		}
	}
}

// TestSpansAgree compares first and last toolkit of each target with the lists of the releases.
func TestSpansAgree(t *testing.T) {
	for _, a := range data.Archs() {
		arch := gpu.MustArch(a.SM)
		first, last := parse(a.First), parse(a.Last)
		for _, r := range rows() {
			want := !r.short.Less(first) && (last.IsZero() || !last.Less(r.short))
			if got := Knows(r.version, arch); got != want {
				t.Errorf("release %s knows %s = %t, but its row says %s to %s", r.version, arch, got, first, last)
			}
		}
	}
}

func TestAddedAndDroppedAgree(t *testing.T) {
	var before row
	for _, r := range newestLines() {
		if before.Version != "" {
			for _, a := range ArchsOf(before.version) {
				added := slices.Contains(archs(before.Added), a)
				if isNew := !Knows(r.version, a); isNew != added {
					t.Errorf("%s is new in %s = %t, but the row says %t", a, before.short, isNew, added)
				}
			}
			for _, a := range ArchsOf(r.version) {
				dropped := slices.Contains(archs(before.Dropped), a)
				if gone := !Knows(before.version, a); gone != dropped {
					t.Errorf("%s is gone in %s = %t, but the row says %t", a, before.short, gone, dropped)
				}
			}
		}
		before = r
	}
}

func TestHostRowsDoNotOverlap(t *testing.T) {
	for _, r := range rows() {
		n := 0
		for _, h := range data.HostCompilers() {
			first, last := parse(h.First), parse(h.Last)
			if first.Covers(r.version) || last.Covers(r.version) || (first.Less(r.version) && r.version.Less(last)) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("release %s has %d host compiler rows", r.version, n)
		}
	}
	for _, h := range data.HostCompilers() {
		if h.GCCMin > h.GCCMax || h.ClangMin > h.ClangMax || (h.MSCMax != 0 && h.MSCMin >= h.MSCMax) {
			t.Errorf("host row %s is empty", h.First)
		}
	}
}

// TestStudioSpansShareOneVerdict: a Visual Studio is judged by the first compiler of its row, so no toolkit may
// draw its line inside one.
func TestStudioSpansShareOneVerdict(t *testing.T) {
	for _, m := range data.MSVCs() {
		for _, r := range rows() {
			b, _ := HostBounds(r.version)
			if b.MSC(m.MSCMin) != b.MSC(m.MSCMax) {
				t.Errorf("CUDA %s takes _MSC_VER %d and %d of %s %s differently", r.version, m.MSCMin, m.MSCMax, m.Studio, m.Versions)
			}
		}
	}
}

func TestMSVCRowsDoNotOverlap(t *testing.T) {
	last := data.MSVC{}
	for _, m := range data.MSVCs() {
		if m.MSCMin <= last.MSCMax || !parse(last.ToolsetMax).Less(parse(m.ToolsetMin)) {
			t.Errorf("msvc row %s overlaps %s", m.ToolsetMin, last.ToolsetMin)
		}
		if !parse(last.StudioMin).Less(parse(m.StudioMin)) {
			t.Errorf("msvc row %s begins with Visual Studio %q, the one before with %q", m.ToolsetMin, m.StudioMin, last.StudioMin)
		}
		last = m
	}
}

// TestPTXHistory holds targets to NVIDIA's table of PTX releases: the PTX version of a target is that of its
// first toolkit.
func TestPTXHistory(t *testing.T) {
	for _, tt := range []struct{ name, sm, first, ptx string }{
		{"Kepler came in an update of 4.x", "sm_30", "4.2", "3.0"}, {"Tegra K1", "sm_32", "6.0", "4.0"}, {"Kepler", "sm_35", "5.0", "3.1"},
		{"K80", "sm_37", "6.5", "4.1"}, {"Maxwell", "sm_50", "6.0", "4.0"}, {"second Maxwell", "sm_52", "6.5", "4.1"}, {"Tegra X1", "sm_53", "7.0", "4.2"},
		{"Pascal", "sm_61", "8.0", "5.0"}, {"Volta", "sm_70", "9.0", "6.0"}, {"Xavier", "sm_72", "9.1", "6.1"}, {"Turing", "sm_75", "10.0", "6.3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if r, _ := archRow(gpu.MustArch(tt.sm)); r.First != tt.first || r.PTX != tt.ptx {
				t.Errorf("%s begins with CUDA %q, PTX %q, want %q, %q", tt.sm, r.First, r.PTX, tt.first, tt.ptx)
			}
		})
	}
}

// TestFirstPTXAgrees compares the two tables where both reach.
func TestFirstPTXAgrees(t *testing.T) {
	for _, a := range data.Archs() {
		made := PTXISA(parse(a.First))
		if want := parse(a.PTX); !made.IsZero() && made.Less(want) {
			t.Errorf("%s needs PTX %s, but CUDA %s writes %s", a.SM, want, a.First, made)
		}
	}
}

func TestNeverReleasedHasNoRow(t *testing.T) {
	for _, n := range data.AllReleases().Never {
		v := parse(n.Version)
		for _, r := range rows() {
			if v.Covers(r.version) {
				t.Errorf("%s was never released, but %s has a row", v, r.version)
			}
		}
		for _, l := range data.AllReleases().Lines {
			if l.Version == n.Version {
				t.Errorf("%s was never released, but has a line", n.Version)
			}
		}
	}
}

func TestBuilderRangesDoNotOverlap(t *testing.T) {
	for i, a := range data.Builders() {
		first, last := parse(a.First), parse(a.Last)
		if first.IsZero() || (!last.IsZero() && last.Less(first)) {
			t.Errorf("builder %s %s to %s is no range", a.Name, a.First, a.Last)
		}
		if end := parse(a.AllowLast); !end.IsZero() {
			if ok, why := Exists(end); !ok {
				t.Errorf("builder %s %s allows %s: %s", a.Name, a.First, end, why)
			}
		}
		for _, b := range data.Builders()[i+1:] {
			if a.Name == b.Name && (last.IsZero() || !last.Less(parse(b.First))) {
				t.Errorf("builder %s: %s to %s and %s overlap", a.Name, a.First, a.Last, b.First)
			}
		}
	}
}

func TestCuDNNAscends(t *testing.T) {
	var last version.V
	for _, r := range data.CuDNNs() {
		v := parse(r.Version)
		if !last.Less(v) {
			t.Errorf("cudnn %s does not follow %s", v, last)
		}
		if full := parse(r.Full); !full.IsZero() && !v.Covers(full) {
			t.Errorf("cudnn %s has the full version %s", v, full)
		}
		if len(r.Majors) == 0 {
			t.Errorf("cudnn %s names no CUDA major", v)
		}
		last = v
	}
}

// TestEveryProductIsFound looks each product up by its own name and ids, and holds the family patterns to the
// same answers.
func TestEveryProductIsFound(t *testing.T) {
	for _, g := range data.GPUs() {
		if got, ok := GPUByName(g.Name); !ok || got.CC != g.CC {
			t.Errorf("GPUByName(%q) = %q, %t, want %s", g.Name, got.CC, ok, g.CC)
		}
		for _, id := range g.PCI {
			if got, ok := GPUByPCI(id); !ok || got.CC != g.CC {
				t.Errorf("GPUByPCI(%s) = %q, %t, want %s", id, got.CC, ok, g.CC)
			}
		}
		for i, pattern := range families() {
			if pattern.MatchString(g.Name) {
				if cc := data.Families()[i].CC; cc != g.CC {
					t.Errorf("family %s says %s for %s, its row says %s", pattern, cc, g.Name, g.CC)
				}
				break
			}
		}
	}
}
