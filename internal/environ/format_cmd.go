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
	for _, name := range set.staleLists(old) {
		if err := cmdLine(&out, name, strings.Join(set.own(name, old), ";"), ""); err != nil {
			return "", err
		}
		out.add("@set \"%s=\"\r", RecordedDirs+name)
	}
	for _, v := range set.Vars {
		if err := cmdVar(&out, set, v, old); err != nil {
			return "", err
		}
	}
	if !set.Runtime {
		out.add("@set \"%s=%s\"\r", Recorded, set.record())
	}
	return out.String(), nil
}

func cmdVar(out *lines, set Set, v Var, old map[string]string) error {
	value, added := set.final(v, old)
	rest := ""
	if v.Kind == Prepend && old == nil {
		rest = ";%" + v.Name + "%" // no environment was given, so the shell's own is named
	}
	if err := cmdLine(out, v.Name, value, rest); err != nil || v.Kind == Assign || set.Runtime {
		return err
	}
	return cmdLine(out, RecordedDirs+v.Name, strings.Join(added, ";"), "")
}

// cmdLine sets a variable; rest is code of cmd behind the value.
func cmdLine(out *lines, name, value, rest string) error {
	if strings.Contains(value, `"`) {
		return fmt.Errorf("%s has a quotation mark in it, which cmd cannot take: %s", name, value)
	}
	if strings.ContainsAny(value, "\r\n") {
		return fmt.Errorf("%s has a line break in it", name)
	}
	out.add("@set \"%s=%s%s\"\r", name, strings.ReplaceAll(value, "%", "%%"), rest)
	return nil
}
