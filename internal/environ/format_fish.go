package environ

import "strings"

// formatFish uses lists: fish keeps PATH as one, and --path makes it one for the others.
func formatFish(set Set, old map[string]string) (string, error) {
	var out lines
	for _, name := range set.stale(old) {
		out.add("set -e %s", name)
	}
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("set -gx %s %s", v.Name, quoteFish(v.Value))
			continue
		}
		var words []string
		for _, d := range v.Dirs {
			words = append(words, quoteFish(d))
		}
		out.add("%s", strings.NewReplacer("NAME", v.Name, "DIRS", strings.Join(words, " ")).Replace(
			`set -l cupel_dirs DIRS
set -l cupel_rest
for cupel_dir in (string split -n : -- "$NAME"); contains -- $cupel_dir $cupel_dirs; or set -a cupel_rest $cupel_dir; end
set -gx --path NAME $cupel_dirs $cupel_rest`))
	}
	out.add("set -gx %s %s", Recorded, quoteFish(strings.Join(set.assigned(), " ")))
	return out.String(), nil
}

// quoteFish: between single quotes only the quote and the backslash need one before them.
func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
