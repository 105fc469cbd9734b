package contract

import (
	"fmt"
	"maps"
	"slices"
)

// checkEnv wants every variable to have one value on each platform.
func (d *decoder) checkEnv(c *Contract) {
	told := map[string]bool{}
	for _, p := range everywhere {
		r := c.For(p)
		before := len(d.problems)
		holder := map[string]string{}
		for _, value := range slices.Sorted(maps.Keys(r.Names)) {
			for _, name := range r.Names[value] {
				d.oneValue(r, holder, name, "{"+value+"}")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(r.Vars)) {
			d.oneValue(r, holder, name, r.Vars[name])
		}
		d.distinct("variable", d.alike(r), onKey)
		d.problems = slices.Concat(d.problems[:before], once(d.problems[before:], told))
	}
	for i, name := range c.Arch.Env {
		d.variableName(item("arch.env", i), name, onValue)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Components)) {
		d.installs(join("components", name)+".install", c.Components[name].Install)
	}
	for i, cfg := range c.Configs {
		for _, name := range slices.Sorted(maps.Keys(cfg.Env)) {
			key := join(item("config", i)+".env", name)
			d.variableName(key, name, onKey)
			d.oneLine(cfg.Env[name], key)
			d.template(cfg.Env[name], key)
			if cfg.Needs.What == "none" {
				d.withoutCUDA(cfg.Env[name], key)
			}
		}
	}
}

// alike are the variables of a platform whose ids would be the same, each where it is given. Only as many of these are
// looked up as can be shown: a list may hold thousands of names.
func (d *decoder) alike(r Requirements) []named {
	by := map[string][]string{}
	for _, name := range r.variables() {
		by[Slug(name)] = append(by[Slug(name)], name)
	}
	at := map[string]string{}
	for _, slug := range slices.Sorted(maps.Keys(by)) {
		for _, name := range by[slug] {
			if len(by[slug]) > 1 && len(at) < 2*shown {
				at[name] = d.variableAt(r, name)
			}
		}
	}
	return d.inFile(at)
}

// variables are the names of those that are checked on the platform, each once.
func (r Requirements) variables() []string {
	list := slices.Concat(r.Contract.Arch.Env, slices.Collect(maps.Keys(r.Vars)))
	for _, names := range r.Names {
		list = append(list, names...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (d *decoder) variableAt(r Requirements, name string) string {
	if key := r.EnvKey(name); key != "" {
		return d.src.itemOf(key, name)
	}
	return d.src.itemOf("arch.env", name)
}

func (d *decoder) installs(key string, p PerOS) {
	for name, text := range map[string]string{"": p.All, ".linux": p.Linux, ".windows": p.Windows, ".wsl2": p.WSL2, ".ci": p.CI} {
		d.template(text, key+name)
	}
}

func (d *decoder) oneValue(r Requirements, holder map[string]string, name, value string) {
	if old, ok := holder[name]; ok && old != value && !d.full() {
		d.at(r.EnvKey(name), problem{id: "contract-conflict", what: fmt.Sprintf("%s is given two values: %s and %s", name, old, value),
			why: "a variable holds one", next: note("leave one of them out")}, onKey)
	}
	holder[name] = value
}

func (d *decoder) variableName(key, name string, where spot) {
	if !variable.MatchString(name) {
		d.at(key, problem{id: "contract-bad-name", what: fmt.Sprintf("%q is not the name of a variable", name),
			why: "a variable has letters, digits and _, and no digit first", next: note("write a name such as CUDA_HOME")}, where)
	}
}
