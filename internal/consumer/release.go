package consumer

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/version"
)

// forVersion keeps the one list of releases that this version knows; without one, the newest list stays.
func (r Row) forVersion(at version.V) Row {
	for _, a := range r.allow {
		if within(at, a.First, a.Last) {
			r.allow = []Allow{a}
		}
	}
	return r
}

// checkRelease judges the release that the consumer itself asks nvcc for.
func (r Row) checkRelease(v *view, p *Pick) {
	if r.Release == nil {
		return
	}
	if r.Release.Override != "" {
		if value, ok := v.getenv(r.Release.Override); ok {
			p.Notes = append(p.Notes, fmt.Sprintf("%s=%s replaces the release of nvcc", r.Release.Override, value))
			return
		}
	}
	nvcc := p.Nvcc
	if r.Release.From != "nvcc" {
		nvcc = v.onPath("nvcc")
	}
	r.judge(v, p, nvcc)
}

func (r Row) judge(v *view, p *Pick, nvcc string) {
	release := v.release(nvcc)
	switch {
	case nvcc == "":
		r.refuse(p, "it asks `nvcc --version`, and there is no nvcc on PATH")
	case release == "":
		p.Notes = append(p.Notes, "the release of "+nvcc+" is not known, so its own check of it was not judged")
	case r.Release.TorchMajor:
		r.judgeTorch(v, p, nvcc, release)
	default:
		r.judgeList(p, nvcc, release)
	}
}

// refuse ends the pick when the check always runs, and only notes it when it hangs on a feature.
func (r Row) refuse(p *Pick, why string) {
	if r.Release.When != "" {
		p.Notes = append(p.Notes, "with "+r.Release.When+" it panics: "+why)
		return
	}
	if r.Release.Fatal && p.Outcome != Panics {
		p.Outcome, p.Why = Panics, why
	}
}

func (r Row) judgeList(p *Pick, nvcc, release string) {
	if len(r.allow) == 0 {
		return
	}
	known := strings.Fields(r.allow[len(r.allow)-1].Releases)
	if slices.Contains(known, release) {
		return
	}
	r.refuse(p, fmt.Sprintf("%s is of release %s; its list goes from %s to %s", nvcc, release, known[0], known[len(known)-1]))
}

func (r Row) judgeTorch(v *view, p *Pick, nvcc, release string) {
	if v.Torch == "" {
		p.Notes = append(p.Notes, "torch's CUDA version is not known, so the majors were not compared")
		return
	}
	ours, _, _ := strings.Cut(release, ".")
	theirs, _, _ := strings.Cut(v.Torch, ".")
	if ours != theirs {
		r.refuse(p, fmt.Sprintf("%s is of release %s, torch is built for CUDA %s: it stops at another major", nvcc, release, v.Torch))
	}
}

func (v *view) release(nvcc string) string {
	if nvcc == "" {
		return ""
	}
	if release, ok := v.Releases[nvcc]; ok {
		return release
	}
	return v.Releases[v.real(nvcc)]
}

// addNotes adds the row's own notes, and one that no consumer prints: headers and compiler of two toolkits.
func (r Row) addNotes(v *view, p *Pick) {
	for _, n := range r.Notes {
		_, set := v.getenv(n.Env)
		if v.holds(n.OS) && (n.Env == "" || set) {
			p.Notes = append(p.Notes, n.Text)
		}
	}
	if p.Nvcc == "" || p.Root == "" || r.RootAbove {
		return
	}
	if above := v.above(v.real(p.Nvcc), 2); !v.style.Same(above, v.real(p.Root)) {
		p.Notes = append(p.Notes, fmt.Sprintf("two toolkits: headers and libraries of %s, nvcc of %s", p.Root, above))
	}
}

// torchLibrary is for a package that ships one library per CUDA release and asks torch which to load.
func (r Row) torchLibrary(v *view, p Pick) Pick {
	ending := ".so"
	if v.style.Windows() {
		ending = ".dll"
	}
	if value, ok := v.getenv(r.TorchName); ok {
		p.Step, p.Decider = "variable "+r.TorchName, r.TorchName
		p.Libs = []string{r.TorchLibrary + value + ending}
		if value == "" || strings.Trim(value, "0123456789") != "" {
			p.Libs, p.Outcome, p.Why = nil, Panics, r.TorchName+" must be digits only, 124 for 12.4"
		}
		return p
	}
	if v.Torch == "" {
		p.Outcome, p.Why = Unknown, "torch's CUDA version is not known"
		return p
	}
	p.Step, p.Decider = "torch.version.cuda", "torch"
	p.Libs = []string{r.TorchLibrary + strings.ReplaceAll(v.Torch, ".", "") + ending}
	p.Notes = append(p.Notes, "where that library is not in the package it takes the nearest of the same major, older first")
	return p
}
