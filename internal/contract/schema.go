package contract

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// object is a JSON object; its keys are written in order of their names.
type object map[string]any

// Schema is the JSON Schema (draft 2020-12) of cupel.toml, made from the types that read it. Editors use it; what a
// schema cannot say, such as whether a release exists, only Parse knows.
func Schema() []byte {
	m := schemaMaker{defs: object{}}
	top := m.table(reflect.TypeFor[Contract]())
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["$id"] = "urn:cupel:contract:1"
	top["title"] = "cupel.toml"
	top["description"] = "What a project demands of the machines that build and run its CUDA code."
	top["properties"].(object)["cupel"].(object)["const"] = Format
	top["$defs"] = m.defs
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(top); err != nil {
		panic(err) // maps, strings and numbers only
	}
	return b.Bytes()
}

type schemaMaker struct{ defs object }

// forms are the patterns of strings that have a form of their own, in the common part of RE2 and ECMA 262.
var forms = map[reflect.Type]object{
	reflect.TypeFor[Release]():  {"type": "string", "pattern": `^[0-9]{1,9}(\.[0-9]{1,9}){0,2}$`},
	reflect.TypeFor[Dotted]():   {"type": "string", "pattern": `^` + dotted + `$`},
	reflect.TypeFor[Range]():    {"type": "string", "pattern": `^` + bound + `(,` + bound + `)*$`},
	reflect.TypeFor[Target]():   {"type": "string", "pattern": `^(sm_|compute_)?[0-9]{1,2}\.?[0-9][af]?(-real|-virtual|\+PTX)?$`},
	reflect.TypeFor[CC]():       {"type": "string", "pattern": `^(sm_|compute_)?[0-9]{1,2}\.?[0-9]$`},
	reflect.TypeFor[Regexp]():   {"type": "string"},
	reflect.TypeFor[Duration](): {"type": "string", "pattern": `^([0-9.]+(h|m|s|ms|us|ns))+$`},
	reflect.TypeFor[Size]():     {"type": "string", "pattern": sizeForm},
	reflect.TypeFor[Path]():     {"type": "string", "pattern": inside},
	reflect.TypeFor[Glob]():     {"type": "string", "pattern": inside},
}

const (
	dotted = `[0-9]{1,9}(\.[0-9]{1,9}){0,3}`
	bound  = ` *(>=|<=|>|<|=)? *` + dotted + ` *`
	inside = `^[^/~\\$][^\\$]*$`
)

// table is the schema of a struct.
func (m schemaMaker) table(t reflect.Type) object {
	fields, open := fieldsOf(t)
	props := object{}
	var need []string
	for _, f := range fields {
		s := m.value(f.typ, f)
		s["description"] = f.doc
		props[f.name] = s
		if f.need {
			need = append(need, f.name)
		}
	}
	s := object{"type": "object", "properties": props, "additionalProperties": false}
	if open {
		m.variables(s, names(fields))
	}
	if len(need) > 0 {
		s["required"] = need
	}
	return s
}

// value is the schema of a key. A named type is described once and referred to.
func (m schemaMaker) value(t reflect.Type, f field) object {
	form, known := forms[t]
	switch {
	case t.Kind() == reflect.Pointer:
		return m.value(t.Elem(), f)
	case known:
		return m.ref(t, func() object { return maps.Clone(form) })
	case t == typeWords, t == typeCommand:
		return object{"anyOf": []object{word(f), list(word(f))}}
	case t == typeEnvTable:
		return m.ref(t, func() object { s := object{"type": "object", "properties": object{}}; m.variables(s, nil); return s })
	case t.Kind() == reflect.Struct:
		return m.ref(t, func() object { return m.structure(t) })
	case t.Kind() == reflect.Slice:
		return list(m.value(t.Elem(), f))
	case t.Kind() == reflect.Map:
		return m.mapping(t, f)
	case t.Kind() == reflect.Bool:
		return object{"type": "boolean"}
	case t.Kind() == reflect.Int:
		return object{"type": "integer", "minimum": 0, "maximum": largest}
	}
	return word(f)
}

func (m schemaMaker) ref(t reflect.Type, make func() object) object {
	if _, done := m.defs[t.Name()]; !done {
		m.defs[t.Name()] = object{} // a type may hold itself
		m.defs[t.Name()] = make()
	}
	return object{"$ref": "#/$defs/" + t.Name()}
}

// structure is a table, or the plain value that may stand for it.
func (m schemaMaker) structure(t reflect.Type) object {
	short, ok := shortOf(t)
	if !ok {
		return m.table(t)
	}
	return object{"anyOf": []object{m.value(short.typ, short), m.table(t)}}
}

func (m schemaMaker) mapping(t reflect.Type, f field) object {
	keys := f.keys
	f.keys = nil
	s := object{"type": "object", "additionalProperties": m.value(t.Elem(), f)}
	if len(keys) > 0 {
		s["propertyNames"] = object{"enum": keys}
	}
	return s
}

// variables adds the two kinds of keys of an environment: values, dotted or quoted, and variables with a template.
func (m schemaMaker) variables(s object, also []string) {
	props := s["properties"].(object)
	allowed := slices.Clone(also)
	for _, name := range slices.Sorted(maps.Keys(Values)) {
		group, last, _ := strings.Cut(name, ".")
		holder := object{"anyOf": []object{word(field{}), list(word(field{}))}, "description": "variables that must hold " + Values[name]}
		if _, ok := props[group]; !ok {
			props[group] = object{"type": "object", "properties": object{}, "additionalProperties": false}
		}
		props[group].(object)["properties"].(object)[last] = holder
		props[name] = holder
		allowed = append(allowed, regexp.QuoteMeta(name))
	}
	s["propertyNames"] = object{"pattern": "^([A-Za-z_][A-Za-z0-9_]*|" + strings.Join(allowed, "|") + ")$"}
	s["additionalProperties"] = object{"type": "string", "description": "a template for the variable"}
}

func word(f field) object {
	if len(f.one) == 0 {
		return object{"type": "string"}
	}
	return object{"enum": f.one}
}

func list(of object) object { return object{"type": "array", "items": of} }
