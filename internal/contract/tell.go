package contract

import (
	"fmt"
	"reflect"
	"strings"

	"cupel/internal/finding"
)

// spot says which part of a key a problem is about.
type spot int

const (
	onValue spot = iota
	onKey
)

// full says that enough was found.
func (d *decoder) full() bool { return len(d.problems) >= patience }

// at adds a problem at a key; without a spot it is about the value.
func (d *decoder) at(key string, p problem, where ...spot) {
	place, _ := d.src.find(key)
	p.from, p.to = place.val, place.valEnd
	if len(where) > 0 && where[0] == onKey {
		p.from, p.to = place.key, place.keyEnd
	}
	d.problems = append(d.problems, p)
}

// wrongType says what was wanted and what is there.
func (d *decoder) wrongType(raw any, key string, f field) {
	p := problem{id: "contract-wrong-type", what: fmt.Sprintf("%s is %s, want %s", key, kindOf(raw), wanted(f)), why: about(key, f), next: asTable(key, f)}
	place, found := d.src.places[key]
	switch raw.(type) {
	case int64, float64:
		if text := string(d.src.data[place.val:place.valEnd]); found && strings.HasPrefix(wanted(f), "a string") {
			if !plainText(f.typ) {
				p.why = "versions are text: as numbers 12.10 and 12.1 would be the same"
			}
			p.next = []finding.Step{{Note: "write it in quotes: " + d.src.replaced(place, quote(text))}}
		}
	case string:
		if t := f.typ; found && t != nil && t.Kind() == reflect.Slice {
			p.next = []finding.Step{{Note: "write " + d.src.replaced(place, "["+string(d.src.data[place.val:place.valEnd])+"]")}}
		}
	}
	d.at(key, p)
}

// about is what a key is for.
func about(key string, f field) string {
	for strings.HasSuffix(key, "]") {
		key = parent(key)
	}
	return key + ": " + f.doc
}

// plainText says that a string of the key has no form of its own.
func plainText(t reflect.Type) bool {
	return t.Kind() == reflect.String && !isText(t) || t == typeWords || t == typeCommand
}

// asTable shows how a key is written.
func asTable(key string, f field) []finding.Step {
	t, form := f.typ, "[%s]"
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice {
		t, form = t.Elem(), "[[%s]]"
	}
	if _, short := shortOf(t); t.Kind() == reflect.Struct && !isText(t) && !short && t != typeCommand {
		return note("write "+form+", and the keys of the table below it", key)
	}
	return note("write %s = %s", lastPart(key), exampleOf(f.typ))
}

// fixed shows the line with another string in place of the value.
func (d *decoder) fixed(key, value string) []finding.Step {
	place, ok := d.src.places[key]
	if !ok {
		return note("write %s", quote(value))
	}
	return []finding.Step{{Note: "write " + d.src.replaced(place, quote(value))}}
}

// instead shows the line with the nearest of the words.
func (d *decoder) instead(key, given string, words []string, value bool) []finding.Step {
	near, ok := nearest(given, words)
	if !ok {
		return note("write one of %s", strings.Join(words, ", "))
	}
	place, found := d.src.places[key]
	switch {
	case found && value:
		return []finding.Step{{Note: "write " + d.src.replaced(place, quote(near))}}
	case found && !place.implied:
		place.val, place.valEnd = place.key, place.keyEnd
		return []finding.Step{{Note: "write " + d.src.replaced(place, near)}}
	}
	return note("write %s", near)
}

// replaced is the line of a value with other text in its place.
func (s *source) replaced(p place, text string) string {
	start, end := s.line(p.val)
	if p.valEnd > end || end-start > window {
		return text
	}
	return strings.TrimSpace(clean(s.data[start:p.val])+text) + clean(s.data[p.valEnd:end])
}

func lastPart(key string) string {
	for strings.HasSuffix(key, "]") {
		key = parent(key)
	}
	return strings.TrimPrefix(strings.TrimPrefix(key, parent(key)), ".")
}

// kindOf names a value's type in plain words.
func kindOf(raw any) string {
	switch raw.(type) {
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

// wanted names the type of a key.
func wanted(f field) string {
	t := f.typ
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "something else"
	}
	_, short := shortOf(t)
	switch {
	case t == typeWords, t == typeCommand:
		return "a string or a list of strings"
	case isText(t), t.Kind() == reflect.String:
		return "a string"
	case short:
		return "a string or a table"
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Map:
		return "a table"
	case t.Kind() == reflect.Slice:
		return "a list"
	case t.Kind() == reflect.Bool:
		return "true or false"
	}
	return "a whole number"
}

// examples show how a type is written.
var examples = map[reflect.Type]string{
	reflect.TypeFor[Release](): `"12.4"`, reflect.TypeFor[Range](): `">=12.4, <13"`, reflect.TypeFor[Dotted](): `"550.54"`, reflect.TypeFor[Target](): `"sm_86"`,
	reflect.TypeFor[CC](): `"8.6"`, reflect.TypeFor[Regexp](): `'version = "([^"]+)"'`, reflect.TypeFor[Duration](): `"10m"`, reflect.TypeFor[Size](): `"8 GiB"`,
	reflect.TypeFor[Path](): `"docs"`, reflect.TypeFor[Glob](): `"src/*.cu"`, typeWords: `["…"]`, typeCommand: `"cargo build"`,
}

func exampleOf(t reflect.Type) string {
	if t == nil {
		return "…"
	}
	if t.Kind() == reflect.Pointer {
		return exampleOf(t.Elem())
	}
	if text, ok := examples[t]; ok {
		return text
	}
	if short, ok := shortOf(t); ok {
		return exampleOf(short.typ)
	}
	switch t.Kind() {
	case reflect.Slice:
		return "[" + exampleOf(t.Elem()) + "]"
	case reflect.Bool:
		return "true"
	case reflect.Int:
		return "1"
	case reflect.Struct, reflect.Map:
		return "{ … }"
	}
	return `"…"`
}
