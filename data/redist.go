package data

import "slices"

// RedistTable is redist.toml: NVIDIA's redistributable archives as a place.
type RedistTable struct {
	Checked    string            `toml:"checked"`
	Base       string            `toml:"base"`
	CuDNNBase  string            `toml:"cudnn-base"`
	First      string            `toml:"first"` // the oldest release that has a list
	Source     []string          `toml:"source"`
	Sources    Sources           `toml:"sources"`
	Platforms  map[string]string `toml:"platforms"` // cupel's name → the list's
	NotToolkit []NotToolkit      `toml:"not-toolkit"`
}

// NotToolkit is an entry of the lists that --full leaves out.
type NotToolkit struct {
	Name   string   `toml:"name"`
	Why    string   `toml:"why"`
	Source []string `toml:"source"`
}

// Redist is redist.toml, parsed once.
var Redist = once("redist.toml", func(t *RedistTable) {
	t.Sources.resolve(t.Source)
	for _, r := range t.NotToolkit {
		t.Sources.resolve(r.Source)
	}
})

// PartOfToolkit says whether an entry of a list belongs to the toolkit.
func PartOfToolkit(name string) bool {
	return !slices.ContainsFunc(Redist().NotToolkit, func(r NotToolkit) bool { return r.Name == name })
}
