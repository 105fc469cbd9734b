package contract

import (
	"encoding"
	"reflect"
	"strings"
)

// field is a key of a table, as the tags of its Go field describe it. Reader, schema and specification are made
// from the same fields, so they cannot differ.
type field struct {
	name  string
	doc   string
	one   []string // the words it may hold
	keys  []string // the names its entries may have
	need  bool
	short bool // a plain value in place of the table means this key
	ask   string
	typ   reflect.Type
	index []int
}

// fieldsOf lists the keys of a table, those of embedded structs in their place. open is set when the table takes
// variables besides, as those of EnvTable.
func fieldsOf(t reflect.Type) (list []field, open bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == typeEnvTable && f.Anonymous {
			open = true
			continue
		}
		if f.Anonymous {
			inner, _ := fieldsOf(f.Type)
			for _, in := range inner {
				in.index = append([]int{i}, in.index...)
				list = append(list, in)
			}
			continue
		}
		if name := f.Tag.Get("toml"); name != "" && name != "-" {
			list = append(list, newField(f, name, i))
		}
	}
	return list, open
}

func newField(f reflect.StructField, name string, i int) field {
	return field{name: name, doc: f.Tag.Get("doc"), one: strings.Fields(f.Tag.Get("one")), keys: strings.Fields(f.Tag.Get("keys")),
		need: f.Tag.Get("need") == "yes", short: f.Tag.Get("short") == "yes", ask: f.Tag.Get("demand"), typ: f.Type, index: []int{i}}
}

// shortOf is the key that a plain value stands for.
func shortOf(t reflect.Type) (field, bool) {
	if t.Kind() != reflect.Struct {
		return field{}, false
	}
	list, _ := fieldsOf(t)
	for _, f := range list {
		if f.short {
			return f, true
		}
	}
	return field{}, false
}

func names(list []field) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.name
	}
	return out
}

var (
	typeText     = reflect.TypeFor[encoding.TextUnmarshaler]()
	typeWords    = reflect.TypeFor[Words]()
	typeCommand  = reflect.TypeFor[Command]()
	typeEnvTable = reflect.TypeFor[EnvTable]()
)

// isText says that a value of the type is written as a string with a form of its own.
func isText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(typeText) }
