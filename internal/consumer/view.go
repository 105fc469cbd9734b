package consumer

import (
	"maps"
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// view is a World under the rules of its operating system. It notes what was asked and is not known.
type view struct {
	World
	style  ospath.Style
	env    map[string]string
	places map[string]Place
	lists  map[string][]string
	asked  map[string]string
	globs  map[string]string
}

func newView(w World) *view {
	v := &view{
		World: w, style: ospath.For(w.OS),
		env: map[string]string{}, places: map[string]Place{}, lists: map[string][]string{},
		asked: map[string]string{}, globs: map[string]string{},
	}
	for name, value := range w.Env {
		v.env[v.name(name)] = value
	}
	for path, place := range w.Places {
		v.places[v.style.Key(path)] = place
	}
	for pattern, list := range w.Listings {
		v.lists[v.style.Key(pattern)] = list
	}
	return v
}

// name is the form of a variable's name: Windows does not tell cases apart.
func (v *view) name(s string) string {
	if v.style.Windows() {
		return strings.ToUpper(s)
	}
	return s
}

func (v *view) getenv(name string) (string, bool) {
	value, ok := v.env[v.name(name)]
	return value, ok
}

// at is what stands at a path. A relative path depends on the folder a build runs in, which nobody knows here:
// it counts as absent.
func (v *view) at(path string) Place {
	if !v.style.Abs(path) {
		return Place{Path: path, Kind: Absent}
	}
	path = v.style.Clean(path)
	place, ok := v.places[v.style.Key(path)]
	if !ok {
		v.asked[v.style.Key(path)] = path
		return Place{Path: path, Kind: Absent}
	}
	return place
}

// is says whether a path holds what a consumer asks for there.
func (v *view) is(path, kind string) bool {
	place := v.at(path)
	switch kind {
	case "file":
		return place.Kind == File
	case "dir":
		return place.Kind == Dir
	case "program":
		return place.Kind == File && (place.Exec || v.style.Windows())
	}
	return place.Kind == File || place.Kind == Dir || place.Kind == Unreadable
}

// list is what a pattern matched, in name order: the order of Rust's glob, of CMake, and of an NTFS folder.
func (v *view) list(pattern string) []string {
	pattern = v.style.Clean(pattern)
	found, ok := v.lists[v.style.Key(pattern)]
	if !ok {
		v.globs[v.style.Key(pattern)] = pattern
	}
	found = slices.Clone(found)
	slices.Sort(found)
	return found
}

// real is the path behind links, as far as it is known. Links above a place count: /usr/local/cuda/bin/nvcc is
// the nvcc of cuda-12.4 when /usr/local/cuda points there.
func (v *view) real(path string) string {
	if place, ok := v.places[v.style.Key(path)]; ok && place.Target != "" {
		return place.Target
	}
	return v.style.Clean(path)
}

// onPath finds a program in the folders of PATH.
func (v *view) onPath(name string) string {
	for _, dir := range v.PathDirs {
		if path := v.style.Join(dir, v.style.Program(name)); v.is(path, "program") {
			return path
		}
	}
	return ""
}

func (v *view) missing() (paths, globs []string) {
	return slices.Sorted(maps.Values(v.asked)), slices.Sorted(maps.Values(v.globs))
}

// holds says whether a condition on the operating system is met.
func (v *view) holds(os string) bool {
	switch os {
	case "":
		return true
	case "unix":
		return !v.style.Windows()
	}
	return os == v.OS
}

// targets are the names CUDA gives this machine's architecture below targets/.
func (v *view) targets() []string {
	switch {
	case v.style.Windows():
		return nil
	case v.Arch == "arm64":
		return []string{"sbsa-linux", "aarch64-linux"}
	}
	return []string{"x86_64-linux"}
}
