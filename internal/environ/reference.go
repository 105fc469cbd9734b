package environ

import (
	"fmt"
	"strings"

	"cupel/data"
)

// Reference is docs/reference/environment.md: every variable that cupel reads or writes, with who else reads
// it. A test keeps the file and the table together.
func Reference() string {
	var out lines
	out.add("# Environment variables\n")
	out.add("Made from `data/variables.toml` by `go test ./internal/environ -update`; do not edit.\n")
	out.add("cupel reads and writes no variable that is not here; a snapshot holds no other, and none that may hold a password.\n")
	out.add("| variable | system | meaning | read by |")
	out.add("|---|---|---|---|")
	for _, v := range data.Variables() {
		var readers []string
		for _, r := range v.Readers {
			readers = append(readers, fmt.Sprintf("%s (%s)", r.Tool, r.How))
		}
		system := strings.Join(v.OS, ", ")
		if system == "" {
			system = "all"
		}
		out.add("| `%s` | %s | %s | %s |", v.Name, system, cell(v.Meaning), cell(strings.Join(readers, "; ")))
	}
	return out.String()
}

func cell(s string) string { return strings.ReplaceAll(oneLine(s), "|", `\|`) }
