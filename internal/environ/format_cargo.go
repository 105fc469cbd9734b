package environ

import (
	"fmt"
	"strings"

	"cupel/internal/contract"
)

// CargoEntry is one line of the [env] table of .cargo/config.toml.
type CargoEntry struct{ Name, Value string }

// CargoEntries gives the values as cargo needs them. Cargo cannot refer to another variable, and the file is
// one that people commit: the PATH of this shell does not belong there, and the toolkit's folders alone would
// take /usr/bin away. So PATH is left out, and other lists get the folders alone.
func CargoEntries(set Set) []CargoEntry {
	var list []CargoEntry
	for _, v := range set.Vars {
		if !strings.EqualFold(v.Name, "PATH") {
			list = append(list, CargoEntry{v.Name, v.Value})
		}
	}
	return list
}

// Line writes the entry. Without force cargo would keep a variable that the shell has, and the choice of a
// toolkit would be half done.
func (e CargoEntry) Line() string {
	return fmt.Sprintf("%s = { value = %s, force = true }", e.Name, quoteTOML(e.Value))
}

func formatCargo(set Set, _ map[string]string) (string, error) {
	var out lines
	out.add("# %s", oneLine(set.Title))
	out.add("[env]")
	for _, e := range CargoEntries(set) {
		out.add("%s", e.Line())
	}
	return out.String(), nil
}

// quoteTOML prefers the literal form, in which a Windows path stays readable.
func quoteTOML(s string) string {
	plain := func(r rune) bool { return r != '\'' && (r == '\t' || r >= 0x20 && r != 0x7f) }
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return "'" + s + "'"
	}
	return contract.Quote(s)
}
