package review

import (
	"slices"
	"strings"

	"cupel/internal/call"
)

// The names of what a build tool tries for itself.
const (
	cmakeChecks     = "CMake's checks"
	mesonChecks     = "Meson's checks"
	configureChecks = "configure's checks"
	probes          = "checks of the build" // their result is thrown away
)

// determine is a file that is never there: CMake asks nvcc to compile it and reads the folders that the failing call prints
// (3.25, CMakeDetermineCUDACompiler.cmake, FindCUDAToolkit.cmake).
const determine = "__cmake_determine_cuda"

// targetOf names what a call is for, and says whether it is a try of the build tool.
func (j *judge) targetOf(w *work) (name string, check bool) {
	paths := append([]string{j.path.Join(w.Begin.Dir, "x")}, w.files()...)
	for i, p := range paths {
		paths[i] = strings.ReplaceAll(p, `\`, "/")
		if name := tries(paths[i]); name != "" {
			return name, true
		}
	}
	if out, ok := w.read.Last("output-file"); ok && (out == "/dev/null" || w.windows && strings.EqualFold(out, "nul")) {
		return probes, true
	}
	if crate := j.env(w, "CARGO_PKG_NAME"); crate != "" {
		return strings.TrimSpace(crate + " " + j.env(w, "CARGO_PKG_VERSION")), false
	}
	for _, p := range paths {
		if t := cmakeTarget(p); t != "" {
			return t, false
		}
	}
	for _, p := range paths {
		if t := j.setuptools(w, p); t != "" {
			return t, false
		}
	}
	return j.folder(w), false
}

// tries names the tool whose own test a path belongs to. CMake has them below CMakeFiles: CompilerIdCUDA in a folder named
// by its version, try_compile in CMakeScratch (3.25; CMakeTmp before); Meson in meson-private (1.12, environment.py);
// autoconf calls its files conftest.
func tries(path string) string {
	if path == determine {
		return cmakeChecks
	}
	_, below, ok := strings.Cut(path, "CMakeFiles/")
	switch {
	case ok && (strings.HasPrefix(below, "CMakeScratch/") || strings.HasPrefix(below, "CMakeTmp/") || strings.Contains(below, "CompilerIdCUDA/")):
		return cmakeChecks
	case strings.Contains(path, "/meson-private/") || strings.HasPrefix(path, "meson-private/"):
		return mesonChecks
	case strings.HasPrefix(path[strings.LastIndexByte(path, '/')+1:], "conftest."):
		return configureChecks
	}
	return ""
}

// cmakeTarget is the NAME of …/CMakeFiles/NAME.dir/…, where CMake's generators put a target's objects.
func cmakeTarget(path string) string {
	_, below, ok := strings.Cut(path, "CMakeFiles/")
	if !ok {
		return ""
	}
	name, _, ok := strings.Cut(below, ".dir/")
	if !ok || strings.Contains(name, "/") {
		return ""
	}
	return name
}

// setuptools: its objects stand in build/temp.PLATFORM, below the folder of the package.
func (j *judge) setuptools(w *work, path string) string {
	if !j.path.Abs(path) {
		path = strings.ReplaceAll(j.path.Join(w.Begin.Dir, path), `\`, "/")
	}
	above, _, ok := strings.Cut(path, "/build/temp.")
	if !ok {
		return ""
	}
	return j.path.Base(above) + " (setuptools)"
}

// folder is where the source stands, seen from the folder of the run.
func (j *judge) folder(w *work) string {
	dir := w.Begin.Dir
	if w.source != "" {
		if dir = j.path.Dir(w.source); !j.path.Abs(dir) {
			dir = j.path.Join(w.Begin.Dir, dir)
		}
	}
	dir, from := j.path.Clean(dir), j.path.Clean(j.Run.Dir)
	switch {
	case from == "" || !j.path.Within(dir, from):
		return dir
	case len(dir) <= len(from):
		return "."
	}
	return strings.TrimLeft(dir[len(from):], `/\`)
}

// targets counts the calls that compile or link, by what they are for, in the order in which the first began.
func (j *judge) targets() []Target {
	out := []Target{}
	for _, w := range j.works {
		if !w.real {
			continue
		}
		at := slices.IndexFunc(out, func(t Target) bool { return t.Name == w.target })
		if at < 0 {
			at = len(out)
			out = append(out, Target{Name: w.target})
		}
		t := &out[at]
		t.Calls++
		if w.Failed() && !j.leftBehind(w) {
			t.Failed++
		}
		if w.End != nil {
			t.Seconds += w.End.Seconds
		}
	}
	return out
}

func (j *judge) total() Total {
	t := Total{Calls: len(j.works)}
	t.PassedBy = len(j.passed)
	for _, w := range j.works {
		if w.real {
			t.Compiles++
		}
		if w.check {
			t.Checks++
		}
		if w.Begin.Tool == "nvcc" && !w.real && !w.check {
			t.Others++
		}
		if w.Failed() && !j.leftBehind(w) {
			t.Failed++
		}
		if w.End == nil {
			t.Unfinished++
			continue
		}
		if w.End.Cache == call.CacheHit {
			t.Cached++
		}
		if w.Begin.Tool == "nvcc" { // the others run inside of it
			t.Seconds += w.End.Seconds
		}
		t.Peak = max(t.Peak, w.End.Peak)
	}
	return t
}
