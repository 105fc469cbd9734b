package contract

import (
	"fmt"
	"path"
	"strings"

	"cupel/internal/pattern"
)

// machinePaths are the forms of a path that hold on one machine only, with what to write instead.
var machinePaths = []struct {
	form *pattern.Pattern
	why  string
}{
	{pattern.New(`^[A-Za-z]:`), "it names a drive of one machine"},
	{pattern.New(`^(/|\\)`), "it begins at the root of one machine"},
	{pattern.New(`^~`), "it begins in one user's home"},
	{pattern.New(`\$|%[A-Za-z]+%`), "it depends on a variable of one machine"},
	{pattern.New(`\\`), "a backslash separates folders on Windows only"},
}

// relative cleans a path that stays inside the project, and refuses every other.
func relative(text string) (string, error) {
	for _, m := range machinePaths {
		if m.form.MatchString(text) {
			return "", machinePath(text, m.why)
		}
	}
	if strings.TrimSpace(text) == "" {
		return "", badForm("write it relative to cupel.toml; . is its folder", "a path is empty")
	}
	clean := path.Clean(text)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", machinePath(text, "it leaves the project's folder")
	}
	return clean, nil
}

func machinePath(text, why string) error {
	return &problem{id: "contract-machine-path", what: fmt.Sprintf("the path %q does not hold on every machine", text), why: why,
		next: note("write it relative to cupel.toml, with forward slashes")}
}

// setups are folders that differ from machine to machine, found inside values that are no paths by themselves, with the
// template that means the same everywhere.
var setups = []struct {
	form    *pattern.Pattern
	instead string
}{
	{pattern.New(`(?i)(/usr/local/cuda|/opt/cuda|/usr/lib/cuda)[-0-9.]*`), "{toolkit.root}"},
	{pattern.New(`(?i)[A-Z]:[\\/]Program Files[\\/]NVIDIA GPU Computing Toolkit[\\/]CUDA[\\/]v[0-9.]+`), "{toolkit.root}"},
	{pattern.New(`(?i)(/home/|/Users/|/root/|[A-Z]:[\\/]Users[\\/])[^/\\:; ]*`), "{project.root}"},
	{pattern.New(`(^|[:;=])~[/\\]?|\$\{?HOME\b\}?|%USERPROFILE%`), "{project.root}"},
}

// placeOfOneMachine finds such a folder in a value.
func placeOfOneMachine(text string) (found, instead string) {
	for _, s := range setups {
		if m := s.form.FindString(text); m != "" {
			return m, s.instead
		}
	}
	return "", ""
}
