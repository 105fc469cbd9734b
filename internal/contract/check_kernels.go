package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// defineForm: a macro may have parameters.
var defineForm = pattern.New(`^[\pL_][\pL\pN_]*(\([^()]*\))?(=|$)`)

// IsDefine: what a compiler can be told behind -D.
func IsDefine(text string) bool { return defineForm.MatchString(text) }

func (d *decoder) checkDefines(c *Contract) {
	for i, k := range c.Kernels {
		key := item("kernels", i)
		d.defines(key+".defines", k.Defines)
		for j, f := range k.PerFile {
			d.defines(item(key+".per-file", j)+".defines", f.Defines)
		}
	}
}

func (d *decoder) defines(key string, list []string) {
	for i, text := range list {
		if !IsDefine(text) && !d.full() {
			d.at(item(key, i), problem{id: "contract-bad-value", what: fmt.Sprintf("%q is not a definition", text),
				why: "a compiler takes NAME or NAME=VALUE; a name has letters, digits and _", next: note(`write "TILE=32", without -D`)})
		}
	}
}

// checkLinkNames wants libraries that a linker can tell apart by their names, on each platform.
func (d *decoder) checkLinkNames(c *Contract) {
	seen := map[string][]int{}
	for i, k := range c.Kernels {
		if d.full() {
			return
		}
		if k.LinkName != "" {
			d.nameForm(linkKey(c, i), k.LinkName, onValue)
		}
		if !k.makesLibrary() {
			continue
		}
		name := strings.ToLower(cmp.Or(k.LinkName, k.Name)) // files of Windows have no case
		for _, first := range seen[name] {
			if besides(c.Kernels[first], k) {
				d.at(linkKey(c, i), d.sameLibrary(c, first, i))
				break
			}
		}
		seen[name] = append(seen[name], i)
	}
}

func (d *decoder) sameLibrary(c *Contract, first, second int) problem {
	a, b := c.Kernels[first], c.Kernels[second]
	return problem{id: "contract-duplicate-name", what: fmt.Sprintf("kernels %q and %q make libraries of one name, %q", a.Name, b.Name, cmp.Or(b.LinkName, b.Name)),
		why:  fmt.Sprintf("the first name is at %s; a program that links both gets one of them", d.src.posOf(linkKey(c, first))),
		next: note("give one of them a link-name of its own")}
}

// linkKey is where the name of a kernel's library stands.
func linkKey(c *Contract, i int) string {
	if c.Kernels[i].LinkName != "" {
		return item("kernels", i) + ".link-name"
	}
	return item("kernels", i) + ".name"
}

func (k Kernel) makesLibrary() bool {
	return slices.Contains(k.Kinds, "static") || slices.Contains(k.Kinds, "shared")
}

// besides: some platform builds both, as CI only excludes more. Kernels of one name are told as such.
func besides(a, b Kernel) bool {
	return Slug(a.Name) != Slug(b.Name) && slices.ContainsFunc([]string{"linux", "windows", "wsl2", "jetson"}, func(name string) bool {
		p := Platform{Name: name}
		return !p.Is(a.ExcludeOn) && !p.Is(b.ExcludeOn)
	})
}
