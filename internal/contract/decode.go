package contract

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// decoder turns values of TOML into the types, and goes on after a problem, so that a person sees all of them.
type decoder struct {
	src      *source
	problems []problem
}

func (d *decoder) contract(c *Contract, raw map[string]any) {
	d.table(reflect.ValueOf(c).Elem(), raw, "")
	for i := range c.Configs {
		c.Configs[i].Needs.settle("toolkit")
		c.Configs[i].key = item("config", i)
	}
	for i := range c.Smoke {
		c.Smoke[i].Needs.settle("")
	}
}

// settle fills in what { gpu = "8.0" } and silence mean.
func (n *Needs) settle(silence string) {
	switch {
	case n.What == "" && n.GPU != nil:
		n.What = "gpu"
	case n.What == "":
		n.What = silence
	}
}

// value decodes one value of any type.
func (d *decoder) value(dst reflect.Value, raw any, key string, f field) {
	switch t := dst.Type(); {
	case t.Kind() == reflect.Pointer:
		dst.Set(reflect.New(t.Elem()))
		d.value(dst.Elem(), raw, key, f)
	case t == typeWords:
		d.words(dst, raw, key, f)
	case t == typeCommand:
		d.command(dst, raw, key, f)
	case t == typeEnvTable:
		d.envTable(dst.Addr().Interface().(*EnvTable), raw, key, nil)
	case isText(t):
		d.text(dst, raw, key, f)
	case t.Kind() == reflect.Struct:
		d.structure(dst, raw, key, f)
	case t.Kind() == reflect.Slice:
		d.list(dst, raw, key, f)
	case t.Kind() == reflect.Map:
		d.mapping(dst, raw, key, f)
	default:
		d.scalar(dst, raw, key, f)
	}
}

// text decodes a string that has a form: a release, a range, a path.
func (d *decoder) text(dst reflect.Value, raw any, key string, f field) {
	s, ok := raw.(string)
	if !ok {
		d.wrongType(raw, key, f)
		return
	}
	err := dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	if err == nil {
		return
	}
	p := problem{id: "contract-bad-value", what: err.Error(), next: note("write %s", exampleOf(dst.Type()))}
	if told := (*problem)(nil); errors.As(err, &told) {
		p = *told
	}
	if p.why == "" {
		p.why = about(key, f)
	}
	d.at(key, p)
}

// scalar decodes what has no form of its own.
func (d *decoder) scalar(dst reflect.Value, raw any, key string, f field) {
	switch v := raw.(type) {
	case string:
		if dst.Kind() == reflect.String {
			dst.SetString(v)
			d.word(v, key, f)
			return
		}
	case bool:
		if dst.Kind() == reflect.Bool {
			dst.SetBool(v)
			return
		}
	case int64:
		if dst.Kind() == reflect.Int {
			d.number(dst, v, key, f)
			return
		}
	}
	d.wrongType(raw, key, f)
}

// largest is far above every number of a contract, and fits everywhere.
const largest = 1 << 30

// number refuses negative numbers: all of a contract count something.
func (d *decoder) number(dst reflect.Value, v int64, key string, f field) {
	if v < 0 || v > largest {
		d.at(key, problem{id: "contract-bad-value", what: fmt.Sprintf("%s is %d", key, v), why: about(key, f), next: note("write a number from 0 to %d", largest)})
		return
	}
	dst.SetInt(v)
}

// word compares with the words that are allowed.
func (d *decoder) word(v, key string, f field) {
	if len(f.one) == 0 || slices.Contains(f.one, v) {
		return
	}
	d.at(key, problem{id: "contract-wrong-word", what: fmt.Sprintf("%q is not a word for %s", v, key),
		why: fmt.Sprintf("it takes %s", orList(f.one)), next: d.instead(key, v, f.one, true)})
}

// list decodes item by item.
func (d *decoder) list(dst reflect.Value, raw any, key string, f field) {
	items, ok := raw.([]any)
	if !ok {
		d.wrongType(raw, key, f)
		return
	}
	if f.need && len(items) == 0 {
		d.at(key, problem{id: "contract-bad-value", what: key + " is empty", why: about(key, f), next: note("write %s = %s", lastPart(key), exampleOf(dst.Type()))})
	}
	dst.Set(reflect.MakeSlice(dst.Type(), len(items), len(items)))
	f.typ = dst.Type().Elem()
	for i, it := range items {
		if d.full() {
			return
		}
		d.value(dst.Index(i), it, item(key, i), f)
	}
}

// words takes one word for a list of one.
func (d *decoder) words(dst reflect.Value, raw any, key string, f field) {
	if s, ok := raw.(string); ok {
		dst.Set(reflect.ValueOf(Words{s}))
		d.word(s, key, f)
		return
	}
	d.list(dst, raw, key, f)
}

// command takes a line for the shell or a list of words.
func (d *decoder) command(dst reflect.Value, raw any, key string, f field) {
	c := dst.Addr().Interface().(*Command)
	if s, ok := raw.(string); ok {
		c.Line = s
	} else {
		d.list(reflect.ValueOf(&c.Argv).Elem(), raw, key, f)
	}
	if strings.TrimSpace(c.Text()) == "" && (c.Line != "" || raw == "" || len(c.Argv) > 0) {
		d.at(key, problem{id: "contract-bad-value", what: fmt.Sprintf("%s is empty", key), why: "there is nothing to run", next: note("write a command, or leave the key out")})
	}
}
