package consumer

import (
	"strings"

	"cupel/internal/fact"
)

// FromMachine is the snapshot as the table wants it: a path the snapshot does not hold is absent.
func FromMachine(m fact.Machine) World {
	w := World{
		OS: m.System.OS, Arch: m.System.Arch, Env: m.Env,
		Places: map[string]Place{}, Listings: m.Globs, Releases: map[string]string{},
	}
	for _, d := range m.Path {
		w.PathDirs = append(w.PathDirs, d.Dir)
	}
	for path, p := range m.Places {
		w.Places[path] = Place{Path: path, Kind: Kind(p.Kind), Target: p.Real, Exec: p.Exec}
	}
	for _, t := range m.Toolkits {
		release(w.Releases, m, t)
	}
	for _, p := range m.Pythons {
		if p.TorchCUDA.Known() {
			w.Torch = p.TorchCUDA.Value
			break
		}
	}
	return w
}

// release names a toolkit's X.Y under every spelling of its nvcc.
func release(into map[string]string, m fact.Machine, t fact.Toolkit) {
	nvcc := t.Parts[fact.PartNvcc]
	parts := strings.SplitN(t.Nvcc.Value, ".", 3)
	if nvcc == "" || len(parts) < 2 {
		return
	}
	s := m.System.Paths()
	xy := parts[0] + "." + parts[1]
	for _, path := range []string{nvcc, s.Join(t.Root, "bin", s.Base(nvcc)), s.Join(t.Home(), "bin", s.Base(nvcc))} {
		into[path] = xy
	}
}
