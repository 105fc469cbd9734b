// Package winroots lists the places where a Windows machine may have a CUDA toolkit: the installer's registry
// keys, its usual folder and its variables. They are candidates only: whether one holds a toolkit, and which,
// is read elsewhere.
package winroots

import (
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Root is one candidate.
type Root struct {
	Path string
	How  string // what named it: a registry key, a variable, "folder"
}

// installerKey has one key per installed release, v12.9, each with InstallDir.
const installerKey = `HKLM\SOFTWARE\NVIDIA Corporation\GPU Computing Toolkit\CUDA`

var (
	releaseName  = pattern.New(`(?i)^v\d+(\.\d+)*$`)
	variableName = pattern.New(`(?i)^CUDA_PATH_V\d+_\d+$`)
)

// Roots lists every candidate by every way that names it, so one path can come up several times. A place
// that is gone is listed too: a key or variable that leads nowhere is worth telling.
func Roots(at *look.At) []Root {
	if !at.Path.Windows() {
		return nil
	}
	var out []Root
	add := func(path, how string) {
		if path = strings.Trim(path, `" `); at.Path.Abs(path) {
			out = append(out, Root{at.Path.Clean(path), how})
		}
	}
	registered(at, add)
	files := at.Env("ProgramFiles")
	if files == "" {
		files = `C:\Program Files`
	}
	for _, dir := range at.List(at.Path.Join(files, `NVIDIA GPU Computing Toolkit\CUDA`), releaseName) {
		add(dir, "folder")
	}
	for _, name := range at.EnvNames() {
		if variableName.MatchString(name) {
			add(at.Env(name), name)
		}
	}
	return out
}

func registered(at *look.At, add func(path, how string)) {
	releases, err := at.RegistryKeys(installerKey)
	at.Note("installed toolkits", installerKey, err)
	for _, release := range releases {
		if !releaseName.MatchString(release) {
			continue
		}
		key := installerKey + `\` + release
		values, err := at.RegistryValues(key)
		at.Note("installed toolkit", key, err)
		add(values["InstallDir"], "registry "+key)
	}
}
