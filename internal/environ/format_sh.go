package environ

import (
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// formatSh is for bash, zsh, dash and ksh. Every line ends with a semicolon and there are no comments, so that
// eval $(cupel env) without quotes works too, where no value has a space.
func formatSh(set Set, old map[string]string) (string, error) {
	var out lines
	for _, name := range set.stale(old) {
		out.add("unset %s;", name)
	}
	used := false
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("export %s=%s;", v.Name, quoteSh(v.Value))
			continue
		}
		used = true
		shList(&out, v.Name, shDirs(set, v), shSeparator(set, v))
	}
	if used {
		out.add("unset cupel_list cupel_dir;")
	}
	out.add("export %s=%s;", Recorded, quoteSh(strings.Join(set.assigned(), " ")))
	return out.String(), nil
}

// shList: the list stands between separators, so that every entry, the first and last too, is found with one
// pattern. Quotes within the pattern keep the letters of a folder's name from being wildcards.
func shList(out *lines, name string, dirs []string, sep string) {
	var words []string
	for _, d := range slices.Backward(dirs) {
		words = append(words, quoteSh(d))
	}
	q := sep
	if sep == ";" {
		q = "';'"
	}
	text := strings.NewReplacer("NAME", name, "DIRS", strings.Join(words, " "), "SEP", q).Replace(
		`cupel_list=SEP${NAME:+${NAME}SEP};
for cupel_dir in DIRS; do while :; do case $cupel_list in *SEP"$cupel_dir"SEP*) cupel_list=${cupel_list%%SEP"$cupel_dir"SEP*}SEP${cupel_list#*SEP"$cupel_dir"SEP};; *) break;; esac; done; cupel_list=SEP$cupel_dir$cupel_list; done;
cupel_list=${cupel_list#SEP}; export NAME="${cupel_list%SEP}";`)
	out.add("%s", text)
}

// quoteSh: nothing is special between single quotes but the quote itself.
func quoteSh(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// shDirs spells folders for the shell. On Windows that is Git's or MSYS2's bash, whose own PATH has the form
// /c/Program Files and is translated for the programs it starts; other variables are not.
func shDirs(set Set, v Var) []string {
	if set.OS != "windows" || !strings.EqualFold(v.Name, "PATH") {
		return v.Dirs
	}
	var dirs []string
	for _, d := range v.Dirs {
		d = strings.ReplaceAll(d, `\`, "/")
		if len(d) > 2 && d[1] == ':' {
			d = "/" + strings.ToLower(d[:1]) + d[2:]
		}
		dirs = append(dirs, d)
	}
	return dirs
}

func shSeparator(set Set, v Var) string {
	if strings.EqualFold(v.Name, "PATH") {
		return ":"
	}
	return ospath.For(set.OS).ListSeparator()
}
