package trial

import (
	"maps"
	"path"
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// environment is everything the command gets, computed anew for each config: nothing of one gets into the next.
// The second list says what was taken out.
func environment(req Request, os string) (env, hidden []string) {
	need, set := Need(req.Config), req.Env
	base := slices.DeleteFunc(slices.Clone(req.Base), func(kv string) bool { return !strings.Contains(kv, "=") })
	if need == "none" && req.Hide != nil {
		base, hidden = without(base, *req.Hide)
		// Of what was computed only the config's own words hold: the rest describes the toolkit that is hidden.
		set = only(set, req.Config.Env)
	}
	env = merge(base, set, os)
	if need == "stub" {
		env = linkStubs(env, req.Stubs, os)
	}
	return env, hidden
}

func only(set, wanted map[string]string) map[string]string {
	out := map[string]string{}
	for name, template := range wanted {
		if value, ok := set[name]; ok {
			out[name] = value
		} else {
			out[name] = template
		}
	}
	return out
}

// merge sets variables over a base. Windows names have no case.
func merge(base []string, set map[string]string, os string) []string {
	env := slices.DeleteFunc(slices.Clone(base), func(kv string) bool {
		for name := range set {
			if sameName(nameOf(kv), name, os) {
				return true
			}
		}
		return false
	})
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	return env
}

// without takes CUDA's variables out, and CUDA's folders out of lists.
func without(base []string, h Hide) (env, hidden []string) {
	for _, kv := range base {
		name := nameOf(kv)
		if slices.ContainsFunc(listVariables, func(l string) bool { return sameName(name, l, h.OS) }) {
			value, dropped := h.filter(kv[len(name)+1:])
			for _, d := range dropped {
				hidden = append(hidden, d+" in "+name)
			}
			if value != "" {
				env = append(env, name+"="+value)
			}
			continue
		}
		if slices.ContainsFunc(h.Vars, func(p string) bool { return matches(p, name, h.OS) }) {
			hidden = append(hidden, name)
			continue
		}
		env = append(env, kv)
	}
	return env, hidden
}

// filter cuts the folders that are hidden out of a list. LD_PRELOAD names files; a hidden one goes too.
func (h Hide) filter(value string) (string, []string) {
	s := ospath.For(h.OS)
	var keep, dropped []string
	for _, dir := range strings.Split(value, s.ListSeparator()) {
		if dir != "" && h.covers(s, strings.Trim(dir, `"`)) {
			dropped = append(dropped, dir)
			continue
		}
		keep = append(keep, dir)
	}
	return strings.Join(keep, s.ListSeparator()), dropped
}

func (h Hide) covers(s ospath.Style, dir string) bool {
	inside := func(root string) bool { return s.Within(dir, root) }
	same := func(d string) bool { return s.Same(d, dir) }
	return slices.ContainsFunc(h.Roots, inside) || slices.ContainsFunc(h.PathDirs, same) && !slices.ContainsFunc(h.Shared, same) || slices.ContainsFunc(h.Libraries, same)
}

// linkStubs gives the linker the stubs, and keeps every stubs folder out of what the loader reads: a program that
// loads a stub reports a driver that is too old instead of none.
func linkStubs(env, stubs []string, os string) []string {
	s := ospath.For(os)
	link, load := "LIBRARY_PATH", "LD_LIBRARY_PATH"
	if s.Windows() {
		link, load = "LIB", ""
	}
	var out []string
	for _, kv := range env {
		name := nameOf(kv)
		switch {
		case sameName(name, link, os):
			stubs = append(slices.Clone(stubs), s.List(kv[len(name)+1:])...)
		case load != "" && name == load:
			dirs := slices.DeleteFunc(s.List(kv[len(name)+1:]), func(d string) bool { return path.Base(path.Clean(d)) == "stubs" })
			if len(dirs) > 0 {
				out = append(out, name+"="+strings.Join(dirs, s.ListSeparator()))
			}
		default:
			out = append(out, kv)
		}
	}
	if len(stubs) > 0 {
		out = append(out, link+"="+strings.Join(unique(stubs), s.ListSeparator()))
	}
	return out
}

// nameOf is the name in NAME=VALUE. Windows has names that begin with =.
func nameOf(kv string) string {
	if i := strings.Index(kv[min(1, len(kv)):], "="); i >= 0 {
		return kv[:i+1]
	}
	return kv
}

func sameName(a, b, os string) bool { return a == b || os == "windows" && strings.EqualFold(a, b) }

// matches compares a name with a pattern in which * stands for any text.
func matches(pattern, name, os string) bool {
	if os == "windows" {
		pattern, name = strings.ToUpper(pattern), strings.ToUpper(name)
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
