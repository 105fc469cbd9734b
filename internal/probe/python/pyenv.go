package python

import (
	"fmt"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

var (
	versionLine   = pattern.New(`^\s*[^#\s]`)
	versionFolder = pattern.New(`^\d+(\.\d+)+$`)
)

// followShim replaces a pyenv shim by the interpreter pyenv would start. The zero candidate means that pyenv
// stands aside ("system") and the next folder of PATH counts.
func followShim(at *look.At, path string) candidate {
	root := pyenvRoot(at)
	if root == "" || !at.Path.Same(at.Path.Dir(path), at.Path.Join(root, "shims")) {
		return candidate{path: path}
	}
	names, from := pyenvVersions(at, root)
	for _, name := range names {
		if name == "system" {
			return candidate{}
		}
		if dir := pyenvFolder(at, root, name); dir != "" {
			if p := at.FirstFile(at.Path.Join(dir, "bin", at.Path.Base(path))); p != "" {
				return candidate{path: p, kind: Pyenv}
			}
		}
	}
	if len(names) == 0 {
		return candidate{}
	}
	return candidate{path: path, kind: Pyenv, err: fmt.Errorf("pyenv: %s names %s, which is not installed or has no %s", from, strings.Join(names, " "), at.Path.Base(path))}
}

func pyenvRoot(at *look.At) string {
	if root := at.Env("PYENV_ROOT"); root != "" {
		return root
	}
	if at.System.Home == "" {
		return ""
	}
	return at.Path.Join(at.System.Home, ".pyenv")
}

// pyenvVersions follows pyenv's order: the variable, .python-version up the tree, the global version.
func pyenvVersions(at *look.At, root string) (names []string, from string) {
	if v := at.Env("PYENV_VERSION"); v != "" {
		return strings.Split(v, ":"), "PYENV_VERSION"
	}
	for dir := at.System.Cwd; dir != "" && dir != "."; dir = at.Path.Dir(dir) {
		file := at.Path.Join(dir, ".python-version")
		if names := versionFile(at, file); len(names) > 0 {
			return names, file
		}
		if dir == at.Path.Dir(dir) {
			break
		}
	}
	file := at.Path.Join(root, "version")
	return versionFile(at, file), file
}

func versionFile(at *look.At, file string) []string {
	lines, err := at.Lines(file, versionLine)
	if err != nil {
		at.Note("pyenv version", file, err)
		return nil
	}
	var out []string
	for _, l := range lines {
		out = append(out, strings.Fields(l)...)
	}
	return out
}

// pyenvFolder finds a version's folder; pyenv takes the newest 3.11.x for "3.11".
func pyenvFolder(at *look.At, root, name string) string {
	name = strings.TrimPrefix(name, "python-")
	versions := at.Path.Join(root, "versions")
	if name == "" || strings.Contains(name, "..") {
		return ""
	}
	if dir := at.Path.Join(versions, name); at.IsDir(dir) {
		return dir
	}
	var best version.V
	var dir string
	for _, p := range at.List(versions, versionFolder) {
		rest, ok := strings.CutPrefix(at.Path.Base(p), name+".")
		v, err := version.Parse(at.Path.Base(p))
		if ok && err == nil && !strings.Contains(rest, ".") && best.Less(v) {
			best, dir = v, p
		}
	}
	return dir
}
