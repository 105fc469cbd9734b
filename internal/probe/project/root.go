package project

import (
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// maxUp bounds the walk to the parents.
const maxUp = 32

var workspaceLine = pattern.New(`^\s*\[workspace[\].]`)

// rootOf finds the project's folder: the nearest with a cupel.toml, else a cargo workspace, the outermost
// CMake project, a pyproject, a crate, a repository, else dir itself. "" where nothing marks a project and dir is
// the home folder or the root of the file system.
func rootOf(at *look.At, dir string) string {
	up := parents(at, dir)
	nearest := func(is func(string) bool) string {
		for _, d := range up {
			if is(d) {
				return d
			}
		}
		return ""
	}
	has := func(name string) func(string) bool {
		return func(d string) bool { return at.Exists(at.Path.Join(d, name)) }
	}
	for _, found := range []string{
		nearest(has("cupel.toml")),
		nearest(func(d string) bool { return isWorkspace(at, d) }),
		outermost(at, up, "CMakeLists.txt"),
		nearest(has("pyproject.toml")), nearest(has("Cargo.toml")), nearest(has(".git")),
	} {
		if found != "" {
			return found
		}
	}
	if dir == at.Path.Dir(dir) || at.Path.Same(dir, at.System.Home) {
		return ""
	}
	return dir
}

// parents are dir and the folders above it, up to the repository's own. The home folder and the root of the
// file system are no projects unless one stands in them.
func parents(at *look.At, dir string) []string {
	out := []string{dir}
	for d := dir; len(out) < maxUp && !at.Exists(at.Path.Join(d, ".git")); {
		next := at.Path.Dir(d)
		if next == d || next == at.Path.Dir(next) || at.Path.Same(next, at.System.Home) {
			break
		}
		d = next
		out = append(out, d)
	}
	return out
}

// isWorkspace: a crate alone is its own workspace; its Cargo.lock shows it.
func isWorkspace(at *look.At, dir string) bool {
	manifest := at.Path.Join(dir, "Cargo.toml")
	if !at.IsFile(manifest) {
		return false
	}
	if at.IsFile(at.Path.Join(dir, "Cargo.lock")) {
		return true
	}
	lines, err := at.Lines(manifest, workspaceLine)
	return err == nil && len(lines) > 0
}

// outermost: sub folders of a CMake project have a CMakeLists.txt each.
func outermost(at *look.At, up []string, name string) string {
	found := ""
	for _, d := range up {
		if at.Exists(at.Path.Join(d, name)) {
			found = d
		}
	}
	return found
}
