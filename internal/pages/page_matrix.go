package pages

import (
	"fmt"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// matrix lists every X.Y from the minimum on with its band and what it brings along.
func matrix(b *book) {
	b.title("Version matrix")
	lines := b.lines()
	groups := b.alike(func(p platform) string {
		var column []string
		for _, v := range lines {
			column = append(column, b.band(p.name, newestOf(v)))
		}
		return strings.Join(column, "\n")
	})
	t := sheet{head: []string{"CUDA"}}
	for _, g := range groups {
		t.head = append(t.head, g.title)
	}
	t.head = append(t.head, "gcc", "clang", "MSVC (cl.exe)", "targets of this project it does not know")
	for i, v := range lines {
		cells := []string{v.String()}
		for _, g := range groups {
			cells = append(cells, strings.Split(g.text, "\n")[i])
		}
		t.add(append(append(cells, b.hostCells(v)...), strings.Join(b.unknownTargets(v), ", "))...)
	}
	b.sheet(t)
	b.line("\nA band is judged for the newest update of each release. Compilers: what the toolkit's own `crt/host_config.h` or NVIDIA's")
	b.line("guide accepts; the contract's own limits above come on top.")
}

// hostCells are the bounds of the compilers that the platforms of the page have.
func (b *book) hostCells(v version.V) []string {
	h, _ := compat.HostBounds(v)
	cells := []string{"", "", ""}
	if b.has("linux") || b.has("wsl2") || b.has("jetson") {
		cells[0], cells[1] = span(h.GCCMin, h.GCCMax), span(h.ClangMin, h.ClangMax)
	}
	if b.has("windows") {
		cells[2] = msvcSpan(h)
	}
	return cells
}

// lines are the X.Y of the tables from the lowest minimum on; without one, those that still get updates with the
// newest two majors.
func (b *book) lines() []version.V {
	var low version.V
	for _, p := range b.platforms() {
		if m := b.on(p.name).Toolkit.Min; m != nil && (low.IsZero() || m.Version.V.Less(low)) {
			low = m.Version.V
		}
	}
	var out []version.V
	for _, r := range data.Releases() {
		v, err := version.Parse(r.Version)
		if s := v.Short(); err == nil && !r.Preview && s.AtLeast(low.Short()) && (len(out) == 0 || out[len(out)-1] != s) {
			out = append(out, s)
		}
	}
	return out
}

// band asks verify itself, about a machine with nothing but that toolkit: the page cannot disagree with it.
func (b *book) band(platform string, v version.V) string {
	m := fact.Machine{System: fact.System{OS: osOf(platform), Platform: platform}, Toolkits: []fact.Toolkit{{
		Root: "/", Release: fact.Of(v.String(), ""), Nvcc: fact.None[string](""), Parts: map[string]string{fact.PartNvcc: "/bin/nvcc"}}}}
	a := verify.Judge(verify.Input{Contract: b.c, Machine: m, Platform: contract.Platform{Name: platform}, NoRules: true, Only: []string{"toolkit-band"}})
	return string(a.Band)
}

func osOf(platform string) string {
	if platform == "windows" {
		return fact.Windows
	}
	return fact.Linux
}

// newestOf is the newest update of an X.Y.
func newestOf(v version.V) version.V {
	if r, ok := compat.Release(v); ok {
		v, _ = version.Parse(r.Version)
	}
	return v
}

func (b *book) unknownTargets(v version.V) []string {
	targets, _ := b.on("linux").Targets(v)
	var out []string
	for _, t := range targets {
		if !compat.Knows(v, t) {
			out = append(out, t.String())
		}
	}
	return out
}

func span(low, high int) string {
	switch {
	case high <= 0:
		return "not known"
	case low <= 0:
		return fmt.Sprintf("up to %d", high)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

func msvcSpan(h compat.Bounds) string {
	if h.MSCMax <= 0 {
		return "not known"
	}
	cl := func(n int) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }
	if h.MSCMin <= 0 {
		return "below " + cl(h.MSCMax)
	}
	return cl(h.MSCMin) + " to below " + cl(h.MSCMax)
}

// compilers says what each platform asks beyond the versions.
func compilers(b *book) {
	t := sheet{head: []string{"", "C++ standard", "Rust host triple", "newer compilers than NVIDIA tested"}}
	tell := func(p platform) []string {
		h := b.on(p.name).Host
		if h == (contract.Host{}) {
			return nil
		}
		unsupported := "forbidden: `-allow-unsupported-compiler` is no way out"
		if h.Unsupported == "allow" {
			unsupported = "allowed with `-allow-unsupported-compiler`, told as a warning"
		}
		return []string{md(h.Std), tick(h.Triple), unsupported}
	}
	for _, g := range b.alike(func(p platform) string { return strings.Join(tell(p), "\n") }) {
		if cells := tell(g.first); cells != nil {
			t.add(append([]string{g.title}, cells...)...)
		}
	}
	if len(t.rows) > 0 {
		b.title("Host compilers")
		b.sheet(t)
	}
}
