package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/environ"
	"cupel/internal/finding"
)

// wish is one variable the contract speaks of: the template it must hold.
type wish struct {
	template string
	key      string
}

// wishes lists the variables of [env] and of arch.env.
func (j *judge) wishes() map[string]wish {
	if j.wish != nil {
		return j.wish
	}
	out := map[string]wish{}
	for _, name := range j.Contract.Arch.Env {
		out[name] = wish{archList, "arch.env"}
	}
	for value, names := range j.req.Names {
		for _, n := range names {
			out[n] = wish{"{" + value + "}", j.req.EnvKey(n)}
		}
	}
	for name, template := range j.req.Vars {
		out[name] = wish{template, j.req.EnvKey(name)}
	}
	j.wish = out
	return out
}

func (j *judge) variables() []string { return slices.Sorted(maps.Keys(j.wishes())) }

// envCheck: a variable that leads to another toolkit builds with another toolkit, so that fails; one that is not
// set may be set by the build itself, and any other difference is the project's to weigh: both are warnings.
func envCheck(j *judge, name string, c *Check) {
	w := j.wishes()[name]
	want, missing := j.fill(name, w.template)
	have, set := j.lookup(name)
	c.Key, c.Expected, c.Found = w.key, want, have
	switch {
	case len(missing) > 0 && j.t == nil && strings.Contains(w.template, "{toolkit."):
		c.Expected, c.After = w.template, "toolkit-present"
		c.skip("its value depends on the toolkit")
	case len(missing) > 0:
		c.Expected = w.template
		c.skip("not known here: " + strings.Join(missing, ", "))
	case !set && !j.recorded(name):
		c.skip("this snapshot holds only variables that cupel's table names")
	case !set:
		c.Found = "not set"
		c.warn(name+" is not set", "the contract says that the build reads it", j.setSteps(name, want)...)
		c.CausedBy = j.unsetBefore(c.ID, j.envSets(name, want))
	case j.holds(name, have, want), w.template == archList && j.sameArchs(name, have, want):
	case strings.Contains(w.template, "{toolkit."):
		c.fail(fmt.Sprintf("%s does not lead to the chosen toolkit", name), j.where(have), j.setSteps(name, want)...)
	default:
		c.warn(fmt.Sprintf("%s is not what the contract says", name), "a build that reads it does something else than the contract means", j.setSteps(name, want)...)
	}
}

// unsetBefore is the first variable that is not set and that cupel env sets: one command sets all of them, so it is told
// once.
func (j *judge) unsetBefore(id string, sets bool) string {
	if sets && j.unset == "" {
		j.unset = id
		return ""
	}
	if sets {
		return j.unset
	}
	return ""
}

// where says what a wrong value leads to.
func (j *judge) where(value string) string {
	for _, t := range j.Machine.Toolkits {
		if j.path.Same(j.real(value), t.Home()) || j.path.Same(value, t.Root) {
			return "it leads to the toolkit " + t.Release.Value + " in " + t.Root + ": a build that reads it takes that one"
		}
	}
	return "a build that reads it takes something else than the chosen toolkit"
}

// recorded says that the snapshot would hold the variable if it were set.
func (j *judge) recorded(name string) bool {
	row, known := data.VariableByName(name, j.Machine.System.OS)
	return known && !row.Private || j.Asked
}

// lookup finds a variable by the rules of the system: Windows names have no case. An empty one counts as not set.
func (j *judge) lookup(name string) (string, bool) {
	v, ok := j.Machine.Env[name]
	if !ok && j.path.Windows() {
		for k, value := range j.Machine.Env {
			if strings.EqualFold(k, name) {
				v = value
			}
		}
	}
	return v, v != ""
}

// holds says that a value is the right one: the same text, the same place through links, or, for a list of
// folders, one of them.
func (j *judge) holds(name, have, want string) bool {
	if have == want || j.samePlace(have, want) {
		return true
	}
	row, ok := data.VariableByName(name, j.Machine.System.OS)
	if !ok || row.Kind != "path" && row.Kind != "library-path" {
		return false
	}
	return slices.ContainsFunc(j.path.List(have), func(d string) bool { return j.samePlace(d, want) })
}

func (j *judge) samePlace(a, b string) bool {
	return j.path.Abs(a) && j.path.Abs(b) && (j.path.Same(a, b) || j.path.Same(j.real(a), j.real(b)))
}

// real follows links as far as the survey looked: of a path itself, of a toolkit's root above it.
func (j *judge) real(path string) string {
	path = j.path.Clean(path)
	if p, ok := j.Machine.Places[path]; ok && p.Real != "" {
		return p.Real
	}
	for _, d := range j.Machine.Path {
		if d.Real != "" && j.path.Same(d.Dir, path) {
			return d.Real
		}
	}
	for _, t := range j.Machine.Toolkits {
		for _, root := range append([]string{t.Root}, j.linksTo(t.Home())...) {
			if t.Home() != root && j.path.Within(path, root) {
				return j.path.Join(t.Home(), path[min(len(path), len(j.path.Clean(root))):])
			}
		}
	}
	return path
}

// linksTo lists the places the survey saw lead to a folder: /usr/local/cuda to /usr/local/cuda-12.4.
func (j *judge) linksTo(home string) []string {
	var out []string
	for path, p := range j.Machine.Places {
		if p.Kind == "dir" && p.Real != "" && j.path.Same(p.Real, home) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// setSteps: cupel env where it sets the variable, and in every case the plain command.
func (j *judge) setSteps(name, want string) []finding.Step {
	var steps []finding.Step
	if j.envSets(name, want) {
		steps = append(steps, command(j.evalEnv(), "sets it with all the others, in this shell"))
	}
	row, ok := data.VariableByName(name, j.Machine.System.OS)
	if _, set := j.lookup(name); set && ok && (row.Kind == "path" || row.Kind == "library-path") {
		return append(steps, advice(fmt.Sprintf("put %s in front of %s", want, name)))
	}
	return append(steps, command(j.set(name, want), "in this shell"))
}

// envSets asks once what cupel env sets for the chosen toolkit, and says whether it is what the contract wants.
func (j *judge) envSets(name, want string) bool {
	if j.sets == nil && j.t != nil {
		j.sets = map[string]string{}
		for _, v := range environ.For(j.Machine, *j.t, environ.Options{Contract: &j.req, Root: j.Project.Root}).Vars {
			j.sets[v.Name] = v.Value
		}
	}
	value, ok := j.sets[name]
	return ok && j.holds(name, value, want)
}
