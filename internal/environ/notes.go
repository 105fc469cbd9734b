package environ

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
)

// FormatNotes is what a person should know about the set in one language, besides the set's own notes.
func FormatNotes(set Set, format string) []string {
	switch format {
	case "cargo":
		return cargoNotes(set)
	case "cmake-preset":
		return []string{"keep this as CMakeUserPresets.json beside CMakeLists.txt (CMake 3.21 or newer), then: cmake --preset cupel; presets of your own can inherit it"}
	}
	return nil
}

func cargoNotes(set Set) []string {
	i := slices.IndexFunc(set.Vars, func(v Var) bool { return strings.EqualFold(v.Name, "PATH") })
	if i < 0 {
		return nil
	}
	text := "PATH is left out: cargo can only be given a whole list, and the PATH of this shell does not belong into a file that others use"
	if names := pathOnly(); names != "" && !set.Runtime {
		text += fmt.Sprintf("; builders that take nvcc from PATH alone (%s) need %s on it", names, set.Vars[i].Dirs[0])
	}
	return []string{text}
}

// pathOnly lists the builders that the table says to look for nvcc on PATH and nowhere else.
func pathOnly() string {
	var names []string
	for _, b := range data.Builders() {
		if slices.Contains(b.Notes, "nvcc from PATH only") {
			names = append(names, b.Name+" "+span(b.First, b.Last))
		}
	}
	return strings.Join(names, ", ")
}
