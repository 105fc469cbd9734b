package contract

import (
	"fmt"
)

// checkArch wants no target below the lowest capability that works.
func (d *decoder) checkArch(c *Contract) {
	lists := []struct {
		key     string
		targets []Target
	}{{"arch.targets", c.Arch.Targets}}
	for i, row := range c.Arch.ByToolkit {
		lists = append(lists, struct {
			key     string
			targets []Target
		}{item("arch.by-toolkit", i) + ".targets", row.Targets})
	}
	for _, l := range lists {
		for i, t := range l.targets {
			if !d.full() {
				d.notBelow(c, item(l.key, i), t)
			}
		}
		d.noneTwice(l.key, l.targets)
	}
	if c.Arch.Fallback != nil {
		d.notBelow(c, "arch.fallback", *c.Arch.Fallback)
	}
}

func (d *decoder) notBelow(c *Contract, key string, t Target) {
	if low := c.Arch.Min; low != nil && !low.IsZero() && !t.IsZero() && t.CC.Compare(low.CC) < 0 {
		d.at(key, problem{id: "contract-conflict", what: fmt.Sprintf("%s is below arch.min %s", t, low),
			why:  fmt.Sprintf("arch.min, at %s, is the lowest capability that works", d.src.posOf("arch.min")),
			next: note("leave %s out, or lower arch.min to %s", t, t.CC)})
	}
}

// noneTwice finds one target in two spellings.
func (d *decoder) noneTwice(key string, targets []Target) {
	seen := map[Target]int{}
	for i, t := range targets {
		if first, ok := seen[t]; ok && !t.IsZero() && !d.full() {
			d.at(item(key, i), problem{id: "contract-duplicate-name", what: fmt.Sprintf("%s is in %s twice", t, key),
				why: fmt.Sprintf("it stands at %s already", d.src.posOf(item(key, first))), next: note("leave one of them out")})
			continue
		}
		seen[t] = i
	}
}
