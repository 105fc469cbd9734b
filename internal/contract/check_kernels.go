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
	for i, k := range c.Kernels {
		if d.full() {
			return
		}
		if k.LinkName != "" {
			d.nameForm(linkKey(c, i), k.LinkName, onValue)
		}
		first := slices.IndexFunc(c.Kernels[:i], func(other Kernel) bool { return sameLibrary(other, k) })
		if first >= 0 {
			d.at(linkKey(c, i), problem{id: "contract-duplicate-name", what: fmt.Sprintf("kernels %q and %q make libraries of one name, %q", c.Kernels[first].Name, k.Name, k.library()),
				why:  fmt.Sprintf("the first name is at %s; a program that links both gets one of them", d.src.posOf(linkKey(c, first))),
				next: note("give one of them a link-name of its own")})
		}
	}
}

// linkKey is where the name of a kernel's library stands.
func linkKey(c *Contract, i int) string {
	if c.Kernels[i].LinkName != "" {
		return item("kernels", i) + ".link-name"
	}
	return item("kernels", i) + ".name"
}

func (k Kernel) library() string { return cmp.Or(k.LinkName, k.Name) }

// sameLibrary: both make a library of that name, somewhere. Kernels of one name are told as such.
func sameLibrary(a, b Kernel) bool {
	return a.makesLibrary() && b.makesLibrary() && strings.EqualFold(a.library(), b.library()) && Slug(a.Name) != Slug(b.Name) && builtTogether(a, b)
}

func (k Kernel) makesLibrary() bool {
	return slices.Contains(k.Kinds, "static") || slices.Contains(k.Kinds, "shared")
}

// builtTogether: some platform excludes neither. CI only excludes more.
func builtTogether(a, b Kernel) bool {
	return slices.ContainsFunc([]string{"linux", "windows", "wsl2", "jetson"}, func(name string) bool {
		p := Platform{Name: name}
		return !p.Is(a.ExcludeOn) && !p.Is(b.ExcludeOn)
	})
}
