package contract

import (
	"reflect"
	"slices"
	"strings"
)

// Line is one demand of the contract: the smallest thing that can be taken out of it.
type Line struct {
	Key  string
	Pos  Pos
	Text string // as it stands in the file, on one line
}

// Lines lists every demand that can conflict with a machine or with another demand, in the order of the file. The
// tag `demand` marks them: yes for a key, each for every item or entry of it.
func (c *Contract) Lines() []Line {
	if c.src == nil {
		return nil
	}
	asked := map[string]bool{}
	demands(reflect.ValueOf(c).Elem(), "", asked)
	var out []Line
	for _, key := range c.src.order {
		if asked[key] {
			out = append(out, Line{Key: key, Pos: c.At(key), Text: c.src.text(key)})
		}
	}
	return out
}

// demands collects the keys that are marked and given.
func demands(v reflect.Value, key string, out map[string]bool) {
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		demands(v.Elem(), key, out)
	case v.Kind() == reflect.Map:
		for it := v.MapRange(); it.Next(); {
			demands(it.Value(), join(key, it.Key().String()), out)
		}
	case v.Kind() == reflect.Struct && v.Type() != typeEnvTable && !isText(v.Type()):
		fields, _ := fieldsOf(v.Type())
		for _, f := range fields {
			demand(v.FieldByIndex(f.index), join(key, f.name), f.ask, out)
		}
	}
}

func demand(v reflect.Value, key, ask string, out map[string]bool) {
	out[key] = out[key] || ask == "yes"
	if ask == "each" && v.Kind() == reflect.Slice {
		for i := range v.Len() {
			out[item(key, i)] = true
		}
	}
	if ask == "each" && v.Kind() == reflect.Map {
		for it := v.MapRange(); it.Next(); {
			out[join(key, it.Key().String())] = true
		}
	}
	demands(v, key, out)
}

// text is the key and its value as they stand in the file.
func (s *source) text(key string) string {
	p := s.places[key]
	if p.header || p.implied {
		start, end := s.line(p.key)
		return clip(string(s.data[start:end]) + " " + s.first(key))
	}
	text := string(s.data[p.key:p.valEnd])
	if strings.HasSuffix(key, "]") {
		text = lastPart(key) + ": " + text
	}
	return clip(text)
}

// first is the first key of a [[table]]: its header alone does not tell which one it is.
func (s *source) first(key string) string {
	i := slices.Index(s.order, key) + 1
	if !strings.HasSuffix(key, "]") || i >= len(s.order) || parent(s.order[i]) != key {
		return ""
	}
	p := s.places[s.order[i]]
	return string(s.data[p.key:p.valEnd])
}

// clip puts a value of several lines on one, and keeps that short.
func clip(text string) string {
	r := []rune(clean([]byte(strings.Join(strings.Fields(text), " "))))
	if len(r) > window {
		r = append(r[:window-1], '…')
	}
	return string(r)
}

// Without is a copy in which the keys, as Lines names them, are not given. The result may lack keys a contract must
// have: it serves questions, not builds.
func (c *Contract) Without(keys ...string) *Contract {
	src := source{file: c.File}
	if c.src != nil {
		src = *c.src
	}
	raw := copied(c.raw).(map[string]any)
	for _, key := range byDepth(keys) {
		remove(raw, split(key))
		src.places, src.order = src.less(key)
	}
	out := &Contract{File: c.File, Sum: c.Sum, src: &src, raw: raw}
	(&decoder{src: &src}).contract(out, raw)
	return out
}

// byDepth puts later items of a list first: taking one out moves those behind it.
func byDepth(keys []string) []string {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b string) int { return comparePaths(split(b), split(a)) })
	return slices.Compact(keys)
}

func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = copied(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = copied(x)
		}
		return out
	}
	return v
}
