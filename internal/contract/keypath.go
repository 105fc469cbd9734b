package contract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// step is one part of a key path: a name, or the number of an item.
type step struct {
	name  string
	index int // -1: a name
}

// split takes a key path apart: arch.targets[2] → arch, targets, 2.
func split(key string) []step {
	var out []step
	for key != "" {
		up := parent(key)
		last := strings.TrimPrefix(key[len(up):], ".")
		switch {
		case strings.HasPrefix(last, "["):
			n, _ := strconv.Atoi(last[1 : len(last)-1])
			out = append(out, step{index: n})
		case strings.HasPrefix(last, `"`):
			name, _ := strconv.Unquote(last)
			out = append(out, step{name: name, index: -1})
		default:
			out = append(out, step{name: last, index: -1})
		}
		key = up
	}
	slices.Reverse(out)
	return out
}

func comparePaths(a, b []step) int {
	return slices.CompareFunc(a, b, func(x, y step) int {
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.index, y.index))
	})
}

// remove takes a value out of tables and lists; what is not there is left alone.
func remove(v any, path []step) any {
	switch v := v.(type) {
	case map[string]any:
		if sub, ok := v[path[0].name]; ok && path[0].index < 0 {
			if len(path) == 1 {
				delete(v, path[0].name)
			} else {
				v[path[0].name] = remove(sub, path[1:])
			}
		}
	case []any:
		if i := path[0].index; i >= 0 && i < len(v) {
			if len(path) == 1 {
				return slices.Delete(v, i, i+1)
			}
			v[i] = remove(v[i], path[1:])
		}
	}
	return v
}

// less are the places without a key and all below it; later items of its list move up by one.
func (s *source) less(key string) (map[string]place, []string) {
	places, order := map[string]place{}, []string{}
	for _, old := range s.order {
		if now, keep := moved(old, key); keep {
			places[now] = s.places[old]
			order = append(order, now)
		}
	}
	return places, order
}

func moved(old, gone string) (now string, keep bool) {
	rest, below := strings.CutPrefix(old, gone)
	if below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
		return "", false
	}
	list := parent(gone)
	tail, inList := strings.CutPrefix(old, list+"[")
	if !strings.HasSuffix(gone, "]") || !inList {
		return old, true
	}
	digits, after, _ := strings.Cut(tail, "]")
	i, _ := strconv.Atoi(digits)
	if n := split(gone); i > n[len(n)-1].index {
		return item(list, i-1) + after, true
	}
	return old, true
}
