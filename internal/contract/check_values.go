package contract

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// ParseBuilder reads an entry of project.builders: the name of a crate and a range, which may be missing.
func ParseBuilder(text string) (crate string, r Range, err error) {
	crate, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if !plainName.MatchString(crate) {
		return "", Range{}, badForm(`write "cudaforge" or "cudaforge >=0.1.6"`, "%q is not a crate with a range", text)
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		err = r.UnmarshalText([]byte(rest))
	}
	return crate, r, err
}

func parseBuilder(text string) error {
	_, _, err := ParseBuilder(text)
	return err
}

func (d *decoder) checkProject(c *Contract) {
	for i, b := range c.Project.Builders {
		if p := (*problem)(nil); errors.As(parseBuilder(b), &p) {
			p.why = cmp.Or(p.why, "project.builders names crates, each with an optional range")
			d.at(item("project.builders", i), *p)
		}
	}
	if strings.TrimSpace(c.Project.Name) == "" {
		d.empty("project.name")
	}
	for i, cfg := range c.Configs {
		if cfg.Needs.GPU != nil && cfg.Needs.What != "gpu" {
			d.at(item("config", i)+".needs", problem{id: "contract-conflict", what: fmt.Sprintf("needs is %s and names a GPU", cfg.Needs.What),
				why: "only gpu has a capability", next: note(`write needs = { gpu = %q }`, cfg.Needs.GPU.String())})
		}
	}
	if c.MPS.ThreadPercentage > 100 {
		d.at("mps.active-thread-percentage", problem{id: "contract-bad-value", what: fmt.Sprintf("%d percent is more than a device", c.MPS.ThreadPercentage),
			why: "it is the share of each client", next: note("write a number from 1 to 100")})
	}
}

func (d *decoder) checkComponents(c *Contract) {
	for _, name := range slices.Sorted(maps.Keys(c.Components)) {
		if c.Components[name].Toolchain != "" && name != "rust" {
			d.at(join("components", name)+".toolchain", problem{id: "contract-conflict", what: fmt.Sprintf("%s has no toolchain", name), why: "only rust has toolchains",
				next: note("write version with the versions that work, or move it to [components.rust]")}, onKey)
		}
	}
}

// checkPins wants a group in every pattern: it is the value.
func (d *decoder) checkPins(c *Contract) {
	for _, name := range slices.Sorted(maps.Keys(c.Pins)) {
		for i, f := range c.Pins[name].Files {
			if f.Pattern.Regexp != nil && f.Pattern.NumSubexp() == 0 {
				d.at(item(join("pins", name)+".files", i)+".pattern", problem{id: "contract-bad-pattern", what: fmt.Sprintf("%q has no group", f.Pattern.String()),
					why: "the first group is the value that must agree", next: note("put the value in parentheses: 'version = \"([^\"]+)\"'")})
			}
		}
	}
}

// checkTemplates looks at templates outside [env], and for folders of one machine among options.
func (d *decoder) checkTemplates(c *Contract) {
	for i, dir := range c.Link.CUDA.Dirs {
		d.template(dir, item("link.cuda.dirs", i))
	}
	for i, k := range c.Kernels {
		key := item("kernels", i)
		for name, list := range map[string][]string{"flags-gcc": k.FlagsGCC, "flags-clang": k.FlagsClang, "flags-msvc": k.FlagsMSVC} {
			for j, flag := range list {
				d.option(item(key+"."+name, j), flag)
			}
		}
		d.options(key+".flags", k.Flags)
		for j, f := range k.PerFile {
			d.options(item(key+".per-file", j)+".flags", f.Flags)
		}
	}
}

func (d *decoder) option(key, flag string) {
	if found, _ := placeOfOneMachine(flag); found != "" {
		d.at(key, problem{id: "contract-machine-path", what: fmt.Sprintf("the option %q holds a folder of one machine", flag), why: "a contract holds on every machine",
			next: note("leave it out: nvcc finds its own toolkit, and includes takes folders of the project")})
	}
}

// checkSmoke wants each proof to be of one kind, and its expectation to be an expression.
func (d *decoder) checkSmoke(c *Contract) {
	for i, s := range c.Smoke {
		key := item("smoke", i)
		kinds := 0
		for _, given := range []bool{!s.Command.IsZero(), s.Level != "", s.HTTP != ""} {
			if given {
				kinds++
			}
		}
		if kinds != 1 {
			d.at(key, problem{id: "contract-conflict", what: fmt.Sprintf("%s has %d of command, level and http", key, kinds),
				why: "a proof is one of them", next: note("keep one of command, level and http")}, onKey)
		}
		var r Regexp
		if p, bad := r.UnmarshalText([]byte(s.Expect)).(*problem); bad {
			d.at(key+".expect", *p)
		}
	}
}

// axisWord is what a template of an artifact may hold besides Values: the axes.
var axisWord = pattern.New(`^[a-z][a-z0-9-]*$`)

func (d *decoder) checkMatrix(c *Contract) {
	axes := slices.Sorted(maps.Keys(c.Matrix.Axes))
	for _, a := range axes {
		if key := join("matrix.axes", a); !axisWord.MatchString(a) {
			d.at(key, problem{id: "contract-bad-name", what: fmt.Sprintf("%q cannot be an axis", a),
				why: "an axis has small letters, digits and -", next: note("write a name such as host-compiler")}, onKey)
		} else if len(c.Matrix.Axes[a]) == 0 {
			d.at(key, problem{id: "contract-empty-range", what: fmt.Sprintf("the axis %s has no values", a),
				why: "there would be nothing to build", next: note("give it values, or leave it out")})
		}
	}
	known := append(slices.Clone(axes), "reason")
	for i, row := range c.Matrix.Exclude {
		for _, name := range slices.Sorted(maps.Keys(row)) {
			if key := join(item("matrix.exclude", i), name); !slices.Contains(known, name) {
				d.badName(key, name, known)
			}
		}
	}
	d.template(c.Matrix.Artifact, "matrix.artifact", axes...)
}
