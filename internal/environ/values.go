package environ

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/ospath"
	"cupel/internal/pattern"
)

// final is the value of a variable in an environment that had old before: the value itself, or the folders in
// front of the old list, from which their earlier copies and the folders of an earlier environment are taken.
// added are the folders that were not in the list without cupel.
func (s Set) final(v Var, old map[string]string) (value string, added []string) {
	if v.Kind == Assign {
		return v.Value, nil
	}
	p := ospath.For(s.OS)
	rest := s.own(v.Name, old)
	for _, d := range v.Dirs {
		if !contains(p, rest, d) {
			added = append(added, d)
		}
	}
	rest = slices.DeleteFunc(rest, func(d string) bool { return contains(p, v.Dirs, d) })
	return strings.Join(append(slices.Clone(v.Dirs), rest...), p.ListSeparator()), added
}

// own is a list as it was before cupel put folders into it.
func (s Set) own(name string, old map[string]string) []string {
	p := ospath.For(s.OS)
	list := p.List(lookup(old, name, s.OS))
	if s.Runtime {
		return list
	}
	gone := recordedDirs(old, name, s.OS)
	return slices.DeleteFunc(list, func(d string) bool { return contains(p, gone, d) })
}

// Apply gives the whole environment after the set, as a shell has it that ran the set's code; old is not
// changed. Windows names have no case, and the spelling that is there is kept.
func (s Set) Apply(old map[string]string) map[string]string {
	out := maps.Clone(old)
	if out == nil {
		out = map[string]string{}
	}
	for _, name := range s.stale(old) {
		delete(out, spelled(out, name, s.OS))
	}
	sep := ospath.For(s.OS).ListSeparator()
	for _, name := range s.staleLists(old) {
		key := spelled(out, name, s.OS)
		if out[key] = strings.Join(s.own(name, old), sep); out[key] == "" {
			delete(out, key)
		}
		delete(out, spelled(out, RecordedDirs+name, s.OS))
	}
	for _, v := range s.Vars {
		value, added := s.final(v, old)
		out[spelled(out, v.Name, s.OS)] = value
		if v.Kind == Prepend && !s.Runtime {
			out[spelled(out, RecordedDirs+v.Name, s.OS)] = strings.Join(added, sep)
		}
	}
	if !s.Runtime {
		out[spelled(out, Recorded, s.OS)] = s.record()
	}
	return out
}

// spelled finds a name as an environment has it.
func spelled(env map[string]string, name, os string) string {
	if _, ok := env[name]; ok || os != "windows" {
		return name
	}
	for k := range env {
		if strings.EqualFold(k, name) {
			return k
		}
	}
	return name
}

func lookup(env map[string]string, name, os string) string { return env[spelled(env, name, os)] }

var nameForm = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check refuses what no format and no place can carry. A folder with the list separator in its name cannot
// stand in a list at all, in no system.
func (s Set) Check() error {
	sep := ospath.For(s.OS).ListSeparator()
	for _, v := range s.Vars {
		if !nameForm.MatchString(v.Name) {
			return fmt.Errorf("variable name %q has other characters than letters, digits and _", v.Name)
		}
		if strings.ContainsAny(v.Value, "\n\r\x00") {
			return fmt.Errorf("the value of %s has a line break or NUL in it: %q", v.Name, v.Value)
		}
		for _, d := range v.Dirs {
			if strings.Contains(d, sep) {
				return fmt.Errorf("folder %q cannot stand in %s: %q in its name is what separates the folders of that list, and no quoting changes it; move the toolkit to a folder without %q", d, v.Name, sep, sep)
			}
		}
	}
	return nil
}
