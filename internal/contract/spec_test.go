package contract

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	specPath   = "../../docs/formats/contract.md"
	schemaPath = "../../docs/formats/cupel.schema.json"
)

var update = flag.Bool("update", false, "write the generated parts of docs/formats anew")

// page reads a file of the repository; a checkout on Windows may have other line ends.
func page(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

func fresh(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page(t, path) != want {
		t.Errorf("%s is stale: go test ./internal/contract -update", path)
	}
}

// example is the one file with every key.
func example(t *testing.T) string {
	t.Helper()
	_, text, _ := strings.Cut(page(t, specPath), "\n```toml\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("the specification has no example")
	}
	return text
}

// TestSpecTables keeps the generated tables of the specification equal to the types.
func TestSpecTables(t *testing.T) {
	text := page(t, specPath)
	for name, want := range map[string]string{"keys": keyTables(), "values": valueTable()} {
		form := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- end -->)`)
		if !form.MatchString(text) {
			t.Fatalf("the specification has no part %s", name)
		}
		text = form.ReplaceAllStringFunc(text, func(string) string { return "<!-- " + name + " -->\n" + want + "<!-- end -->" })
	}
	fresh(t, specPath, text)
}

// TestSpecIDs wants every id that a test case provokes in the specification, and no other.
func TestSpecIDs(t *testing.T) {
	given := map[string]bool{}
	for _, tt := range problemCases {
		given["`"+tt.id+"`"] = true
	}
	told := map[string]bool{}
	for _, id := range regexp.MustCompile("`contract-[a-z-]+`").FindAllString(page(t, specPath), -1) {
		told[id] = true
	}
	if !maps.Equal(given, told) {
		t.Errorf("ids of the cases %v\nids of the page  %v", slices.Sorted(maps.Keys(given)), slices.Sorted(maps.Keys(told)))
	}
}

func valueTable() string {
	var b strings.Builder
	b.WriteString("| word | is |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(Values)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, Values[name])
	}
	return b.String()
}

// keyTables writes one table per type: the same type in several places has the same keys.
func keyTables() string {
	var b strings.Builder
	done := map[reflect.Type]bool{}
	for _, table := range tables() {
		if done[table.typ] {
			continue
		}
		done[table.typ] = true
		fmt.Fprintf(&b, "### %s\n\n| key | type | meaning |\n|---|---|---|\n", heading(table.typ))
		for _, f := range table.fields {
			fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", f.name, marks(f), typeWord(f.typ, f), meaning(f))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// heading names the places of a type: the table's headers, or the keys that hold it as a value.
func heading(typ reflect.Type) string {
	var list []string
	_, value := shortOf(typ)
	for _, table := range tables() {
		name := "`" + table.title() + "`"
		if table.path == "" {
			name = "Top of the file"
		}
		if value {
			name = "`" + table.path + "`"
		}
		if table.typ == typ && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if len(list) > 4 { // the same in every layer
		list = append(list[:3], "…")
	}
	if value {
		return "Value of " + strings.Join(list, ", ")
	}
	return strings.Join(list, ", ")
}

func marks(f field) string {
	switch {
	case f.short:
		return " *short*"
	case f.need:
		return " *needed*"
	}
	return ""
}

func meaning(f field) string {
	text := f.doc
	for _, words := range [][]string{f.one, f.keys} {
		if len(words) > 0 {
			text += ": `" + strings.Join(words, "` `") + "`"
		}
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

// formNames name the forms as the specification does.
var formNames = map[reflect.Type]string{
	reflect.TypeFor[Release](): "release", reflect.TypeFor[Dotted](): "version", reflect.TypeFor[Range](): "range", reflect.TypeFor[Target](): "architecture",
	reflect.TypeFor[CC](): "capability", reflect.TypeFor[Regexp](): "expression", reflect.TypeFor[Duration](): "time", reflect.TypeFor[Size](): "memory",
	reflect.TypeFor[Path](): "path", reflect.TypeFor[Glob](): "pattern", reflect.TypeFor[Words](): "string or list of strings", typeCommand: "command", typeEnvTable: "variables",
}

func typeWord(t reflect.Type, f field) string {
	if text, ok := formNames[t]; ok {
		return text
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeWord(t.Elem(), f)
	case reflect.Slice:
		return "list of " + plural(typeWord(t.Elem(), f))
	case reflect.Map:
		return "table of " + plural(typeWord(t.Elem(), f)) + " by name"
	case reflect.Struct:
		if short, ok := shortOf(t); ok {
			return typeWord(short.typ, short) + " or table"
		}
		return "table"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "whole number"
	}
	return "string"
}

func plural(s string) string {
	if first, rest, ok := strings.Cut(s, " or "); ok {
		return plural(first) + " or " + plural(rest)
	}
	if rest, ok := strings.CutPrefix(s, "list of "); ok {
		return "lists of " + rest
	}
	if rest, ok := strings.CutPrefix(s, "table of "); ok {
		return "tables of " + rest
	}
	if strings.HasSuffix(s, "y") {
		return s[:len(s)-1] + "ies"
	}
	return s + "s"
}
