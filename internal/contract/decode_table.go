package contract

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// structure decodes a table, or the plain value that may stand for it.
func (d *decoder) structure(dst reflect.Value, raw any, key string, f field) {
	if table, ok := raw.(map[string]any); ok {
		d.table(dst, table, key)
		return
	}
	short, ok := shortOf(dst.Type())
	if _, list := raw.([]any); !ok || list {
		d.wrongType(raw, key, f)
		return
	}
	short.typ = dst.Type() // a wrong type is told of the whole key, and so is its meaning
	short.doc = f.doc
	d.value(dst.FieldByIndex(short.index), raw, key, short)
}

// table decodes the keys of a table in the order of their names, so that problems come out alike every time.
func (d *decoder) table(dst reflect.Value, raw map[string]any, key string) {
	fields, open := fieldsOf(dst.Type())
	env := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if d.full() {
			return
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		switch {
		case i >= 0:
			d.value(dst.FieldByIndex(fields[i].index), raw[name], join(key, name), fields[i])
		case open:
			env[name] = raw[name]
		default:
			d.unknownKey(key, name, fields, raw)
		}
	}
	if open {
		d.envTable(dst.FieldByName("EnvTable").Addr().Interface().(*EnvTable), env, key, names(fields))
	}
	for _, f := range fields {
		if _, given := raw[f.name]; f.need && !given && key != "" {
			d.missing(key, f)
		}
	}
}

// mapping decodes a table whose names are the project's own.
func (d *decoder) mapping(dst reflect.Value, raw any, key string, f field) {
	table, ok := raw.(map[string]any)
	if !ok {
		d.wrongType(raw, key, f)
		return
	}
	dst.Set(reflect.MakeMap(dst.Type()))
	f.typ = dst.Type().Elem()
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if d.full() {
			return
		}
		if len(f.keys) > 0 && !slices.Contains(f.keys, name) {
			d.badName(join(key, name), name, f.keys)
			continue
		}
		v := reflect.New(f.typ).Elem()
		d.value(v, table[name], join(key, name), f)
		dst.SetMapIndex(reflect.ValueOf(name), v)
	}
}

func (d *decoder) missing(key string, f field) {
	p := problem{id: "contract-missing-key", what: fmt.Sprintf("%s has no %s", key, f.name), why: fmt.Sprintf("%s must be there: %s", f.name, f.doc),
		next: note("add %s = %s", f.name, exampleOf(f.typ))}
	if len(f.one) > 0 {
		p.next = note("add %s = %q, or one of %s", f.name, f.one[0], strings.Join(f.one[1:], ", "))
	}
	d.at(key, p, onKey)
}

func (d *decoder) badName(key, name string, known []string) {
	d.at(key, problem{id: "contract-bad-name", what: fmt.Sprintf("%q is not a name for %s", name, parent(key)),
		why: fmt.Sprintf("it takes %s", orList(known)), next: d.instead(key, name, known, false)}, onKey)
}

// unknownKey helps with the nearest name, the table the key belongs to, or the names there are.
func (d *decoder) unknownKey(table, name string, fields []field, given map[string]any) {
	key := join(table, name)
	p := problem{id: "contract-unknown-key", what: fmt.Sprintf("there is no key %s", key), why: fmt.Sprintf("%s has %s", tableName(table), strings.Join(names(fields), ", "))}
	others := tablesWith(name)
	if len(others) > 3 {
		others = nil // a name of many tables tells nothing
	}
	free := slices.DeleteFunc(names(fields), func(n string) bool { _, there := given[n]; return there })
	near, ok := nearest(name, free)
	switch {
	case ok:
		p.why = fmt.Sprintf("did you mean %s?", near)
		p.next = d.instead(key, name, []string{near}, false)
	case len(others) > 0:
		p.why = fmt.Sprintf("%s belongs to %s", name, orList(others))
		p.next = note("move it to %s", orList(others))
	default:
		p.next = note("remove it, or see docs/formats/contract.md for the keys of %s", tableName(table))
	}
	d.at(key, p, onKey)
}

func tableName(table string) string {
	if table == "" {
		return "the top of the file"
	}
	return "[" + table + "]"
}
