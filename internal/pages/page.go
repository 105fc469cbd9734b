package pages

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/contract"
)

// platforms are those a page speaks of, in its order; what only CI demands is told beside them.
var platforms = []platform{{"linux", "Linux"}, {"wsl2", "WSL2"}, {"jetson", "Jetson"}, {"windows", "Windows"}}

type platform struct{ name, title string }

// platforms are those the project is built on. A Jetson is told apart only where the contract does.
func (b *book) platforms() []platform {
	on := b.c.Project.On
	return slices.DeleteFunc(slices.Clone(platforms), func(p platform) bool {
		if p.name == "jetson" {
			return !slices.Contains(on, p.name)
		}
		return len(on) > 0 && !contract.Platform{Name: p.name}.Is(on)
	})
}

func (b *book) has(name string) bool {
	return slices.ContainsFunc(b.platforms(), func(p platform) bool { return p.name == name })
}

// alike puts platforms together of which the same is told, so that it is told once.
func (b *book) alike(tell func(p platform) string) []group {
	var out []group
	for _, p := range b.platforms() {
		text := tell(p)
		i := slices.IndexFunc(out, func(g group) bool { return g.text == text })
		if i < 0 {
			out = append(out, group{text: text, first: p, title: p.title})
			continue
		}
		out[i].title += ", " + p.title
	}
	return out
}

type group struct {
	text, title string
	first       platform
}

// page writes the setup page: each section from its own facts, left out when the contract says nothing about it.
func page(c *contract.Contract, dir string) []byte {
	b := &book{c: c, dir: dir}
	fmt.Fprintf(b, "<!-- %s -->\n", headline(c))
	fmt.Fprintf(b, "# CUDA setup: %s\n\n", md(c.Project.Name))
	b.line("Every number on this page comes from `cupel.toml` and from cupel's tables of NVIDIA's releases. To change it, change")
	b.line("`cupel.toml` and run `cupel docs`; `cupel docs --check` fails when the page is stale.")
	if len(c.Project.On) > 0 {
		b.line("\nBuilt on: %s.", b.all())
	}
	for _, section := range []func(*book){needs, matrix, drivers, compilers, install, environment, architectures, components, configs, verification, troubles} {
		section(b)
	}
	return []byte(b.String())
}

// book collects the page.
type book struct {
	strings.Builder
	c   *contract.Contract
	dir string // where the scripts are
}

func (b *book) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

func (b *book) title(text string) { fmt.Fprintf(b, "\n## %s\n\n", text) }

// on is what the contract demands on a platform.
func (b *book) on(name string) contract.Requirements {
	return b.c.For(contract.Platform{Name: name})
}

// all names every platform of the page.
func (b *book) all() string { return b.alike(func(platform) string { return "" })[0].title }

// ticks lists words as code.
func ticks(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, tick(w))
	}
	return strings.Join(out, ", ")
}
