package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestSchemaFresh(t *testing.T) { fresh(t, schemaPath, string(Schema())) }

// TestSchemaEnums wants every word of the types in the schema, in their order.
func TestSchemaEnums(t *testing.T) {
	text := strings.Join(strings.Fields(string(Schema())), "")
	for _, table := range tables() {
		for _, f := range table.fields {
			for _, words := range [][]string{f.one, f.keys} {
				if b, _ := json.Marshal(words); len(words) > 0 && !strings.Contains(text, `"enum":`+strings.Join(strings.Fields(string(b)), "")) {
					t.Errorf("%s.%s: %s is not in the schema", table.path, f.name, b)
				}
			}
		}
	}
}

// TestSchemaKeys wants every key of the example to be known to the schema, at its place, and its value to be taken.
func TestSchemaKeys(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	c, all := Parse("cupel.toml", []byte(example(t)))
	if c == nil {
		t.Fatal(show(all))
	}
	for _, problem := range (walker{schema["$defs"].(map[string]any)}).value(c.raw, schema, "") {
		t.Error(problem)
	}
}

// walker is as much of a validator as the schema needs: references, anyOf, types, words, properties and items.
type walker struct{ defs map[string]any }

func (w walker) value(v any, schema map[string]any, at string) (problems []string) {
	if ref, ok := schema["$ref"].(string); ok {
		return w.value(v, w.defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), at)
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		for _, s := range choices {
			if problems = w.value(v, s.(map[string]any), at); len(problems) == 0 {
				return nil
			}
		}
		return problems
	}
	if words, ok := schema["enum"].([]any); ok && !slices.Contains(words, v) {
		return []string{fmt.Sprintf("%s: %v is none of %v", at, v, words)}
	}
	switch v := v.(type) {
	case map[string]any:
		return w.object(v, schema, at)
	case []any:
		if schema["type"] != "array" {
			return []string{at + ": a list is not wanted"}
		}
		for i, it := range v {
			problems = append(problems, w.value(it, schema["items"].(map[string]any), item(at, i))...)
		}
		return problems
	case string:
		return kindIs(schema, "string", at)
	case bool:
		return kindIs(schema, "boolean", at)
	}
	return kindIs(schema, "integer", at)
}

func kindIs(schema map[string]any, want, at string) []string {
	if _, words := schema["enum"]; words || schema["type"] == want {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s is not wanted, but %v", at, want, schema["type"])}
}

func (w walker) object(v, schema map[string]any, at string) (problems []string) {
	if schema["type"] != "object" {
		return []string{at + ": a table is not wanted"}
	}
	props, _ := schema["properties"].(map[string]any)
	other, _ := schema["additionalProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		sub, ok := props[name].(map[string]any)
		if !ok {
			sub = other
		}
		if sub == nil {
			problems = append(problems, fmt.Sprintf("%s: the schema has no key %s", at, name))
			continue
		}
		problems = append(problems, w.value(v[name], sub, join(at, name))...)
	}
	return problems
}

// TestExampleHasEveryKey keeps the example complete: each key of each type occurs, and each word of a template.
func TestExampleHasEveryKey(t *testing.T) {
	text := example(t)
	c, all := Parse("cupel.toml", []byte(text))
	if c == nil {
		t.Fatal(show(all))
	}
	given := map[string]bool{}
	for _, key := range c.src.order {
		given[plainKey(key)] = true
	}
	found, types := map[string]bool{}, map[string]bool{}
	for _, table := range tables() {
		for _, f := range table.fields {
			name := table.typ.Name() + "." + f.name
			types[name] = true
			found[name] = found[name] || matches(given, table.path, f.name)
		}
	}
	for name := range types {
		if short, ok := found[name]; !ok || !short {
			t.Errorf("the example lacks %s", name)
		}
	}
	for word := range Values {
		if !strings.Contains(text, word) {
			t.Errorf("the example lacks the word %s", word)
		}
	}
}

// plainKey takes the numbers of items out of a key path.
func plainKey(key string) string {
	var parts []string
	for _, s := range split(key) {
		if s.index < 0 {
			parts = append(parts, s.name)
		}
	}
	return strings.Join(parts, ".")
}

// matches says that a key of a table occurs; NAME stands for any name.
func matches(given map[string]bool, table, name string) bool {
	want := strings.Split(strings.TrimPrefix(table+"."+name, "."), ".")
	for key := range given {
		got := strings.Split(key, ".")
		if len(got) == len(want) && !slices.ContainsFunc(want, func(w string) bool { i := slices.Index(want, w); return w != "NAME" && got[i] != w }) {
			return true
		}
	}
	return false
}

// TestComponentNames keeps the list and the words of the key alike.
func TestComponentNames(t *testing.T) {
	f := tables()[0].fields[slices.IndexFunc(tables()[0].fields, func(f field) bool { return f.name == "components" })]
	if !slices.Equal(f.keys, ComponentNames) {
		t.Errorf("the key takes %v, ComponentNames are %v", f.keys, ComponentNames)
	}
}

// TestEveryKeyIsExplained keeps the tags complete.
func TestEveryKeyIsExplained(t *testing.T) {
	known := []string{"toml", "doc", "one", "need", "short", "keys", "demand"}
	for _, table := range tables() {
		for i := range table.typ.NumField() {
			f := table.typ.Field(i)
			if tag := f.Tag.Get("toml"); tag != "" && tag != "-" && f.Tag.Get("doc") == "" {
				t.Errorf("%s.%s has no doc", table.typ, f.Name)
			}
			for _, part := range strings.Fields(reflect.ValueOf(f.Tag).String()) {
				if name, _, ok := strings.Cut(part, `:"`); ok && !slices.Contains(known, name) && strings.HasSuffix(part, `"`) {
					t.Errorf("%s.%s has an unknown tag %s", table.typ, f.Name, name)
				}
			}
		}
	}
}
