package snapshot

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/doctor"
)

const specPath = "../../docs/formats/snapshot.md"

// headings are the page's names of types that are called otherwise in Go.
var headings = map[string]string{
	"DriverLibrary": "Driver library", "PCIDevice": "PCI device", "VisualStudio": "Visual Studio", "WindowsSDK": "Windows SDK",
	"PathDir": "PATH folder", "FileValue": "File value", "consumer.Pick": "Consumer",
}

// heading names the page's part about a type.
func heading(typ reflect.Type) string {
	name, _, generic := strings.Cut(typ.Name(), "[")
	if generic {
		return name
	}
	for _, key := range []string{typ.String(), name} {
		if h, ok := headings[key]; ok {
			return h
		}
	}
	return name
}

// written lists a type's JSON keys, each with whether it is written always.
func written(typ reflect.Type) map[string]bool {
	out := map[string]bool{}
	for f := range typ.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" {
			out[name] = !strings.Contains(options, "omit")
		}
	}
	return out
}

// reach collects the struct types below typ.
func reach(typ reflect.Type, seen map[reflect.Type]bool) {
	for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map || typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || seen[typ] {
		return
	}
	seen[typ] = true
	for f := range typ.Fields() {
		if f.Tag.Get("json") != "-" {
			reach(f.Type, seen)
		}
	}
}

var specRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (yes)? ?\\| .+ \\|$")

// specified reads the tables of the page: heading → key → always.
func specified(page string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, part := range strings.Split(page, "\n## ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		rows := map[string]bool{}
		for _, m := range specRow.FindAllStringSubmatch(body, -1) {
			rows[m[1]] = m[2] == "yes"
		}
		if len(rows) > 0 {
			out[name] = rows
		}
	}
	return out
}

// TestSpecNamesEveryKey: the page and the Go types say the same, in both directions.
func TestSpecNamesEveryKey(t *testing.T) {
	b, err := os.ReadFile(specPath)
	if err != nil {
		t.Fatal(err)
	}
	page := specified(string(b))
	types := map[reflect.Type]bool{}
	reach(reflect.TypeFor[doctor.Answer](), types)
	var used []string
	for typ := range types {
		h := heading(typ)
		used = append(used, h)
		if diff := cmp.Diff(written(typ), page[h]); diff != "" {
			t.Errorf("%s, %q: keys of %s (-) and of the page (+), true where always written:\n%s", specPath, h, typ, diff)
		}
	}
	for h := range page {
		if !slices.Contains(used, h) {
			t.Errorf("%s, %q: no type of the answer has these keys", specPath, h)
		}
	}
}
