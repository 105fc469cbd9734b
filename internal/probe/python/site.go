package python

import (
	"errors"
	"io/fs"
	"strings"

	"cupel/internal/probe/look"
)

// sites are the folders packages are imported from, in the order of sys.path, each once and only when there.
func sites(at *look.At, in layout) []string {
	if in.prefix == "" || in.short == "" {
		return nil
	}
	places := at.Path.List(at.Env("PYTHONPATH"))
	places = append(places, ownSites(at, in)...)
	if in.base != nil {
		places = append(places, ownSites(at, *in.base)...)
	}
	var out []string
	seen := map[string]bool{}
	for _, p := range places {
		key := at.Path.Key(at.Real(p)) // lib64 is often a link to lib
		if at.Path.Abs(p) && !seen[key] && (at.IsDir(p) || closed(at, p)) {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}

// closed: a folder that may not be listed is still one that Python looks into, perhaps with more rights.
func closed(at *look.At, dir string) bool {
	_, err := at.Names(dir, distInfo)
	return errors.Is(err, fs.ErrPermission)
}

func ownSites(at *look.At, in layout) []string {
	if at.Path.Windows() {
		return append(userSite(at, in), at.Path.Join(in.prefix, "Lib", "site-packages"))
	}
	name := "python" + in.short
	out := userSite(at, in)
	if in.prefix == "/usr" {
		// Debian's Python looks here first; pip run as root writes there.
		out = append(out, "/usr/local/lib/"+name+"/dist-packages")
	}
	out = append(out,
		at.Path.Join(in.prefix, "lib", name, "site-packages"), at.Path.Join(in.prefix, "lib64", name, "site-packages"))
	if in.prefix == "/usr" {
		out = append(out, "/usr/local/lib/"+name+"/site-packages", "/usr/lib/python3/dist-packages")
	}
	return out
}

// userSite is where pip install --user writes. A virtual environment does not see it.
func userSite(at *look.At, in layout) []string {
	if in.kind == Venv || at.HasEnv("PYTHONNOUSERSITE") {
		return nil
	}
	if at.Path.Windows() {
		data := at.Env("APPDATA")
		if data == "" {
			return nil
		}
		return []string{at.Path.Join(data, "Python", "Python"+strings.ReplaceAll(in.short, ".", ""), "site-packages")}
	}
	base := at.Env("PYTHONUSERBASE")
	if base == "" && at.System.Home != "" {
		base = at.Path.Join(at.System.Home, ".local")
	}
	if base == "" {
		return nil
	}
	return []string{at.Path.Join(base, "lib", "python"+in.short, "site-packages")}
}
