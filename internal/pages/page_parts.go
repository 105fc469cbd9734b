package pages

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cupel/internal/contract"
)

// components lists libraries and tools, and values that must agree.
func components(b *book) {
	t := sheet{below: "Notes", head: []string{"component", "version", "needed", "where"}}
	for _, name := range slices.Sorted(maps.Keys(b.c.Components)) {
		k := b.c.Components[name]
		if !b.anywhere(k.On, k.ExcludeOn) {
			continue
		}
		version, reason, source := md(k.Toolchain), "", ""
		if k.Version != nil {
			version, reason, source = bounds(k.Version.Range), k.Version.Reason, k.Version.Source
		}
		t.add(tick(name), version, need(k), b.where(k.On, k.ExcludeOn))
		t.because(tick(name), "", k.Reason, k.Source)
		t.because(tick(name)+" "+version, "", reason, source)
		t.note("install "+tick(name), b.installText(k.Install))
	}
	if len(t.rows) > 0 {
		b.title("Libraries and tools")
		b.sheet(t)
	}
	p := sheet{head: []string{"value", "must be", "where it stands"}}
	for _, name := range slices.Sorted(maps.Keys(b.c.Pins)) {
		pin := b.c.Pins[name]
		var files []string
		for _, f := range pin.Files {
			files = append(files, string(f.File))
		}
		p.add(md(name), cmp.Or(tick(pin.Value), "the same everywhere"), ticks(files))
		p.because(md(name), "", pin.Reason, "")
	}
	if len(p.rows) > 0 {
		b.title("Values that must agree")
		b.sheet(p)
	}
}

// need says how much a component is needed, and for what.
func need(k contract.Component) string {
	text := "yes"
	switch {
	case k.Required != nil && !*k.Required, k.Severity == "info":
		text = "optional"
	case k.Severity == "warning":
		text = "recommended"
	}
	if len(k.OnlyFor) == 0 {
		return text
	}
	return strings.TrimPrefix(text+", for ", "yes, ") + ticks(k.OnlyFor)
}

// anywhere: one of the page's platforms is meant, on CI or not.
func (b *book) anywhere(on, exclude []string) bool {
	return slices.ContainsFunc(b.platforms(), func(p platform) bool {
		return contract.Platform{Name: p.name}.Wanted(on, exclude) || contract.Platform{Name: p.name, CI: true}.Wanted(on, exclude)
	})
}

// where names the platforms that are meant; nothing where all of the page are.
func (b *book) where(on, exclude []string) string {
	text := ""
	for _, g := range b.alike(func(p platform) string {
		plain, ci := contract.Platform{Name: p.name}.Wanted(on, exclude), contract.Platform{Name: p.name, CI: true}.Wanted(on, exclude)
		switch {
		case plain && ci:
			return "everywhere"
		case plain:
			return "not on CI"
		case ci:
			return "on CI"
		}
		return ""
	}) {
		switch {
		case g.text == "", g.text == "everywhere" && g.title == b.all():
		case g.text == "everywhere":
			text += ", " + g.title
		case g.title == b.all():
			text += ", " + g.text
		default:
			text += ", " + g.title + " " + g.text
		}
	}
	return strings.TrimPrefix(text, ", ")
}

func (b *book) installText(p contract.PerOS) string {
	var out []string
	for _, o := range []struct{ name, title, command string }{{"", "", p.All}, {"linux", "on Linux ", p.Linux}, {"wsl2", "under WSL2 ", p.WSL2}, {"windows", "on Windows ", p.Windows}, {"", "on CI ", p.CI}} {
		if o.command != "" && (o.name == "" || b.has(o.name)) {
			out = append(out, o.title+tick(o.command))
		}
	}
	return strings.Join(out, "; ")
}

// configs lists the ways to build, and what a platform goes without.
func configs(b *book) {
	t := sheet{head: []string{"config", "command", "needs", "expected", "where", "run by `cupel verify --build`"}}
	for _, k := range b.c.Configs {
		if !b.anywhere(k.On, k.ExcludeOn) {
			continue
		}
		smoke := ""
		if k.Smoke {
			smoke = "yes"
		}
		t.add(md(k.Name), tick(k.Command.Text()), md(needText(k.Needs)), cmp.Or(k.Expect, "pass"), b.where(k.On, k.ExcludeOn), smoke)
		t.because(md(k.Name), "", k.Reason, "")
	}
	if len(t.rows) > 0 {
		b.title("Ways to build")
		b.sheet(t)
	}
	off := sheet{head: []string{"where", "is off", "why", "follow-up"}}
	for _, p := range append(b.platforms(), platform{"ci", "CI"}) {
		for _, o := range b.c.Scope[p.name].Off {
			off.add(p.title, md(o.Item), md(o.Reason), md(o.FollowUp))
		}
	}
	if len(off.rows) > 0 {
		b.title("What is off")
		b.sheet(off)
	}
}

func needText(n contract.Needs) string {
	if n.GPU != nil {
		return "a GPU of " + n.GPU.String() + " or newer"
	}
	return map[string]string{"none": "no CUDA at all", "stub": "stubs of the driver", "gpu": "a GPU", "": "a toolkit", "toolkit": "a toolkit"}[n.What]
}
