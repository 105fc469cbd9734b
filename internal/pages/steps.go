package pages

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/rule"
	"cupel/internal/verify"
)

// step is one call of a function of the scripts. Both scripts have the same functions.
type step struct {
	id   string // of the check; of what comes before them, the function
	fn   string
	args []word
}

// word is an argument: plain text, a pattern in which every character counts, a template of the contract, or a
// column of the table of releases.
type word struct {
	text   string
	raw    bool
	parts  []part // of a template
	column int    // of the table, by the chosen release
	detect bool   // what stands there is a key: the value is found by the GPUs
}

// part is a piece of a template: text, or the name of a value.
type part struct{ text, value string }

func words(texts ...string) []word {
	var out []word
	for _, t := range texts {
		out = append(out, word{text: t})
	}
	return out
}

// kit is what the steps of one platform are made from: the contract, and what verify itself says of a machine
// that has everything: which texts it expects, what it never asks here.
type kit struct {
	req    contract.Requirements
	full   map[string]verify.Check
	archs  *releaseTable
	byName map[string]string // id → the name it was made from
}

// checkIDs are the ids of the checks that the contract asks for on a machine that has everything: those of verify's own
// table.
func checkIDs(c *contract.Contract, p contract.Platform) []string {
	all := verify.IDs(verify.Input{Contract: c, Platform: p, Machine: full(c, p)})
	return slices.DeleteFunc(all, func(id string) bool {
		if id == "reference" || strings.HasPrefix(id, "config-") {
			return true
		}
		return slices.ContainsFunc(rule.All(), func(r rule.Rule) bool { return r.ID == id })
	})
}

// steps are the calls for one platform, in the order of cupel verify.
func steps(c *contract.Contract, p contract.Platform, table *releaseTable) []step {
	k := newKit(c, p, table)
	var out []step
	if !k.elsewhere() { // else nothing of the machine is looked at
		out = []step{{"choose", "choose", words(k.recommended())}, {"gather", "gather", nil}, demand(c, p)}
	}
	for _, id := range checkIDs(c, p) {
		s := k.step(id)
		s.id = id
		out = append(out, s)
	}
	return out
}

func newKit(c *contract.Contract, p contract.Platform, table *releaseTable) *kit {
	k := &kit{req: c.For(p), archs: table, full: judged(c, p, full(c, p), stocked(c)), byName: map[string]string{}}
	ids := checkIDs(c, p)
	k.name(ids, "env-", k.variables())
	k.name(ids, "component-", slices.Sorted(maps.Keys(k.req.Components)))
	k.name(ids, "pin-", slices.Sorted(maps.Keys(c.Pins)))
	return k
}

// name finds the names behind ids: verify makes them in the order of the names.
func (k *kit) name(ids []string, prefix string, names []string) {
	i := 0
	for _, id := range ids {
		if strings.HasPrefix(id, prefix) && i < len(names) {
			k.byName[id] = names[i]
			i++
		}
	}
}

func (k *kit) variables() []string {
	seen := map[string]bool{}
	for _, n := range k.req.Contract.Arch.Env {
		seen[n] = true
	}
	for _, list := range k.req.Names {
		for _, n := range list {
			seen[n] = true
		}
	}
	for n := range k.req.Vars {
		seen[n] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func judged(c *contract.Contract, p contract.Platform, m fact.Machine, project fact.Project) map[string]verify.Check {
	out := map[string]verify.Check{}
	for _, check := range verify.Judge(verify.Input{Contract: c, Platform: p, Machine: m, Project: project, NoRules: true, Asked: true}).Findings {
		out[check.ID] = check
	}
	return out
}

// platformID is the check that all about the machine waits for.
const platformID = "platform"

// elsewhere: the project is not built on this platform.
func (k *kit) elsewhere() bool { return k.full[platformID].Status == verify.Fail }

func (k *kit) recommended() string {
	if r := k.req.Toolkit.Recommended; r != nil {
		return r.Version.String()
	}
	return ""
}

// byRelease are checks whose verdict follows from the release alone: the table of releases holds it.
var byRelease = []string{"arch-toolkit", "host-std"}

// made holds the checks that the scripts know; every other one is told as not checked.
var made = []struct {
	id   string // a dash at its end: one for each name
	make func(k *kit, id string) (fn string, args []word, ok bool)
}{
	{"toolkit-present", plain("toolkit_present")},
	{"toolkit-band", (*kit).bands},
	{"toolkit-active", nothing("toolkit_active")},
	{"toolkit-components", (*kit).parts},
	{"host-compiler", (*kit).compiler},
	{"host-toolset", (*kit).toolset},
	{"host-sdk", (*kit).sdk},
	{"driver-present", plain("driver_present")},
	{"driver-floor", (*kit).floor},
	{"driver-toolkit", (*kit).serving},
	{"driver-ptx", nothing("driver_ptx")},
	{"gpu-count", (*kit).count},
	{"gpu-memory", (*kit).memory},
	{"gpu-compute-mode", (*kit).mode},
	{"arch-min", (*kit).archMin},
	{"env-", (*kit).variable},
	{"component-", (*kit).component},
	{"pin-", (*kit).pin},
	{"builders", (*kit).builders},
	{"mps", (*kit).mps},
}

func (k *kit) step(id string) step {
	if c := k.full[id]; c.After == platformID {
		return step{fn: "skip", args: words(id, "after "+platformID)}
	}
	if slices.Contains(byRelease, id) {
		return step{fn: "by_release", args: []word{{text: id}, {text: strconv.Itoa(k.archs.column(id))}}}
	}
	// What the contract never asks here. Jetson's driver is another matter: the scripts themselves know it.
	if c := k.full[id]; c.Status == verify.Skipped && c.After == "" && k.byName[id] == "" && !(k.req.Platform.Name == "jetson" && strings.HasPrefix(id, "driver-")) {
		return step{fn: "skip", args: words(id, c.Why)}
	}
	if c := k.full[id]; id == platformID {
		return step{fn: "platform_is", args: words(string(c.Status), c.Expected)}
	}
	for _, m := range made {
		if m.id != id && !(strings.HasSuffix(m.id, "-") && strings.HasPrefix(id, m.id)) {
			continue
		}
		if fn, args, ok := m.make(k, id); ok {
			return step{fn: fn, args: args}
		}
	}
	return step{fn: "unchecked", args: words(id)}
}
