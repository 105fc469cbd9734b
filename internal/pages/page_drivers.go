package pages

import (
	"strings"

	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/version"
)

// drivers tells the three rules apart: pages that know one rule contradict each other. The contract's own floors
// stand above.
func drivers(b *book) {
	b.title("Drivers")
	which := b.numbers()
	if b.has("wsl2") {
		b.line("Under WSL2 the driver is that of Windows: never install a Linux driver inside it.\n")
	}
	b.line("Three rules, never one, for each toolkit (%s):\n", which)
	t := sheet{head: []string{"CUDA", "a: programs start", "b: PTX it makes is compiled", "c: listed by NVIDIA"}}
	for _, v := range b.lines() {
		cells := []string{v.String()}
		for _, rule := range rules {
			cells = append(cells, pair(which, v, rule))
		}
		t.add(cells...)
	}
	b.sheet(t)
	b.line("\n- **a** is the floor of the major release (minor-version compatibility). Forward-compatibility packages are a way out of it on data-centre GPUs.")
	b.line("- **b** counts only for PTX that the driver compiles while the program runs.%s", ptxText(b.c))
	b.line("- **c** is the driver that NVIDIA lists for the release: everything works with it.%s", unlisted(which))
}

// rules are a, b and c: the driver for a release on a system.
var rules = []func(v version.V, os string) version.V{
	func(v version.V, os string) version.V { d, _ := compat.DriverFloor(v, os); return d },
	func(v version.V, os string) version.V { d, _ := compat.DriverForLevel(v, os); return d },
	func(v version.V, os string) version.V { d, _ := compat.DriverListed(v, os); return d },
}

const both = "Linux / Windows"

// numbers says whose driver numbers the page needs: WSL2 has those of Windows.
func (b *book) numbers() string {
	windows := b.has("windows") || b.has("wsl2")
	switch {
	case windows && b.has("linux"):
		return both
	case windows:
		return "Windows"
	}
	return "Linux"
}

func unlisted(which string) string {
	if strings.Contains(which, "Windows") {
		return " NVIDIA lists no Windows driver for CUDA 13."
	}
	return ""
}

func pair(which string, v version.V, rule func(version.V, string) version.V) string {
	var out []string
	for _, platform := range strings.Split(which, " / ") {
		text := "not known"
		if d := rule(v, strings.ToLower(platform)); !d.IsZero() {
			text = d.String()
		}
		out = append(out, text)
	}
	return strings.Join(out, " / ")
}

func ptxText(c *contract.Contract) string {
	switch c.Driver.PTXJIT {
	case "required":
		return " This project needs it: the driver must support at least the release of the toolkit."
	case "not-used":
		return " This project does not use it."
	}
	return ""
}
