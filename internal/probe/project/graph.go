package project

import (
	"slices"
	"strings"
)

// graph is the lock file as packages that point at each other.
type graph struct {
	all    []locked
	byName map[string][]int
}

func newGraph(all []locked) graph {
	g := graph{all: all, byName: map[string][]int{}}
	for i, p := range all {
		g.byName[p.name] = append(g.byName[p.name], i)
	}
	return g
}

// find resolves a dependency as cargo writes it: no more than is needed to tell packages apart.
func (g graph) find(dep string) []int {
	name, rest, _ := strings.Cut(dep, " ")
	version, _, _ := strings.Cut(rest, " ")
	if version == "" {
		return g.byName[name]
	}
	var out []int
	for _, i := range g.byName[name] {
		if g.all[i].version == version {
			out = append(out, i)
		}
	}
	return out
}

// paths walks from the workspace members, nearest first, and returns for each package the one that first led
// to it; -1 for members, -2 for what nothing leads to. Packages without a source are the project's own.
func (g graph) paths() []int {
	from := slices.Repeat([]int{-2}, len(g.all))
	var queue []int
	for i, p := range g.all {
		if p.source == "" {
			from[i] = -1
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, dep := range g.all[i].deps {
			for _, j := range g.find(dep) {
				if from[j] == -2 {
					from[j] = i
					queue = append(queue, j)
				}
			}
		}
	}
	return from
}

// chain is the way from a member down to package i; nil when nothing leads there.
func (g graph) chain(from []int, i int) []int {
	if from[i] == -2 {
		return nil
	}
	out := []int{i}
	for from[i] >= 0 {
		i = from[i]
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// label names a package as cargo's own commands take it: name@version only where the name alone is not one.
func (g graph) label(i int) string {
	if len(g.byName[g.all[i].name]) > 1 {
		return g.all[i].name + "@" + g.all[i].version
	}
	return g.all[i].name
}
