package python

import (
	"slices"

	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// registryRoots in the order of PEP 514: what the user installed comes before what the machine has.
var registryRoots = []string{`HKCU\SOFTWARE\Python\PythonCore`, `HKLM\SOFTWARE\Python\PythonCore`}

// launched is what the py launcher starts with no arguments: PY_PYTHON, else the newest registered version.
func launched(at *look.At) []candidate {
	type install struct {
		tag  version.V
		path string
	}
	var found []install
	for _, root := range registryRoots {
		tags, err := at.RegistryKeys(root)
		at.Note("registered Pythons", root, err)
		for _, tag := range tags {
			v, err := version.Parse(tag) // 3.11-32 is a 32-bit one: CUDA has no packages for it
			if p := registered(at, root+`\`+tag); err == nil && p != "" {
				found = append(found, install{v, p})
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	if want, err := version.Parse(at.Env("PY_PYTHON")); err == nil {
		if i := slices.IndexFunc(found, func(f install) bool { return want.Covers(f.tag) }); i >= 0 {
			return []candidate{{path: found[i].path}}
		}
	}
	best := slices.MaxFunc(found, func(a, b install) int { return a.tag.Compare(b.tag) })
	return []candidate{{path: best.path}}
}

func registered(at *look.At, tag string) string {
	values, err := at.RegistryValues(tag + `\InstallPath`)
	at.Note("registered Python", tag, err)
	exe := values["ExecutablePath"]
	if exe == "" && values[""] != "" {
		exe = at.Path.Join(values[""], "python.exe")
	}
	if exe == "" || !at.IsFile(exe) {
		return ""
	}
	return exe
}
