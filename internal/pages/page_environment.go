package pages

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cupel/internal/contract"
)

// environment shows per platform which variables the build and the running program read.
func environment(b *book) {
	t := b.variables()
	runtime := sheet{head: []string{"variable", "value"}}
	for _, name := range slices.Sorted(maps.Keys(b.c.Env.Runtime.Vars)) {
		runtime.add(tick(name), tick(b.c.Env.Runtime.Vars[name]))
	}
	for _, value := range slices.Sorted(maps.Keys(b.c.Env.Runtime.Names)) {
		runtime.add(ticks(b.c.Env.Runtime.Names[value]), meaning(value))
	}
	if len(t.rows)+len(runtime.rows) == 0 {
		return
	}
	b.title("Environment")
	if len(t.rows) > 0 {
		b.line("For the build. %s; in PowerShell `cupel env --format powershell | Out-String | Invoke-Expression`.\n", "`eval \"$(cupel env)\"` sets what tools read for the chosen toolkit")
		b.sheet(t)
	}
	if len(runtime.rows) > 0 {
		b.line("\nFor the running program:\n")
		b.sheet(runtime)
	}
}

// variables has a column for each kind of platform that reads other ones or other values.
func (b *book) variables() sheet {
	names := b.c.Variables()
	groups := b.alike(func(p platform) string {
		var column []string
		for _, name := range names {
			column = append(column, valueOn(b.on(p.name), name))
		}
		return strings.Join(column, "\n")
	})
	t := sheet{head: []string{"variable"}}
	for _, g := range groups {
		t.head = append(t.head, g.title)
	}
	for i, name := range names {
		cells := []string{tick(name)}
		for _, g := range groups {
			cells = append(cells, strings.Split(g.text, "\n")[i])
		}
		if strings.Join(cells[1:], "") != "" {
			t.add(cells...)
		}
	}
	return t
}

// valueOn is what a variable must hold on a platform, in words; "" where it is not read.
func valueOn(r contract.Requirements, name string) string {
	if template, ok := r.Vars[name]; ok {
		if text, whole := contract.Values[strings.Trim(template, "{}")]; whole && strings.Count(template, "{") == 1 {
			return md(text)
		}
		return tick(template)
	}
	for _, value := range slices.Sorted(maps.Keys(r.Names)) {
		if slices.Contains(r.Names[value], name) {
			return meaning(value)
		}
	}
	if slices.Contains(r.Contract.Arch.Env, name) {
		return "the list of targets"
	}
	return ""
}

func meaning(value string) string { return md(cmp.Or(contract.Values[value], value)) }
