package environ

import (
	"fmt"
	"strings"
)

// formatCmd writes a batch file, to be run with call. In a batch file a percent sign is written twice; between
// the quotes of set "NAME=value" the letters & | < > ^ mean nothing. A quote inside cannot be written safely
// (Windows paths have none), and ! is itself unless the caller switched delayed expansion on, which a batch
// file cannot undo for its caller.
func formatCmd(set Set, old map[string]string) (string, error) {
	var out lines
	for _, name := range set.stale(old) {
		out.add("@set \"%s=\"\r", name)
	}
	for _, v := range set.Vars {
		value := v.Final(set.OS, lookup(old, v.Name, set.OS))
		if strings.Contains(value, `"`) {
			return "", fmt.Errorf("%s has a quotation mark in it, which cmd cannot take: %s", v.Name, value)
		}
		if strings.ContainsAny(value, "\r\n") {
			return "", fmt.Errorf("%s has a line break in it", v.Name)
		}
		value = strings.ReplaceAll(value, "%", "%%")
		if v.Kind == Prepend && old == nil {
			value += ";%" + v.Name + "%" // no environment was given, so the shell's own is named
		}
		out.add("@set \"%s=%s\"\r", v.Name, value)
	}
	out.add("@set \"%s=%s\"\r", Recorded, strings.Join(set.assigned(), " "))
	return out.String(), nil
}
