package compat

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/gpu"
	"cupel/internal/version"
)

// view is what one check says of a release: out, or a reason it fits, and caveats.
type view struct {
	rule, out, reason string
	compiler          string // the one it fits with, when there is a choice
	caveats           []string
}

type check func(*Solution, row) view

// resolve looks the GPU, the system, the driver's level and the compiler up once.
func (s *Solution) resolve() error {
	if err := s.settle(); err != nil {
		return err
	}
	if name := s.Query.GPU; name != "" || !s.Query.CC.IsZero() {
		if name == "" {
			name = s.Query.CC.String()
		}
		g, err := GPUAnswer(name)
		if err != nil {
			return err
		}
		s.GPU, s.Query.CC = &g, g.CC
	}
	if s.Level = s.Query.Level; s.Level.IsZero() && !s.Query.Driver.IsZero() {
		s.Level, _ = DriverLevel(s.Query.Driver, s.Query.OS)
	}
	if v := s.Query.MSVC; !v.IsZero() {
		if m, ok := ParseMSVC(v); !ok {
			return noMSVC(v)
		} else if note := spanNote(v, m); note != "" {
			s.Notes = append(s.Notes, note)
		}
	}
	return nil
}

// settle finds the system that is asked about. Only Windows has MSVC; a Windows driver together with gcc or
// clang, which nvcc does not take on Windows, is WSL.
func (s *Solution) settle() error {
	q := &s.Query
	given := q.OS
	if given == "" && !q.MSVC.IsZero() {
		q.OS = "windows"
	}
	j, err := judgeAs(q.Driver, q.OS)
	if err != nil {
		return err
	}
	q.Driver, q.OS = j.driver, j.os
	if j.note != "" {
		s.Notes = append(s.Notes, j.note)
	}
	if given == "" && q.OS == "windows" && q.MSVC.IsZero() && !(q.GCC.IsZero() && q.Clang.IsZero()) {
		q.OS = "wsl2"
		s.Notes = append(s.Notes, "a Windows driver with gcc or clang is WSL: judged for wsl2")
	}
	return nil
}

func candidates(only version.V) ([]row, error) {
	if only.IsZero() {
		return newestLines(), nil
	}
	if ok, why := Exists(only); !ok {
		return nil, errors.New(why)
	}
	if only.Parts() == 1 {
		return slices.DeleteFunc(newestLines(), func(r row) bool { return !only.Covers(r.version) }), nil
	}
	r, _ := find(only)
	return []row{r}, nil
}

func checkPlatform(s *Solution, r row) view {
	want := "linux-"
	if s.Query.OS == "windows" {
		want = "windows-"
	}
	known := platformsOf(r)
	if len(known) == 0 || slices.ContainsFunc(known, func(p string) bool { return strings.HasPrefix(p, want) }) {
		return view{}
	}
	return view{rule: "platform", out: fmt.Sprintf("CUDA %s is not published for %s", r.version, s.Query.OS)}
}

// platformsOf takes the platforms of the same X.Y where the table has none for an update.
func platformsOf(r row) []string {
	var list []string
	for _, other := range rows() {
		if other.short == r.short {
			list = append(list, other.Platforms...)
		}
	}
	return list
}

func checkGPU(s *Solution, r row) view {
	cc := s.Query.CC
	if cc.IsZero() {
		return view{}
	}
	v := view{rule: "gpu", reason: fmt.Sprintf("compiles for %s", cc.SM())}
	switch {
	case !Knows(r.version, cc.SM()):
		v.out = unknownArch(cc, r.version)
	case slices.Contains(DeprecatedArchs(r.version), cc.SM()):
		v.caveats = []string{fmt.Sprintf("%s is deprecated in CUDA %s: a later major drops it", cc.SM(), r.short)}
	}
	return v
}

// unknownArch says on which side of its span the release lies, and whether older code would run anyway.
func unknownArch(cc gpu.CC, rel version.V) string {
	first, last := FirstToolkit(cc), LastToolkit(cc)
	if !last.IsZero() && last.Less(rel.Short()) {
		return fmt.Sprintf("CUDA %s no longer compiles for %s: %s was the last", rel, cc.SM(), last)
	}
	text := fmt.Sprintf("CUDA %s does not know %s: %s is the first that does", rel, cc.SM(), first)
	for _, a := range slices.Backward(ArchsOf(rel)) {
		if ok, _ := Runs(a, cc); ok && a.Suffix == "" {
			return text + fmt.Sprintf(" (its %s code would run there)", a)
		}
	}
	return text
}

// checkDriver keeps the three rules apart: a puts a release out, b and c are caveats.
func checkDriver(s *Solution, r row) view {
	d, os := s.Query.Driver, s.Query.OS
	if d.IsZero() {
		return view{}
	}
	v := view{rule: "driver"}
	floor, _ := DriverFloor(r.version, os)
	listed, _ := DriverListed(r.version, os)
	switch {
	case d.Less(floor):
		v.out = fmt.Sprintf("driver %s is older than %s, the oldest that runs CUDA %d programs%s", d, floor, r.version.Major(), wayOut(s, r))
	case s.Level.Less(r.short):
		v.reason = fmt.Sprintf("driver %s starts CUDA %d programs (%s or newer)", d, r.version.Major(), floor)
		v.caveats = []string{fmt.Sprintf("driver %s supports up to CUDA %s: PTX made by CUDA %s is refused (error 222), so ship machine code for the GPU", d, s.Level, r.short)}
	case !listed.IsZero() && d.Less(listed):
		v.reason = fmt.Sprintf("driver %s supports up to CUDA %s", d, s.Level)
		v.caveats = []string{fmt.Sprintf("NVIDIA lists driver %s for CUDA %s", listed, r.version)}
	default:
		v.reason = fmt.Sprintf("driver %s supports up to CUDA %s", d, s.Level)
	}
	if first := FirstToolkit(s.Query.CC); !first.IsZero() && s.Level.Less(first) {
		v.caveats = append(v.caveats, fmt.Sprintf("driver %s is of a time before %s (first in CUDA %s): it may not know this GPU", d, s.Query.CC.SM(), first))
	}
	return v
}

// wayOut names the forward-compatibility package where NVIDIA offers one for the driver.
func wayOut(s *Solution, r row) string {
	f, ok := ForwardCompat(r.version, s.Query.Driver)
	if !ok || f.Verdict != "works" || s.Query.OS != "linux" {
		return ""
	}
	return fmt.Sprintf(" (package %s is a way out on %s)", f.Package, strings.Join(f.OnlyFor, ", "))
}
