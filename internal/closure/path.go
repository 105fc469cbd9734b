package closure

import (
	"path/filepath"
	"runtime"
	"strings"
)

const windows = runtime.GOOS == "windows"

func separator(c byte) bool { return c == '/' || windows && c == '\\' }

// fold: names that Windows takes for one. darwin's file system mostly does so too.
func fold(name string) string {
	if runtime.GOOS == "linux" {
		return name
	}
	return strings.ToLower(name)
}

// inside is a name in a folder. The folder stays as it was written: cleaning it could lead elsewhere through links.
func inside(dir, name string) string {
	if dir == "" {
		return name
	}
	if separator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + "/" + name
}

// split takes the last part off a path. The folder of a lone name is "", that of /x is /.
func split(path string) (dir, base string) {
	i := len(path)
	for i > 0 && !separator(path[i-1]) {
		i--
	}
	dir, base = path[:i], path[i:]
	for len(dir) > 1 && separator(dir[len(dir)-1]) && !(windows && len(dir) == 3 && dir[1] == ':') {
		dir = dir[:len(dir)-1]
	}
	return dir, base
}

// cut takes the first part off a name.
func cut(name string) (part, rest string) {
	for i := range len(name) {
		if separator(name[i]) {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// whole: the path does not depend on the working folder.
func whole(path string) bool {
	return filepath.IsAbs(path) || path != "" && separator(path[0])
}

// below is the rest of a path that lies in a folder.
func below(path, dir string) (rest string, ok bool) {
	if dir == "" || len(path) <= len(dir) || fold(path[:len(dir)]) != fold(dir) {
		return "", false
	}
	rest = path[len(dir):]
	if !separator(dir[len(dir)-1]) {
		if !separator(rest[0]) {
			return "", false
		}
		rest = rest[1:]
	}
	return rest, rest != ""
}
