package environ

import (
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// formatSh is for bash, zsh, dash and ksh. Every line ends with a semicolon and there are no comments, so that
// eval $(cupel env) without quotes works too, where no value has a space.
func formatSh(set Set, old map[string]string) (string, error) {
	var out, lists lines
	for _, name := range set.stale(old) {
		out.add("unset %s;", name)
	}
	for _, name := range set.staleLists(old) {
		shList(&lists, set, Var{Name: name})
	}
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("export %s=%s;", v.Name, quoteSh(v.Value))
			continue
		}
		shList(&lists, set, v)
	}
	if lists.Len() > 0 {
		out.add("%s", shDrop)
		out.WriteString(lists.String())
		out.add("unset cupel_sep cupel_list cupel_new cupel_rest cupel_dir; unset -f cupel_drop;")
	}
	if !set.Runtime {
		out.add("export %s=%s;", Recorded, quoteSh(set.record()))
	}
	return out.String(), nil
}

// The list stands between separators, so that every entry, the first and last too, is found with one pattern.
// Quotes within the pattern keep the letters of a folder's name from being wildcards.
const (
	shDrop = `cupel_drop() { while :; do case $cupel_list in *"$cupel_sep$1$cupel_sep"*) cupel_list=${cupel_list%%"$cupel_sep$1$cupel_sep"*}$cupel_sep${cupel_list#*"$cupel_sep$1$cupel_sep"};; *) break;; esac; done; };`
	shOpen = `cupel_sep=SEP; cupel_list=$cupel_sep${NAME:+$NAME$cupel_sep}; cupel_new=;`
	// What an earlier environment put in is taken out.
	shBack = `cupel_rest=${NOTE-}; while [ -n "$cupel_rest" ]; do cupel_dir=${cupel_rest%%"$cupel_sep"*}; cupel_rest=${cupel_rest#"$cupel_dir"}; cupel_rest=${cupel_rest#"$cupel_sep"}; [ -z "$cupel_dir" ] || cupel_drop "$cupel_dir"; done;`
	// Only what was not there is noted: the rest is somebody else's, and stays when cupel's is taken out.
	shPut   = `for cupel_dir in DIRS; do case $cupel_list in *"$cupel_sep$cupel_dir$cupel_sep"*) cupel_drop "$cupel_dir";; *) cupel_new=$cupel_dir${cupel_new:+$cupel_sep$cupel_new};; esac; cupel_list=$cupel_sep$cupel_dir$cupel_list; done;`
	shClose = `cupel_list=${cupel_list#"$cupel_sep"}; cupel_list=${cupel_list%"$cupel_sep"};`
)

// shList changes one list. One that cupel puts nothing into any more and that is empty now is taken away: an
// empty entry means the current folder.
func shList(out *lines, set Set, v Var) {
	steps := []string{shOpen, shBack, shPut, shClose, `export NAME="$cupel_list"; export NOTE="$cupel_new";`}
	switch {
	case set.Runtime:
		steps = []string{shOpen, shPut, shClose, `export NAME="$cupel_list";`}
	case len(v.Dirs) == 0:
		steps = []string{shOpen, shBack, shClose, `if [ -n "$cupel_list" ]; then export NAME="$cupel_list"; else unset NAME; fi; unset NOTE;`}
	}
	var words []string
	for _, d := range slices.Backward(shDirs(set, v)) {
		words = append(words, quoteSh(d))
	}
	out.add("%s", strings.NewReplacer("NAME", v.Name, "NOTE", RecordedDirs+v.Name, "DIRS", strings.Join(words, " "),
		"SEP", quoteSh(shSeparator(set, v))).Replace(strings.Join(steps, "\n")))
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
