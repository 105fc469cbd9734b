package call

import (
	"maps"
	"slices"
	"strings"
)

// Env is an environment as it is written down: values of secrets are left out, their names kept.
type Env struct {
	Values map[string]string
	Hidden []string // names without their values, sorted
}

// Diff is what one environment has other than another.
type Diff struct {
	Set    map[string]string `json:"set,omitempty"`    // added, or with another value
	Unset  []string          `json:"unset,omitempty"`  // not there
	Hidden []string          `json:"hidden,omitempty"` // secrets that were added: their values are left out
}

// Keep is an environment (NAME=VALUE) without the values of secrets. Windows names are kept as they are spelt; of two
// entries with one name the last holds, as a process sees it.
func Keep(environ []string) Env {
	e := Env{Values: map[string]string{}}
	hidden := map[string]bool{}
	for _, kv := range environ {
		name, value, ok := cut(kv)
		if !ok {
			continue
		}
		if Secret(name, value) {
			hidden[name] = true
			delete(e.Values, name)
			continue
		}
		delete(hidden, name)
		e.Values[name] = value
	}
	e.Hidden = slices.Sorted(maps.Keys(hidden))
	return e
}

// cut splits at the first = that is not the first byte: Windows has names that begin with one (=C:).
func cut(kv string) (name, value string, ok bool) {
	if kv == "" {
		return "", "", false
	}
	i := strings.IndexByte(kv[1:], '=')
	if i < 0 {
		return "", "", false
	}
	return kv[:i+1], kv[i+2:], true
}

// Since tells what e has other than base.
func (e Env) Since(base Env) Diff {
	var d Diff
	for name, value := range e.Values {
		if old, ok := base.Values[name]; !ok || old != value {
			if d.Set == nil {
				d.Set = map[string]string{}
			}
			d.Set[name] = value
		}
	}
	for name := range base.Values {
		if _, ok := e.Values[name]; !ok && !slices.Contains(e.Hidden, name) {
			d.Unset = append(d.Unset, name)
		}
	}
	for _, name := range base.Hidden {
		if _, ok := e.Values[name]; !ok && !slices.Contains(e.Hidden, name) {
			d.Unset = append(d.Unset, name)
		}
	}
	slices.Sort(d.Unset)
	for _, name := range e.Hidden {
		if !slices.Contains(base.Hidden, name) {
			d.Hidden = append(d.Hidden, name)
		}
	}
	return d
}

// With is the environment of a call: the run's own and what was different.
func (e Env) With(d Diff) Env {
	out := Env{Values: maps.Clone(e.Values), Hidden: slices.Clone(e.Hidden)}
	if out.Values == nil {
		out.Values = map[string]string{}
	}
	for _, name := range d.Unset {
		delete(out.Values, name)
		out.Hidden = slices.DeleteFunc(out.Hidden, func(n string) bool { return n == name })
	}
	for name, value := range d.Set {
		out.Values[name] = value
		out.Hidden = slices.DeleteFunc(out.Hidden, func(n string) bool { return n == name })
	}
	for _, name := range d.Hidden {
		delete(out.Values, name)
		if !slices.Contains(out.Hidden, name) {
			out.Hidden = append(out.Hidden, name)
		}
	}
	slices.Sort(out.Hidden)
	return out
}
