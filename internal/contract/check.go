package contract

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"cupel/internal/pattern"
)

// check looks at what each value alone cannot tell. It runs on what could be decoded, so a value that is not
// there, because it was wrong, is no second problem.
func (d *decoder) check(c *Contract) {
	for _, check := range []func(*Contract){d.checkToolkit, d.checkArch, d.checkEnv, d.checkNames, d.checkGates, d.checkProject, d.checkComponents,
		d.checkPins, d.checkTemplates, d.checkDefines, d.checkSets, d.checkSmoke, d.checkMatrix} {
		if !d.full() {
			check(c)
		}
	}
}

// checkGates wants gates that come before a gate to be there, and not to wait for it.
func (d *decoder) checkGates(c *Contract) {
	var ids []string
	for _, g := range c.Gates {
		ids = append(ids, g.ID)
	}
	for i, g := range c.Gates {
		for j, id := range g.After {
			if d.full() {
				return
			}
			at := slices.Index(ids, id)
			key := item(item("gate", i)+".after", j)
			if at < 0 {
				d.at(key, problem{id: "contract-bad-name", what: fmt.Sprintf("there is no gate %q", id),
					why: fmt.Sprintf("gates are %s", orList(ids)), next: d.instead(key, id, ids, true)})
			} else if at >= i {
				d.at(key, problem{id: "contract-conflict", what: fmt.Sprintf("gate %q waits for %q, which comes after it", g.ID, id),
					why: "gates stand in the order they are passed", next: note("move gate %q above %q", id, g.ID)})
			}
		}
		d.patterns(item("gate", i)+".checks", g.Checks)
	}
}

func (d *decoder) checkSets(c *Contract) {
	for _, name := range slices.Sorted(maps.Keys(c.Verify)) {
		d.patterns(join("verify", name)+".checks", c.Verify[name].Checks)
	}
}

// checkID is the form of an id or a pattern of ids.
var checkID = pattern.New(`^[a-z0-9*?\[\]^-]+$`)

func (d *decoder) patterns(key string, list []string) {
	for i, p := range list {
		if d.full() {
			return
		}
		if _, err := path.Match(p, ""); err != nil || !checkID.MatchString(p) {
			d.at(item(key, i), problem{id: "contract-bad-pattern", what: fmt.Sprintf("%q is not a pattern of checks", p),
				why: "ids of checks have small letters, digits and -; a pattern also *, ? and [abc]", next: note("write toolkit-* or driver-floor")})
		}
	}
}

func (s *source) posOf(key string) Pos {
	p, _ := s.find(key)
	return s.pos(p.key)
}
