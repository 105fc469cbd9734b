package toolchain

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const onWindows = runtime.GOOS == "windows"

// environ are the variables of a call.
type environ map[string]string

// newEnviron reads them. Which of two values of one variable wins is up to each program, so twice names such a variable.
func newEnviron(env []string) (e environ, twice string) {
	e = make(environ, len(env))
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		name = envName(name)
		if old, ok := e[name]; ok && old != value && name != "" { // Windows keeps each drive's folder under an empty name
			twice = name
		}
		e[name] = value
	}
	return e, twice
}

func envName(name string) string {
	if onWindows {
		return strings.ToUpper(name)
	}
	return name
}

func (e environ) get(name string) string { return e[envName(name)] }

func (e environ) lookup(name string) (string, bool) {
	v, ok := e[envName(name)]
	return v, ok
}

// hasFolder: a name says where it is.
func hasFolder(name string) bool {
	return strings.ContainsRune(name, filepath.Separator) || onWindows && strings.ContainsAny(name, "/:")
}

// look finds a program by its name on a PATH as a shell does; empty: there is none.
func (f *finder) look(name, path string) (string, error) {
	if onWindows && !strings.HasSuffix(strings.ToLower(name), ".exe") {
		name += ".exe"
	}
	if onWindows {
		path = "." + string(filepath.ListSeparator) + path // the working folder comes first there
	}
	for path != "" {
		var folder string
		folder, path, _ = strings.Cut(path, string(filepath.ListSeparator))
		if onWindows {
			folder = strings.Trim(folder, `"`)
		}
		if folder == "" {
			folder = "."
		}
		at := folder + string(filepath.Separator) + name
		if !filepath.IsAbs(folder) {
			at = filepath.Join(f.dir, folder, name)
		}
		if ok, err := f.runs(at); ok || err != nil {
			return at, err
		}
	}
	return "", nil
}

// runs: it is a file that may be started. One in a folder that cannot be searched is none, as for a shell.
func (f *finder) runs(path string) (bool, error) {
	s, err := f.files.Stamp(path)
	if os.IsPermission(err) || notFolder(err) {
		return false, nil
	}
	if err != nil || !s.Exists() || s.Dir {
		return false, err
	}
	return executable(path), nil
}
