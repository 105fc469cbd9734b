package environ

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// Final is the value of a variable in an environment that had old before: the value itself, or the folders in
// front of the old list, from which their earlier copies are taken.
func (v Var) Final(os, old string) string {
	if v.Kind == Assign {
		return v.Value
	}
	s := ospath.For(os)
	rest := slices.DeleteFunc(s.List(old), func(d string) bool { return contains(s, v.Dirs, d) })
	return strings.Join(append(slices.Clone(v.Dirs), rest...), s.ListSeparator())
}

// Apply gives the whole environment after the set; old is not changed. Windows names have no case, and the
// spelling that is there is kept.
func (s Set) Apply(old map[string]string) map[string]string {
	out := maps.Clone(old)
	if out == nil {
		out = map[string]string{}
	}
	for _, v := range s.Vars {
		key := spelled(out, v.Name, s.OS)
		out[key] = v.Final(s.OS, out[key])
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

// Recorded is the variable in which shell formats note what they set, so that the environment of the next
// toolkit can take back what it does not set itself: an NVCC_CCBIN of the last one would stay for ever.
const Recorded = "CUPEL_ENV_SET"

// stale lists what an earlier environment set and this one does not.
func (s Set) stale(old map[string]string) []string {
	var names []string
	for _, name := range strings.Fields(lookup(old, Recorded, s.OS)) {
		if nameForm.MatchString(name) && !slices.Contains(s.assigned(), name) {
			names = append(names, name)
		}
	}
	return names
}

func (s Set) assigned() []string {
	var names []string
	for _, v := range s.Vars {
		if v.Kind == Assign {
			names = append(names, v.Name)
		}
	}
	return names
}

var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// check refuses what no format can carry. A folder with the list separator in its name cannot stand in a list
// at all, in no system.
func (s Set) check() error {
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
				return fmt.Errorf("folder %q cannot stand in %s: it has %q in its name", d, v.Name, sep)
			}
		}
	}
	return nil
}
