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
	for _, v := range set.Vars {
		if v.Kind == Assign {
			out.add("$env:%s = %s", v.Name, quotePowerShell(v.Value))
			continue
		}
		out.add("%s", powerShellList(set, v))
	}
	out.add("$env:%s = %s", Recorded, quotePowerShell(strings.Join(set.assigned(), " ")))
	return out.String(), nil
}

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
	return strings.NewReplacer("NAME", v.Name, "DIRS", strings.Join(words, ", "), "SEP", ospath.For(set.OS).ListSeparator(), "COMPARE", compare).Replace(
		`$cupelDirs = @(DIRS)
$env:NAME = ($cupelDirs + @("$env:NAME".Split('SEP') | Where-Object { $_ -and $cupelDirs COMPARE $_ })) -join 'SEP'
Remove-Variable cupelDirs`)
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
