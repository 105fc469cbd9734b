package pages

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// Where the contract says to build for the GPUs of the machine, what a variable must hold depends on the toolkit and on
// the GPU. Releases with the same targets share a key, and under a key stands a line for each capability from which on
// the value is another.

// detect gives the key for a release, and adds its lines when it is new; "" for what the scripts cannot tell.
func (t *releaseTable) detect(k *kit, variable string, rel version.V) string {
	template, _ := k.template(variable)
	if !onlyArchs(template) {
		return ""
	}
	alike := variable + k.choices(rel)
	if key := t.keys[alike]; key != "" {
		return key
	}
	key := fmt.Sprintf("%s-%d", variable, len(t.keys)+1)
	t.keys[alike] = key
	for _, l := range k.byDevice(variable, rel) {
		t.detected = append(t.detected, [3]string{key, l[0], l[1]})
	}
	return key
}

// choices are what a build with a release can be for: the contract's targets, or without any all that the release knows.
func (k *kit) choices(rel version.V) string {
	targets, _ := k.req.Targets(rel)
	if len(targets) == 0 {
		targets = compat.ArchsOf(rel)
	}
	return fmt.Sprint(targets)
}

// onlyArchs: nothing but targets is filled in; a release in the value would need lines for each of them.
func onlyArchs(template string) bool {
	return strings.Count(template, "{") == strings.Count(template, "{arch.")
}

// byDevice asks verify what a variable must hold without a GPU and with each kind of them.
func (k *kit) byDevice(variable string, rel version.V) [][2]string {
	c, p := k.req.Contract, k.req.Platform
	ask := func(gpus ...fact.GPU) string {
		m := standing(p, rel)
		m.GPUs = gpus
		return cell(k.expected(judged(c, p, m, fact.Project{}), variable))
	}
	out := [][2]string{{"none", ask()}}
	last := ""
	for i, cc := range capabilities() {
		value := ask(fact.GPU{Name: "GPU", CC: fact.Of(cc.String(), ""), Source: "NVML"})
		if i == 0 || value != last {
			out = append(out, [2]string{cc.String(), value})
		}
		last = value
	}
	return out
}

// capabilities are those of the tables, lowest first.
func capabilities() []gpu.CC {
	var out []gpu.CC
	for _, r := range data.Archs() {
		if a, err := gpu.ParseArch(r.SM); err == nil && compat.KnownCC(a.CC) && !slices.Contains(out, a.CC) {
			out = append(out, a.CC)
		}
	}
	slices.SortFunc(out, gpu.CC.Compare)
	return out
}
