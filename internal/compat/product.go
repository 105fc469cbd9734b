package compat

import (
	"slices"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

// GPUByName finds a product by its name as tools print it: the exact name first, then the family patterns in
// their order. A product found by its family carries the name that was asked for.
func GPUByName(name string) (data.GPU, bool) {
	if i, ok := byName()[plainName(name)]; ok {
		return data.GPUs()[i], true
	}
	for i, pattern := range families() {
		if pattern.MatchString(name) {
			f := data.Families()[i]
			return data.GPU{Name: name, CC: f.CC, Source: f.Source}, true
		}
	}
	return data.GPU{}, false
}

// GPUByPCI finds a product by its PCI device id in any form tools print: 2D04, 0x2d04, 10de:2d04, 0x2D0410DE.
func GPUByPCI(id string) (data.GPU, bool) {
	i, ok := byPCI()[plainID(id)]
	if !ok {
		return data.GPU{}, false
	}
	return data.GPUs()[i], true
}

// plainID takes off the prefix and NVIDIA's vendor id, before or after.
func plainID(id string) string {
	const vendor = "10DE"
	id = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(id)), "0X")
	if _, device, ok := strings.Cut(id, ":"); ok {
		return device
	}
	if len(id) == len(vendor)+4 {
		return strings.TrimSuffix(id, vendor)
	}
	return id
}

// plainName takes off the words that one tool prints and another does not.
func plainName(name string) string {
	words := strings.Fields(strings.ToLower(strings.NewReplacer("(R)", " ", "(TM)", " ").Replace(name)))
	words = slices.DeleteFunc(words, func(w string) bool { return w == "nvidia" || w == "geforce" || w == "tesla" })
	return strings.Join(words, " ")
}

// The indexes and patterns are built at their first use: no other question pays for them.
var (
	byName = sync.OnceValue(func() map[string]int {
		index := make(map[string]int, len(data.GPUs()))
		for i, g := range data.GPUs() {
			index[plainName(g.Name)] = i
		}
		return index
	})
	byPCI = sync.OnceValue(func() map[string]int {
		index := map[string]int{}
		for i, g := range data.GPUs() {
			for _, id := range g.PCI {
				index[id] = i
			}
		}
		return index
	})
	families = sync.OnceValue(func() []*pattern.Pattern {
		var list []*pattern.Pattern
		for _, f := range data.Families() {
			list = append(list, pattern.New("(?i)"+f.Pattern))
		}
		return list
	})
)

// CuDNNFor lists the CUDA majors a cuDNN release is built for; nil when the table does not know it.
func CuDNNFor(cudnn version.V) []int {
	var majors []int
	for _, r := range data.CuDNNs() {
		row := parse(r.Version)
		if row.Covers(cudnn) || cudnn.Covers(row) {
			majors = append(majors, r.Majors...)
		}
	}
	slices.Sort(majors)
	return slices.Compact(majors)
}
