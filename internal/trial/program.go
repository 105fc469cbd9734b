package trial

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// Program finds what the first word of a command means in the environment that the command gets. Go's own search asks
// the environment of this program, where nothing is hidden.
func Program(word, dir string, env []string, os string) (string, error) {
	for _, p := range candidates(word, dir, env, os) {
		// A path is not searched for, only looked at; on Windows its extension may be guessed, with this program's list.
		if at, err := exec.LookPath(p); err == nil && at == p {
			return p, nil
		}
	}
	if named(word, ospath.For(os)) {
		return "", fmt.Errorf("%s: no such program in %s", word, dir)
	}
	return "", fmt.Errorf("%s: no such program in the PATH it would get", word)
}

// candidates are the files that a word may mean, in their order. Folders of PATH that depend on the current one are
// left out, and so is the current one on Windows: what lies in a checkout is run only by its path.
func candidates(word, dir string, env []string, os string) (out []string) {
	s := ospath.For(os)
	var dirs []string
	switch {
	case word == "":
		return nil
	case s.Abs(word):
		dirs = []string{""}
	case named(word, s):
		dirs = []string{dir}
	default:
		dirs = slices.DeleteFunc(s.List(variable(env, "PATH", os)), func(d string) bool { return !s.Abs(d) })
	}
	for _, d := range dirs {
		for _, ext := range extensions(word, env, s) {
			out = append(out, inFolder(s, d, word)+ext)
		}
	}
	return out
}

// inFolder keeps .. where it stands on Unix: behind a link it leads elsewhere than the text says.
func inFolder(s ospath.Style, dir, word string) string {
	if dir == "" || s.Windows() {
		return s.Join(dir, word)
	}
	return strings.TrimSuffix(dir, "/") + "/" + word
}

// named says that a word is a path, which is not searched for.
func named(word string, s ospath.Style) bool {
	return strings.Contains(word, "/") || s.Windows() && strings.ContainsAny(word, `\:`)
}

// extensions are what may follow the word. Windows needs one: that of the word itself, or one of PATHEXT.
func extensions(word string, env []string, s ospath.Style) []string {
	if !s.Windows() {
		return []string{""}
	}
	list := s.List(variable(env, "PATHEXT", "windows"))
	if len(list) == 0 {
		list = []string{".COM", ".EXE", ".BAT", ".CMD"} // what cmd.exe takes without it
	}
	if filepath.Ext(s.Base(word)) != "" {
		list = append([]string{""}, list...)
	}
	return list
}

// variable is the value that a process sees: of several the last.
func variable(env []string, name, os string) (value string) {
	for _, kv := range env {
		if n := nameOf(kv); sameName(n, name, os) && len(kv) > len(n) {
			value = kv[len(n)+1:]
		}
	}
	return value
}
