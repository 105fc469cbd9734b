package toolkit

import (
	"encoding/json"

	"cupel/data"
	"cupel/internal/pattern"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// entry is one row of version.json, in NVIDIA's shape.
type entry struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// makeVersion writes version.json, which is how builders and the doctor tell the exact release. The keys are NVIDIA's
// names of the components.
func (r *root) makeVersion() error {
	if r.has("version.json") {
		return nil
	}
	release, err := version.Parse(r.plan.Release)
	if err != nil {
		return err
	}
	rows := map[string]entry{"cuda": {"CUDA SDK", r.plan.Release}}
	for _, c := range r.components {
		for _, word := range c.Words {
			known, _ := data.ComponentByWord(word)
			if v := upstream(c.Version); v != "" && !known.Apart {
				rows[redistName(word, release, r.plan.Platform)] = entry{known.What, v}
			}
		}
	}
	text, err := json.MarshalIndent(rows, "", "   ")
	if err != nil {
		return err
	}
	return r.make("version.json", append(text, '\n'), 0o644)
}

// redistName is what NVIDIA's own lists call a component.
func redistName(word string, release version.V, p resolve.Platform) string {
	for _, n := range resolve.Names("redist", []string{word}, release, p) {
		return n.Name
	}
	return "cuda_" + word
}

var leading = pattern.New(`^(?:\d+:)?(\d+(?:\.\d+)*)`)

// upstream is a version without what a distribution adds: 12.4.127~12.4.1-2 is 12.4.127.
func upstream(v string) string {
	if m := leading.FindStringSubmatch(v); m != nil {
		return m[1]
	}
	return ""
}
