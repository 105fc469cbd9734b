package verify

import (
	"path"
	"slices"

	"cupel/internal/contract"
)

// Match says whether an id is one of those asked for: the id itself or a pattern with * and ?. No pattern
// means every id.
func Match(patterns []string, id string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, id)
		return ok && err == nil
	})
}

// place is where in the contract something stands; the file alone when the line is not known.
func place(p contract.Pos) string {
	if p.Line == 0 {
		return p.File
	}
	return p.String()
}
