package environ

import (
	"fmt"
	"strings"

	"cupel/internal/ospath"
)

// formatMake is for GNU make: include it. Lists are computed by make itself, so that a make started by make,
// which includes the file again, does not grow them.
func formatMake(set Set, _ map[string]string) (string, error) {
	var out lines
	out.add("# %s", oneLine(set.Title))
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("export %s := %s", v.Name, quoteMake(v.Value))
			continue
		}
		makeList(&out, v, ospath.For(set.OS).ListSeparator())
	}
	return out.String(), nil
}

// makeList takes the folders out of the list, which stands between separators meanwhile, with subst alone: the
// functions that know words would break a folder with a space.
func makeList(out *lines, v Var, sep string) {
	list, front := "cupel.list."+v.Name, ""
	out.add("%s := $(if $(value %s),%s$(value %s)%s)", list, v.Name, sep, v.Name, sep)
	for i, d := range v.Dirs {
		dir := fmt.Sprintf("cupel.dir.%s.%d", v.Name, i+1)
		out.add("%s := %s", dir, quoteMake(d))
		out.add("%s := $(subst %s$(%s)%s,%s,$(%s))", list, sep, dir, sep, sep, list)
		front += sep + "$(" + dir + ")"
	}
	// The end mark finds the last separator, and only that one.
	out.add("export %s := %s$(subst <end>,,$(subst %s<end>,,$(%s)<end>))", v.Name, front[len(sep):], sep, list)
}

// quoteMake: $ is doubled; # needs a backslash, and backslashes right before it must be doubled; a backslash
// at the end would join the next line, and blanks at the ends would be lost, so an empty reference guards both.
func quoteMake(s string) string {
	var b strings.Builder
	slashes := 0
	for _, r := range s {
		switch r {
		case '\\':
			slashes++
		case '#':
			b.WriteString(strings.Repeat(`\`, slashes+1))
			slashes = 0
		case '$':
			b.WriteByte('$')
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteRune(r)
	}
	out := b.String()
	if strings.HasPrefix(out, " ") || strings.HasPrefix(out, "\t") {
		out = "$()" + out
	}
	if strings.HasSuffix(out, `\`) || strings.HasSuffix(out, " ") || strings.HasSuffix(out, "\t") {
		out += "$()"
	}
	return out
}
