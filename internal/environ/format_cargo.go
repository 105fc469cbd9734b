package environ

import (
	"fmt"
	"strings"
)

// CargoEntry is one line of the [env] table of .cargo/config.toml.
type CargoEntry struct{ Name, Value string }

// CargoEntries gives the values as cargo needs them. Cargo cannot refer to another variable, so PATH is the
// finished list of old; without old it is left out, because the folders alone would take /usr/bin away. Other
// lists get the folders alone: they are for the linker of this build.
func CargoEntries(set Set, old map[string]string) []CargoEntry {
	var list []CargoEntry
	for _, v := range set.Vars {
		had := lookup(old, v.Name, set.OS)
		isPath := strings.EqualFold(v.Name, "PATH")
		if isPath && had == "" {
			continue
		}
		value := v.Value
		if isPath || set.OS == "windows" {
			value = v.Final(set.OS, had)
		}
		list = append(list, CargoEntry{v.Name, value})
	}
	return list
}

// Line writes the entry. Without force cargo would keep a variable that the shell has, and the choice of a
// toolkit would be half done.
func (e CargoEntry) Line() string {
	return fmt.Sprintf("%s = { value = %s, force = true }", e.Name, quoteTOML(e.Value))
}

func formatCargo(set Set, old map[string]string) (string, error) {
	var out lines
	out.add("# %s", oneLine(set.Title))
	out.add("[env]")
	for _, e := range CargoEntries(set, old) {
		if strings.ContainsAny(e.Value, "\n\r") {
			return "", fmt.Errorf("%s has a line break in it", e.Name)
		}
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
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
