package infer

import (
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

func (d *drafter) project(name string) {
	t := d.table("[project]")
	names := each(d.clues["project.name"], anything)
	switch {
	case plain(name) != "":
		t.put("name", false, item{value: plain(name)})
	case len(names) > 0 && names[0].value != "":
		names[0].maybe, names[0].note = false, "" // a name is needed; this one can be wrong without harm
		t.put("name", false, names[0])
	default:
		t.put("name", false, item{value: "unnamed"})
	}
	t.orHint("build", true, each(d.clues["project.build"], wordOf("project.build")), `["cmake"]`, "its build systems, of: "+strings.Join(contract.WordsOf("project.build"), " "))
	t.put("builders", true, d.builders()...)
}

// builders: a crate with a range says more than the crate alone.
func (d *drafter) builders() []item {
	all := each(d.clues["project.builders"], func(s string) error { _, _, err := contract.ParseBuilder(s); return err })
	return slices.DeleteFunc(all, func(i item) bool {
		return !strings.Contains(i.value, " ") && slices.ContainsFunc(all, func(o item) bool { return strings.HasPrefix(o.value, i.value+" ") })
	})
}

func (d *drafter) toolkit() {
	t := d.table("[toolkit]")
	for _, band := range []struct{ name, example, what string }{
		{"min", `"12.0"`, "the oldest CUDA release that builds it"}, {"recommended", `"12.4"`, "the release to use"},
		{"max-verified", `"13.0"`, "the newest release it was verified with"},
	} {
		items := best(d.clues["toolkit."+band.name], release, byVersion)
		if band.name == "recommended" { // no release is recommended more for being newer
			items = agreed(each(d.clues["toolkit.recommended"], release))
		}
		for _, it := range items[:max(0, len(items)-1)] {
			t.put(band.name, false, it)
		}
		t.orHint(band.name, false, items[max(0, len(items)-1):], band.example, band.what)
	}
	t.put("exclude", true, each(d.clues["toolkit.exclude"], span)...)
	t.orHint("components", true, each(d.clues["toolkit.components"], wordOf("toolkit.components")), `["nvcc", "cudart"]`, "the parts of the toolkit that the build needs")
	t.inOrder("min", "recommended", "max-verified")
}

// inOrder: a later bound that is below an earlier one cannot hold beside it.
func (t *table) inOrder(names ...string) {
	var low *entry
	for _, name := range names {
		i := slices.IndexFunc(t.entries, func(e *entry) bool { return e.name == name })
		if i < 0 || !t.entries[i].active() {
			continue
		}
		e := t.entries[i]
		if low != nil && byVersion(e.items[0].value, low.items[0].value) < 0 {
			e.demote("older than " + low.name + ", which " + low.items[0].from + " sets")
			continue
		}
		low = e
	}
}

// driver has no clue in any file. Where the oldest toolkit is known, the table knows the driver it needs.
func (d *drafter) driver() {
	t := d.table("[driver]")
	low := d.value("toolkit", "min")
	for _, os := range []struct{ name, example, what string }{
		{"linux", `"525.60.13"`, "the oldest driver on Linux"}, {"windows", `"528.33"`, "the oldest driver on Windows"},
	} {
		t.orHint(os.name, false, floor(low, os.name), os.example, os.what)
	}
	t.orHint("ptx-jit", false, nil, `"required"`, "whether the program lets the driver compile PTX: required or not-used")
}

// floor is the driver that the oldest toolkit asks for, as a maybe.
func floor(low, os string) []item {
	v, err := version.Parse(low)
	if err != nil {
		return nil
	}
	driver, _ := compat.DriverFloor(v, os)
	if driver.IsZero() {
		return nil
	}
	return []item{{value: driver.String(), maybe: true, note: "the oldest driver that runs programs of CUDA " + low + ", by cupel's table"}}
}

// value is what the draft says for a key, "" when it says nothing for certain.
func (d *drafter) value(path, name string) string {
	for _, t := range d.tables {
		for _, e := range t.entries {
			if t.path == path && e.name == name && e.active() {
				return e.items[0].value
			}
		}
	}
	return ""
}

// host: the standard is the same on every platform, but the contract asks for it per platform; Windows gets a table
// only where something speaks of Windows.
func (d *drafter) host() {
	std := best(d.clues["host.std"], wordOf("host.linux.std"), inOrder(contract.WordsOf("host.linux.std")...))
	linux := d.table("[host.linux]")
	linux.orHint("gcc", false, best(d.clues["host.linux.gcc"], span, byLow), `">=9, <14"`, "the gcc versions that work")
	linux.put("clang", false, best(d.clues["host.linux.clang"], span, byLow)...)
	linux.orHint("std", false, std, `"c++17"`, "the C++ standard of the CUDA sources")
	linux.put("unsupported-compiler", false, best(d.clues["host.linux.unsupported-compiler"], wordOf("host.linux.unsupported-compiler"), firstWins)...)
	msvc := best(d.clues["host.windows.msvc"], span, byLow)
	allow := best(d.clues["host.windows.unsupported-compiler"], wordOf("host.windows.unsupported-compiler"), firstWins)
	windows := d.table("[host.windows]")
	windows.orHint("msvc", false, msvc, `">=19.30"`, "the cl.exe versions that work")
	if len(msvc)+len(allow) > 0 {
		windows.put("std", false, std...)
	}
	windows.put("unsupported-compiler", false, allow...)
}

// components are libraries and tools beside the toolkit.
func (d *drafter) components() {
	for _, name := range contract.ComponentNames {
		key := "components." + name
		clues := d.clues[key]
		only := each(d.clues[key+".only-for"], anything)
		toolchain := best(d.clues[key+".toolchain"], plainWord, firstWins)
		if len(clues)+len(only)+len(toolchain) == 0 {
			continue
		}
		t := d.table("[" + key + "]")
		bare := slices.DeleteFunc(slices.Clone(clues), func(c fact.Clue) bool { return c.Value != "any" })
		ranges := slices.DeleteFunc(slices.Clone(clues), func(c fact.Clue) bool { return c.Value == "any" })
		if all := each(bare, anything); len(all) > 0 && !all[0].maybe {
			t.from = all[0].from
		} else if len(all) > 0 && len(ranges)+len(only)+len(toolchain) == 0 {
			t.maybe, t.why = true, all[0].from+": "+all[0].note
		}
		t.put("version", false, best(ranges, span, byLow)...)
		if name == "torch" && t.active() {
			t.put("install", false, t.pip())
		}
		if name == "rust" {
			t.put("toolchain", false, toolchain...)
		}
		t.put("only-for", true, only...)
	}
}

// plainBounds are ranges that pip reads as the contract does.
var plainBounds = pattern.New(`^(>=|<=|<|>)[0-9.]+(, *(>=|<=|<|>)[0-9.]+)*$`)

// pip is how the project's own build gets torch: by its name on PyPI, in the range that is asked for.
func (t *table) pip() item {
	what := "torch"
	for _, e := range t.entries {
		if e.name == "version" && e.active() && plainBounds.MatchString(e.items[0].value) {
			what = `"torch` + strings.ReplaceAll(e.items[0].value, " ", "") + `"`
		}
	}
	return item{value: "python3 -m pip install " + what, note: "its name on PyPI"}
}

var wordForm = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

func plainWord(s string) error {
	if wordForm.MatchString(s) {
		return nil
	}
	return errNotPlain
}
