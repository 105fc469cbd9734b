package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/version"
)

const noProject = "the project's files were not read"

func (j *judge) pins() []string { return slices.Sorted(maps.Keys(j.Contract.Pins)) }

// pinCheck: without a value of its own a pin holds when its files agree.
func pinCheck(j *judge, name string, c *Check) {
	pin := j.Contract.Pins[name]
	c.Key, c.Expected = contract.Key("pins", name), cmp.Or(pin.Value, "one value everywhere")
	var all, missing []fact.PinValue
	for _, v := range j.Project.Pins {
		switch {
		case v.Pin != name:
		case v.Why != "":
			missing = append(missing, v)
		default:
			all = append(all, v)
		}
	}
	if len(all)+len(missing) == 0 {
		c.skip(noProject)
		return
	}
	values := pinValues(all)
	c.Found = strings.Join(values, ", ")
	for _, v := range append(slices.Clone(all), missing...) {
		c.evidence(pinPlace(v), cmp.Or(v.Value, v.Why))
	}
	wrong := len(values) > 1 || pin.Value != "" && len(values) == 1 && values[0] != pin.Value
	severity := cmp.Or(pin.Severity, "error")
	switch {
	case len(missing) > 0:
		c.bad(severity, fmt.Sprintf("the value of %s could not be read in %s", name, missing[0].File), contract.Because(missing[0].Why, pin.Reason), advice("correct the file or its pattern in "+j.at(c.Key)))
	case wrong:
		c.bad(severity, fmt.Sprintf("%s differs: %s", name, pinPlaces(all)), contract.Because("the contract says that these must agree", pin.Reason), advice("write the same value everywhere: "+cmp.Or(pin.Value, values[0])))
	}
}

// pinValues are the different values, that of the first file first.
func pinValues(all []fact.PinValue) []string {
	var out []string
	for _, v := range all {
		if !slices.Contains(out, v.Value) {
			out = append(out, v.Value)
		}
	}
	return out
}

func pinPlace(v fact.PinValue) string {
	if v.Line == 0 {
		return v.File
	}
	return fmt.Sprintf("%s:%d", v.File, v.Line)
}

func pinPlaces(all []fact.PinValue) string {
	var words []string
	for _, v := range all {
		words = append(words, fmt.Sprintf("%s says %s", pinPlace(v), v.Value))
	}
	return strings.Join(words, ", ")
}

// buildersCheck: every CUDA builder crate that is locked must be one the contract allows.
func buildersCheck(j *judge, _ string, c *Check) {
	c.Key, c.Expected = "project.builders", strings.Join(j.Contract.Project.Builders, ", ")
	if len(j.Project.Locks)+len(j.Project.Crates) == 0 {
		c.skip("there is no Cargo.lock to look into")
		return
	}
	var have, wrong, where []string
	for _, crate := range j.Project.Crates {
		if !isBuilder(crate.Name) {
			continue
		}
		have = append(have, crate.Name+" "+crate.Version)
		if !allowed(j.Contract.Project.Builders, crate) {
			wrong = append(wrong, crate.Name+" "+crate.Version)
			where = append(where, fmt.Sprintf("%s:%d", crate.File, crate.Line))
		}
	}
	c.Found = cmp.Or(strings.Join(have, ", "), "none is locked")
	if len(wrong) > 0 {
		c.fail(strings.Join(wrong, ", ")+" is not allowed by the contract", "locked in "+strings.Join(where, ", "),
			command("cargo tree -i "+strings.Replace(wrong[0], " ", "@", 1), "who asks for it"), advice("or add it to project.builders"))
	}
}

func isBuilder(name string) bool {
	return slices.ContainsFunc(data.Builders(), func(b data.Builder) bool { return b.Name == name })
}

// allowed: a name alone allows every version.
func allowed(list []string, crate fact.Crate) bool {
	v, _ := version.Parse(crate.Version)
	return slices.ContainsFunc(list, func(entry string) bool {
		name, r, err := contract.ParseBuilder(entry)
		return err == nil && name == crate.Name && (r.IsZero() || r.Has(v))
	})
}

// kernels are those built on this platform.
func (j *judge) kernels() []string {
	var out []string
	for _, k := range j.Contract.Kernels {
		if !j.Platform.Is(k.ExcludeOn) {
			out = append(out, k.Name)
		}
	}
	return out
}

// kernelsCheck: a pattern that matches nothing is a slip of the pen, or a file that is gone.
func kernelsCheck(j *judge, name string, c *Check) {
	i := slices.IndexFunc(j.Contract.Kernels, func(k contract.Kernel) bool { return k.Name == name })
	k := j.Contract.Kernels[i]
	c.Key, c.Expected = fmt.Sprintf("kernels[%d].sources", i), few(k.Sources)
	n := slices.IndexFunc(j.Project.Kernels, func(s fact.Sources) bool { return s.Kernel == name })
	if n < 0 {
		c.skip(noProject)
		return
	}
	s := j.Project.Kernels[n]
	c.Found = plural(len(s.Files), "file")
	if len(s.Empty) == 0 && len(s.Files) > 0 {
		return
	}
	empty := cmp.Or(strings.Join(s.Empty, ", "), globs(k.Sources))
	if p := slices.Index(k.Sources, contract.Glob(firstOf(s.Empty))); p >= 0 {
		c.Where = j.at(fmt.Sprintf("%s[%d]", c.Key, p))
	}
	severity := "error"
	if k.Optional {
		severity = "warning"
	}
	c.bad(severity, fmt.Sprintf("%s matches no file", empty), fmt.Sprintf("the sources of kernel %s are looked for in the folder of the contract and below", name), advice("correct the pattern in "+cmp.Or(c.Where, j.at(c.Key))+", or take it out"))
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// few keeps a long list from widening every line of the answer.
func few(list []contract.Glob) string {
	if len(list) <= 3 {
		return globs(list)
	}
	return fmt.Sprintf("%s and %d more", globs(list[:2]), len(list)-2)
}

func globs(list []contract.Glob) string {
	var words []string
	for _, g := range list {
		words = append(words, string(g))
	}
	return strings.Join(words, ", ")
}
