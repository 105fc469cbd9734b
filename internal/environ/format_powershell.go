package environ

import (
	"strings"

	"cupel/internal/ospath"
)

func formatPowerShell(set Set, old map[string]string) (string, error) {
	var out lines
	for _, name := range set.stale(old) {
		out.add("Remove-Item -LiteralPath Env:%s -ErrorAction SilentlyContinue", name)
	}
	for _, name := range set.staleLists(old) {
		out.add("%s", powerShellList(set, Var{Name: name}))
	}
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("$env:%s = %s", v.Name, quotePowerShell(v.Value))
			continue
		}
		out.add("%s", powerShellList(set, v))
	}
	if !set.Runtime {
		out.add("$env:%s = %s", Recorded, quotePowerShell(set.record()))
	}
	return out.String(), nil
}

// The steps are those of sh: take out what an earlier environment put in, note what is new, put it in front.
const (
	powerOpen = `$cupelDirs = @(DIRS)
$cupelGone = @("$env:NOTE".Split('SEP'))
$cupelRest = @("$env:NAME".Split('SEP') | Where-Object { $_ -and $cupelGone COMPARE $_ })`
	powerNote = "\n" + `$env:NOTE = @($cupelDirs | Where-Object { $cupelRest COMPARE $_ }) -join 'SEP'`
	powerPut  = "\n" + `$env:NAME = ($cupelDirs + @($cupelRest | Where-Object { $cupelDirs COMPARE $_ })) -join 'SEP'
Remove-Variable cupelDirs, cupelGone, cupelRest`
)

// powerShellList compares as the system's file names do: without case on Windows.
func powerShellList(set Set, v Var) string {
	var words []string
	for _, d := range v.Dirs {
		words = append(words, quotePowerShell(d))
	}
	compare := "-cnotcontains"
	if set.OS == "windows" {
		compare = "-notcontains"
	}
	text := powerOpen + powerNote + powerPut
	if set.Runtime {
		text = strings.Replace(powerOpen, `"$env:NOTE".Split('SEP')`, "", 1) + powerPut
	}
	return strings.NewReplacer("NAME", v.Name, "NOTE", RecordedDirs+v.Name, "DIRS", strings.Join(words, ", "),
		"SEP", ospath.For(set.OS).ListSeparator(), "COMPARE", compare).Replace(text)
}

// quotePowerShell doubles the quote, and the typographic ones that PowerShell takes for it too.
func quotePowerShell(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		if strings.ContainsRune("'\u2018\u2019\u201a\u201b", r) {
			b.WriteRune(r)
		}
		b.WriteRune(r)
	}
	return b.String() + "'"
}
