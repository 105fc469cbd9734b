package compat

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/pattern"
)

// People leave out spaces and words that tools print: rtx5060ti, 4090, A6000. What tools print is looked up by
// GPUByName, which is stricter.

var (
	joined  = pattern.New(`\b(geforce|quadro|tesla|titan|rtx|gtx|pro)(rtx|gtx|pro|[a-z]?\d)`)
	suffix  = pattern.New(`(\d)(ti|super)\b`)
	strange = pattern.New(`[^a-z0-9.]+`)
)

// spaced writes a name in lower case with single spaces where a product's words part.
func spaced(name string) string {
	name = strange.ReplaceAllString(strings.ToLower(name), " ")
	for joined.MatchString(name) {
		name = joined.ReplaceAllString(name, "$1 $2")
	}
	return strings.TrimSpace(suffix.ReplaceAllString(name, "$1 $2"))
}

// spellings lists what a query may stand for: itself, and for a bare number the two brands that have such.
func spellings(query string) []string {
	name := plainName(spaced(query))
	if name == "" || name[0] < '0' || name[0] > '9' {
		return []string{name}
	}
	return []string{name, "rtx " + name, "gtx " + name}
}

func squash(name string) string { return strings.ReplaceAll(plainName(spaced(name)), " ", "") }

// bySquash finds products by their name without spaces; two that share one have the same capability.
var bySquash = sync.OnceValue(func() map[string]int {
	index := make(map[string]int, len(data.GPUs()))
	for i, g := range data.GPUs() {
		index[squash(g.Name)] = i
	}
	return index
})

// gpuByLooseName finds the product that a person means. The error lists the products when they differ in
// capability; it is nil, and found false, when there is none.
func gpuByLooseName(query string) (g data.GPU, by string, found bool, err error) {
	for _, name := range spellings(query) {
		if i, ok := bySquash()[squash(name)]; ok {
			return data.GPUs()[i], "name", true, nil
		}
	}
	alike := gpusWith(strings.Fields(plainName(spaced(query))))
	if len(alike) == 1 {
		return alike[0], "part of a name", true, nil
	}
	for _, name := range spellings(query) {
		if g, ok := GPUByName(name); ok {
			g.Name = query
			g.Note = "no product of this name is in the table; all it has of this family have the same capability"
			return g, "family pattern", true, nil
		}
	}
	return oneOf(query, alike)
}

// gpusWith lists the products whose names have all the words in this order.
func gpusWith(words []string) []data.GPU {
	var list []data.GPU
	for _, g := range data.GPUs() {
		rest := words
		for _, w := range strings.Fields(plainName(spaced(g.Name))) {
			if len(rest) > 0 && w == rest[0] {
				rest = rest[1:]
			}
		}
		if len(words) > 0 && len(rest) == 0 {
			list = append(list, g)
		}
	}
	return list
}

// oneOf takes the product with the shortest name when all have the same capability.
func oneOf(query string, alike []data.GPU) (data.GPU, string, bool, error) {
	if len(alike) == 0 {
		return data.GPU{}, "", false, nil
	}
	shortest := alike[0]
	for _, g := range alike {
		if g.CC != shortest.CC {
			return data.GPU{}, "", false, fmt.Errorf("%q may be several GPUs: %s; write the name in full, or the compute capability", query, candidateList(alike))
		}
		if len(g.Name) < len(shortest.Name) {
			shortest = g
		}
	}
	return shortest, "part of a name", true, nil
}

// candidateList groups the products by capability and names a few of each.
func candidateList(alike []data.GPU) string {
	const few = 3
	var ccs []string
	names := map[string][]string{}
	for _, g := range alike {
		if !slices.Contains(ccs, g.CC) {
			ccs = append(ccs, g.CC)
		}
		names[g.CC] = append(names[g.CC], g.Name)
	}
	var parts []string
	for _, cc := range ccs {
		list := names[cc]
		if more := len(list) - few; more > 0 {
			list = append(slices.Clone(list[:few]), fmt.Sprintf("%d more", more))
		}
		parts = append(parts, cc+" ("+strings.Join(list, ", ")+")")
	}
	return strings.Join(parts, ", ")
}
