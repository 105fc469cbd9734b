package contract

import (
	"maps"
	"slices"
)

// Variables are the names of every variable the contract speaks of. A contract that is not there names none.
func (c *Contract) Variables() []string {
	if c == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, t := range []EnvTable{c.Env.EnvTable, c.Env.Linux, c.Env.Windows, c.Env.WSL2, c.Env.CI, c.Env.Runtime} {
		for _, names := range t.Names {
			for _, n := range names {
				seen[n] = true
			}
		}
		for n := range t.Vars {
			seen[n] = true
		}
	}
	for _, n := range c.Arch.Env {
		seen[n] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
