package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// variable is what every shell can set.
var variable = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// envTable decodes the two kinds of keys: toolkit.root = ["CUDA_HOME"], which TOML reads as a table in a table when
// it has no quotes, and CUDA_VERSION = "{toolkit.short}". also are the keys that stand in the same table.
func (d *decoder) envTable(dst *EnvTable, raw any, key string, also []string) {
	table, ok := raw.(map[string]any)
	if !ok {
		d.wrongType(raw, key, field{doc: "variables", typ: typeEnvTable})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if d.full() {
			return
		}
		d.envKey(dst, table[name], join(key, name), name, also)
	}
}

func (d *decoder) envKey(dst *EnvTable, raw any, key, name string, also []string) {
	switch v := raw.(type) {
	case map[string]any:
		for _, sub := range slices.Sorted(maps.Keys(v)) {
			if d.full() {
				return
			}
			d.envNames(dst, v[sub], join(key, sub), name+"."+sub, also)
		}
	case string:
		if _, known := Values[name]; known {
			d.envNames(dst, raw, key, name, also)
			return
		}
		d.envVar(dst, v, key, name, also)
	default:
		d.envNames(dst, raw, key, name, also)
	}
}

// envVar is a variable with a template.
func (d *decoder) envVar(dst *EnvTable, text, key, name string, also []string) {
	if !variable.MatchString(name) {
		d.badValueName(key, name, also)
		return
	}
	if dst.Vars == nil {
		dst.Vars = map[string]string{}
	}
	dst.Vars[name] = text
	d.oneLine(text, key)
	d.template(text, key)
}

// envNames is a value with the variables that must hold it.
func (d *decoder) envNames(dst *EnvTable, raw any, key, value string, also []string) {
	if _, known := Values[value]; !known {
		d.badValueName(key, value, also)
		return
	}
	list, ok := wordsOf(raw)
	if !ok {
		d.wrongType(raw, key, field{doc: "names of variables", typ: typeWords})
		return
	}
	for i, name := range list {
		if !d.full() && !variable.MatchString(name) {
			d.at(item(key, i), problem{id: "contract-bad-name", what: fmt.Sprintf("%q is not the name of a variable", name),
				why: "a variable has letters, digits and _, and no digit first", next: note("write names such as CUDA_HOME")})
		}
	}
	if dst.Names == nil {
		dst.Names = map[string][]string{}
	}
	dst.Names[value] = append(dst.Names[value], list...)
}

func (d *decoder) badValueName(key, name string, also []string) {
	known := slices.Concat(slices.Sorted(maps.Keys(Values)), also)
	p := problem{id: "contract-bad-name", what: fmt.Sprintf("%q is neither a value nor a variable with a template", name),
		why: "values are " + strings.Join(slices.Sorted(maps.Keys(Values)), ", "), next: note(`write toolkit.root = ["CUDA_HOME"] or CUDA_HOME = "{toolkit.root}"`)}
	if near, ok := nearest(name, known); ok {
		p.why = fmt.Sprintf("did you mean %s?", near)
		p.next = note("write %s", near)
	}
	d.at(key, p, onKey)
}

func wordsOf(raw any) ([]string, bool) {
	switch v := raw.(type) {
	case string:
		return []string{v}, true
	case []any:
		var list []string
		for _, it := range v {
			s, ok := it.(string)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}
