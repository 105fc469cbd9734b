package pages

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/pattern"
)

// troubles shows what the project knows itself, then the rows of the table that concern this contract.
func troubles(b *book) {
	t := sheet{head: []string{"message", "where", "cause", "what to do", "often told wrongly"}}
	for _, e := range b.c.Explain {
		cause := md(e.Cause)
		if e.Source != "" {
			cause += " (" + link(e.Source) + ")"
		}
		t.add(tick(e.Pattern.String()), "", cause, md(e.Fix), "")
	}
	for _, r := range rowsFor(b) {
		t.add(ticksEach(r.Messages), b.named(r), prose(r.Cause), prose(r.Fix), prose(r.Wrong))
	}
	if len(t.rows) > 0 {
		b.title("Troubleshooting")
		b.sheet(t)
	}
}

// rowsFor are the rows that concern the contract, without the messages that its own rows explain.
func rowsFor(b *book) []data.Trouble {
	var out []data.Trouble
	for _, r := range data.Troubles() {
		r.Messages = slices.DeleteFunc(slices.Clone(r.Messages), b.explained)
		if len(r.Messages) > 0 && b.concerns(r) {
			out = append(out, r)
		}
	}
	return out
}

// met says on which platforms a row is met: in this table WSL2 is not Linux too, because it often fails in its own way.
func met(r data.Trouble) func(platform) bool {
	return func(p platform) bool { return len(r.On) == 0 || slices.Contains(r.On, p.name) }
}

// named lists the platforms of a row; nothing where they are all of the page.
func (b *book) named(r data.Trouble) string {
	for _, g := range b.alike(func(p platform) string { return map[bool]string{true: "met"}[met(r)(p)] }) {
		if g.text == "met" && g.title != b.all() {
			return g.title
		}
	}
	return ""
}

var errorNumber = pattern.New(`\((\d+)\)$`)

// explained: a row of the contract finds the message, or names the same error by its number.
func (b *book) explained(message string) bool {
	number := errorNumber.FindStringSubmatch(message)
	return slices.ContainsFunc(b.c.Explain, func(e contract.Explain) bool {
		return e.Pattern.MatchString(message) || number != nil && e.Pattern.MatchString("error "+number[1])
	})
}

func ticksEach(messages []string) string {
	var out []string
	for _, m := range messages {
		out = append(out, tick(m))
	}
	return strings.Join(out, " or ")
}

// prose is a sentence of a table, in which code stands between backticks.
func prose(s string) string {
	parts := strings.Split(s, "`")
	for i := range parts {
		if i%2 == 1 {
			parts[i] = tick(parts[i])
			continue
		}
		space := func(cut string) string {
			if cut != parts[i] {
				return " "
			}
			return ""
		}
		parts[i] = space(strings.TrimLeft(parts[i], " ")) + md(parts[i]) + space(strings.TrimRight(parts[i], " "))
		if strings.TrimSpace(parts[i]) == "" {
			parts[i] = ""
			if i > 0 && i < len(parts)-1 {
				parts[i] = " "
			}
		}
	}
	return strings.Join(parts, "")
}

// concerns says that the contract has to do with a row: every condition of the row holds.
func (b *book) concerns(r data.Trouble) bool {
	return slices.ContainsFunc(b.platforms(), met(r)) && any1(r.Builds, b.c.Project.Build) && b.hasCrate(r.Crates) && b.hasComponent(r.Components) && b.hasUse(r.Uses) && b.touches(r)
}

// any1: one of the wanted words is there; nothing wanted is fine.
func any1(wanted, have []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(have, w) })
}

func (b *book) hasCrate(wanted []string) bool {
	var have []string
	for _, text := range b.c.Project.Builders {
		name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		have = append(have, name)
	}
	return any1(wanted, have)
}

func (b *book) hasComponent(wanted []string) bool {
	var have []string
	for name := range b.c.Components {
		have = append(have, name)
	}
	return any1(wanted, have)
}

func (b *book) hasUse(wanted []string) bool {
	var have []string
	if b.c.GPU.MinCount > 0 || b.c.Driver != (contract.Driver{}) {
		have = append(have, "gpu")
	}
	if b.c.Driver.PTXJIT == "required" {
		have = append(have, "ptx-jit")
	}
	if slices.ContainsFunc(b.c.Kernels, func(k contract.Kernel) bool { return k.RDC || k.DeviceLink }) {
		have = append(have, "device-link")
	}
	return any1(wanted, have)
}

// touches says that some release between the contract's minimum and the newest verified is in the range, on one of
// the platforms.
func (b *book) touches(row data.Trouble) bool {
	if row.Toolkit == "" {
		return true
	}
	r, err := contract.ParseRange(row.Toolkit)
	if err != nil {
		return false
	}
	for _, v := range b.lines() {
		for _, p := range b.platforms() {
			here := r.Has(newestOf(v)) && met(row)(p)
			if here && slices.Contains([]string{"supported", "recommended"}, b.band(p.name, newestOf(v))) {
				return true
			}
		}
	}
	return false
}
