package pages

import (
	"fmt"
	"strings"

	"cupel/internal/contract"
)

// needs is the page in short: what a machine must have, by platform.
func needs(b *book) {
	b.title("What is needed")
	t := sheet{head: []string{""}}
	for _, d := range asked {
		t.head = append(t.head, d.name)
	}
	tell := func(p platform) []string {
		var cells []string
		for _, d := range asked {
			cells = append(cells, d.tell(b.on(p.name)).cell())
		}
		return cells
	}
	for _, g := range b.alike(func(p platform) string { return strings.Join(tell(p), "\n") }) {
		t.add(append([]string{g.title}, tell(g.first)...)...)
	}
	for _, d := range asked {
		for _, p := range b.platforms() {
			for _, l := range d.tell(b.on(p.name)) {
				t.because(d.name+" "+l.text, p.title, l.reason, l.source)
			}
		}
	}
	b.sheet(t)
	b.onCI()
}

// asked are the columns of the table, and what differs on CI.
var asked = []struct {
	name string
	tell func(r contract.Requirements) said
}{
	{"minimum", func(r contract.Requirements) said { return limit(r.Toolkit.Min) }},
	{"recommended", func(r contract.Requirements) said { return limit(r.Toolkit.Recommended) }},
	{"newest verified", func(r contract.Requirements) said { return limit(r.Toolkit.MaxVerified) }},
	{"excluded", func(r contract.Requirements) said { return exclusions(r.Toolkit.Exclude) }},
	{"driver", func(r contract.Requirements) said { return floor(r.Driver) }},
	{"host compiler", func(r contract.Requirements) said { return hostText(r.Host) }},
	{"GPU", func(r contract.Requirements) said { return gpuText(r.GPU) }},
}

// said is what a cell tells, each with its reason.
type said []struct{ text, reason, source string }

func (s said) cell() string {
	var out []string
	for _, l := range s {
		out = append(out, l.text)
	}
	return strings.Join(out, "; ")
}

func limit(l *contract.Limit) said {
	if l == nil {
		return nil
	}
	return said{{"CUDA " + l.Version.String(), l.Reason, l.Source}}
}

func exclusions(list []contract.Exclusion) (out said) {
	for _, x := range list {
		out = append(out, said{{"CUDA " + bounds(x.Release), x.Reason, x.Source}}...)
	}
	return out
}

// bounds is a range as code: its signs mean something in Markdown. A plain release has none.
func bounds(r contract.Range) string {
	if text := r.String(); strings.ContainsAny(text, "<>=") {
		return tick(text)
	}
	return md(r.String())
}

func floor(d *contract.DriverLimit) said {
	if d == nil {
		return nil
	}
	return said{{d.Version.String() + " or newer", d.Reason, d.Source}}
}

func hostText(h contract.Host) (out said) {
	for _, s := range []struct {
		name string
		span *contract.Span
	}{{"gcc", h.GCC}, {"clang", h.Clang}, {"cl.exe", h.MSVC}, {"MSVC toolset", h.Toolset}, {"Windows SDK", h.SDK}} {
		if s.span != nil {
			out = append(out, said{{s.name + " " + bounds(s.span.Range), s.span.Reason, s.span.Source}}...)
		}
	}
	return out
}

func gpuText(g *contract.GPU) said {
	if g == nil {
		return said{{text: "none needed"}}
	}
	var out []string
	if g.MinCount > 0 {
		out = append(out, fmt.Sprintf("%d or more", g.MinCount))
	}
	if g.MinMemory.MiB > 0 {
		out = append(out, fmt.Sprintf("%d MiB each", g.MinMemory.MiB))
	}
	if g.ComputeMode != "" {
		out = append(out, "compute mode "+g.ComputeMode)
	}
	return said{{strings.Join(out, ", "), g.Reason, ""}}
}

// onCI tells what is different there, in one line, and nothing when nothing is.
func (b *book) onCI() {
	var out []string
	for _, g := range b.alike(b.ciOf) {
		switch {
		case g.text == "":
		case g.title == b.all():
			out = append(out, g.text)
		default:
			out = append(out, g.title+": "+g.text)
		}
	}
	if len(out) > 0 {
		b.line("\nOn CI: %s.", strings.Join(out, ". "))
	}
}

func (b *book) ciOf(p platform) string {
	plain, ci := b.on(p.name), b.c.For(contract.Platform{Name: p.name, CI: true})
	var diff []string
	for _, d := range asked {
		if text := d.tell(ci).cell(); text != "" && text != d.tell(plain).cell() {
			diff = append(diff, d.name+" "+text)
		}
	}
	return strings.Join(diff, "; ")
}
