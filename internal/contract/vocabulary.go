package contract

import "slices"

// WordsOf are the words that a key may hold, in the order of the types; none when it takes any text. Lists have no
// numbers and entries with names of their own are NAME: kernels.kinds, components.NAME.severity.
func WordsOf(key string) []string {
	path, name := parent(key), lastPart(key)
	for _, t := range tables() {
		i := slices.IndexFunc(t.fields, func(f field) bool { return t.path == path && f.name == name })
		if i >= 0 {
			return slices.Clone(t.fields[i].one)
		}
	}
	return nil
}
