package tree

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cupel/internal/shim"
)

// watched says that a program's path has one of the names.
func watched(names []string, path string) bool {
	name := base(path)
	return name != "" && slices.ContainsFunc(names, func(n string) bool { return same(n, name) })
}

// base is the last part of a path.
func base(path string) string {
	separators := "/"
	if runtime.GOOS == "windows" {
		separators = `/\`
	}
	return path[strings.LastIndexAny(path, separators)+1:]
}

// same compares names as the system's files are compared.
func same(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// mirrored says that a program lies in a mirror, perhaps another one than this run's: a build that was configured under
// cupel exec with another toolkit keeps that one's shim.
func mirrored(program string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(program)), shim.MapFile))
	return err == nil && info.Mode().IsRegular()
}
