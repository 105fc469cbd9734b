package contract

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// plainForm is what a folder, a report and a command line can all hold.
const plainForm = `^[A-Za-z0-9_]([A-Za-z0-9_.+-]*[A-Za-z0-9_+])?$`

var plainName = pattern.New(plainForm)

// IsName: what a kernel, a config or a gate may be called.
func IsName(text string) bool { return plainName.MatchString(text) && len(text) <= 100 }

// Slug makes a name fit to be part of a check's id: small letters, digits and dashes. The names of one table have
// different ones.
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// named is a name and the key at which it stands.
type named struct{ name, key string }

// checkNames wants names that can be told apart and typed. Upper and lower case are the same: names become folders,
// and parts of ids.
func (d *decoder) checkNames(c *Contract) {
	lists := []struct {
		what string
		list []named
	}{
		{"kernels", namesIn(c.Kernels, "kernels", "name", func(k Kernel) string { return k.Name })},
		{"config", namesIn(c.Configs, "config", "name", func(k Config) string { return k.Name })},
		{"gate", namesIn(c.Gates, "gate", "id", func(k Gate) string { return k.ID })},
		{"smoke", namesIn(c.Smoke, "smoke", "name", func(k Smoke) string { return k.Name })},
	}
	for _, l := range lists {
		for _, n := range l.list {
			d.formOf(n)
		}
		d.distinct(l.what, l.list, onValue)
	}
	d.checkLinkNames(c)
	for _, name := range slices.Sorted(maps.Keys(c.Verify)) {
		d.nameForm(join("verify", name), name, onKey)
	}
	pins := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Pins)) {
		pins[name] = join("pins", name)
		d.nameForm(pins[name], name, onKey)
	}
	d.distinct("pins", d.inFile(pins), onKey)
	for _, on := range slices.Sorted(maps.Keys(c.Scope)) {
		list := join("scope", on) + ".off"
		d.distinct(list, namesIn(c.Scope[on].Off, list, "", func(o Off) string { return o.Item }), onValue)
	}
}

// namesIn are the names of a list of tables; without a key of its own a name is the item itself.
func namesIn[T any](all []T, list, key string, name func(T) string) []named {
	var out []named
	for i, x := range all {
		out = append(out, named{name(x), strings.TrimSuffix(item(list, i)+"."+key, ".")})
	}
	return out
}

// inFile puts names in the order of the file, so that the later of two is told.
func (d *decoder) inFile(keys map[string]string) []named {
	var out []named
	for name, key := range keys {
		out = append(out, named{name, key})
	}
	slices.SortFunc(out, func(a, b named) int {
		return cmp.Or(cmp.Compare(d.src.places[a.key].key, d.src.places[b.key].key), cmp.Compare(a.name, b.name))
	})
	return out
}

// formOf looks at a name that stands in a value.
func (d *decoder) formOf(n named) {
	switch {
	case d.full():
	case n.name == "":
		d.empty(n.key)
	default:
		d.nameForm(n.key, n.name, onValue)
	}
}

// distinct wants names whose slugs differ: they are parts of the ids of checks.
func (d *decoder) distinct(what string, list []named, where spot) {
	seen := map[string]named{}
	for _, n := range list {
		first, ok := seen[Slug(n.name)]
		switch {
		case d.full():
			return
		case n.name == "":
		case ok:
			d.at(n.key, d.sameName(what, first, n), where)
		default:
			seen[Slug(n.name)] = n
		}
	}
}

func (d *decoder) sameName(what string, first, second named) problem {
	p := problem{id: "contract-duplicate-name", what: fmt.Sprintf("%s %q is given twice", what, second.name),
		why: fmt.Sprintf("the first one is at %s", d.src.posOf(first.key)), next: note("give each its own name")}
	if first.name != second.name {
		p.what = fmt.Sprintf("%s %q and %q are too much alike", what, first.name, second.name)
		p.why += fmt.Sprintf("; ids of checks have small letters, digits and -, and both become %q", Slug(second.name))
	}
	return p
}

// empty tells of a value that must hold something; one that is missing or wrong was told before.
func (d *decoder) empty(key string) {
	p, given := d.src.places[key]
	told := slices.ContainsFunc(d.problems, func(q problem) bool { return q.from == p.val })
	if given && !told {
		d.at(key, problem{id: "contract-bad-value", what: key + " is empty", why: "it must say something", next: note("write a value between the quotes")})
	}
}

func (d *decoder) nameForm(key, name string, where spot) {
	if !IsName(name) {
		d.at(key, problem{id: "contract-bad-name", what: fmt.Sprintf("%q cannot be a name", name),
			why: "names become folders and words of a command line: letters, digits, and _ . + - between them", next: note("write a name such as cuda-12 or no_gpu")}, where)
	}
}
