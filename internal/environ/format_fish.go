package environ

import "strings"

// formatFish uses lists: fish keeps PATH as one, and --path makes it one for the others.
func formatFish(set Set, old map[string]string) (string, error) {
	var out lines
	for _, name := range set.stale(old) {
		out.add("set -e %s", name)
	}
	for _, name := range set.staleLists(old) {
		fishList(&out, set, Var{Name: name})
	}
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("set -gx %s %s", v.Name, quoteFish(v.Value))
			continue
		}
		fishList(&out, set, v)
	}
	if !set.Runtime {
		out.add("set -gx %s %s", Recorded, quoteFish(set.record()))
	}
	return out.String(), nil
}

// The steps are those of sh: take out what an earlier environment put in, note what is new, put it in front.
const (
	fishOpen = `set -l cupel_dirs DIRS
set -l cupel_gone GONE
set -l cupel_old
set -l cupel_new
set -l cupel_rest
for cupel_dir in (string split -n : -- "$NAME"); contains -- $cupel_dir $cupel_gone; or set -a cupel_old $cupel_dir; end
for cupel_dir in $cupel_dirs; contains -- $cupel_dir $cupel_old; or set -a cupel_new $cupel_dir; end
for cupel_dir in $cupel_old; contains -- $cupel_dir $cupel_dirs; or set -a cupel_rest $cupel_dir; end`
	fishPut  = "\nset -gx --path NAME $cupel_dirs $cupel_rest"
	fishNote = "\nset -gx --path NOTE $cupel_new"
	fishTake = "\nif set -q cupel_rest[1]; set -gx --path NAME $cupel_rest; else; set -e NAME; end\nset -e NOTE"
)

func fishList(out *lines, set Set, v Var) {
	var words []string
	for _, d := range v.Dirs {
		words = append(words, quoteFish(d))
	}
	text, gone := fishOpen+fishPut+fishNote, `(string split -n : -- "$NOTE")`
	switch {
	case set.Runtime:
		text, gone = fishOpen+fishPut, ""
	case len(v.Dirs) == 0:
		text = fishOpen + fishTake
	}
	text = strings.ReplaceAll(text, "GONE", gone)
	out.add("%s", strings.NewReplacer("NAME", v.Name, "NOTE", RecordedDirs+v.Name, "DIRS", strings.Join(words, " ")).Replace(text))
}

// quoteFish: between single quotes only the quote and the backslash need one before them.
func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
