package contract

import (
	"reflect"
	"slices"
	"sync"
)

// tableOf is one table of the format: where it may stand, and its keys.
type tableOf struct {
	path   string // toolkit.windows, components.NAME; empty: the top of the file
	list   bool   // [[path]]
	typ    reflect.Type
	fields []field
	open   bool // takes variables besides
}

// title is how the table is opened in a file.
func (t tableOf) title() string {
	switch {
	case t.path == "":
		return "the top of the file"
	case t.list:
		return "[[" + t.path + "]]"
	}
	return "[" + t.path + "]"
}

// tables lists every table of the format in the order of the types, each before those it holds.
var tables = sync.OnceValue(func() []tableOf {
	var all []tableOf
	walkTable(tableOf{typ: reflect.TypeFor[Contract]()}, &all)
	return all
})

func walkTable(t tableOf, all *[]tableOf) {
	t.fields, t.open = fieldsOf(t.typ)
	*all = append(*all, t)
	for _, f := range t.fields {
		path := f.name
		if t.path != "" {
			path = t.path + "." + f.name
		}
		walkBelow(path, f.typ, false, all)
	}
}

// walkBelow goes on into the tables that a key holds.
func walkBelow(path string, t reflect.Type, list bool, all *[]tableOf) {
	switch {
	case t.Kind() == reflect.Pointer:
		walkBelow(path, t.Elem(), list, all)
	case t == typeEnvTable, t == typeCommand, isText(t):
	case t.Kind() == reflect.Struct:
		walkTable(tableOf{path: path, list: list, typ: t}, all)
	case t.Kind() == reflect.Map:
		walkBelow(path+".NAME", t.Elem(), false, all)
	case t.Kind() == reflect.Slice:
		walkBelow(path, t.Elem(), true, all)
	}
}

// tablesWith lists the tables that have a key of that name.
func tablesWith(name string) []string {
	var list []string
	for _, t := range tables() {
		if slices.Contains(names(t.fields), name) {
			list = append(list, t.title())
		}
	}
	return list
}
