package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// architectures is the table of targets with what is known of each.
func architectures(b *book) {
	seen := b.archs()
	if len(seen) == 0 && b.c.Arch.Min == nil {
		return
	}
	b.title("GPU architectures")
	if m := b.c.Arch.Min; m != nil {
		b.line("Lowest compute capability that works: **%s**.\n", m)
	}
	t := sheet{below: "Notes", head: []string{"target", "architecture", "toolkits that know it", "built", "status"}}
	for _, a := range seen {
		n, row := b.note(a), archRow(a)
		t.add(tick(a.String()), md(strings.TrimSpace(row.Name+brackets(row.Examples))), known(row), b.builtBy(a), md(n.Status))
		t.because(tick(a.String()), "", noteText(n), "")
	}
	for _, r := range b.c.Arch.ByToolkit {
		t.because("the targets with CUDA "+bounds(r.Toolkit), "", r.Reason, "")
	}
	b.sheet(t)
	b.line("\nnvcc never looks at the GPU of the machine: \"Unsupported gpu architecture\" is about the toolkit.")
}

// noteText is all that is known of a target.
func noteText(n contract.ArchNote) string {
	var out []string
	for _, part := range [][2]string{{"works: ", strings.Join(n.Works, ", ")}, {"does not work: ", strings.Join(n.DoesNotWork, ", ")}, {"", n.Reason}} {
		if part[1] != "" {
			out = append(out, part[0]+part[1])
		}
	}
	return strings.Join(out, "; ")
}

func brackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// archs lists every architecture the contract names: targets, rows by toolkit and notes, lowest first.
func (b *book) archs() []gpu.Arch {
	var out []gpu.Arch
	add := func(list ...contract.Target) {
		for _, t := range list {
			if a := t.Arch; !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	add(b.c.Arch.Targets...)
	for _, r := range b.c.Arch.ByToolkit {
		add(r.Targets...)
	}
	for _, n := range b.c.Arch.Notes {
		add(n.Arch)
	}
	slices.SortFunc(out, gpu.Arch.Compare)
	return out
}

func (b *book) note(a gpu.Arch) contract.ArchNote {
	for _, n := range b.c.Arch.Notes {
		if n.Arch.Arch == a {
			return n
		}
	}
	return contract.ArchNote{}
}

// builtBy says with which toolkits of the version matrix the contract builds for a target.
func (b *book) builtBy(a gpu.Arch) string {
	r, lines := b.on(b.platforms()[0].name), b.lines()
	var runs [][2]int // first and last of each run of releases
	for i, v := range lines {
		if targets, _ := r.Targets(newestOf(v)); !slices.Contains(targets, a) {
			continue
		}
		if last := len(runs) - 1; last >= 0 && runs[last][1] == i-1 {
			runs[last][1] = i
		} else {
			runs = append(runs, [2]int{i, i})
		}
	}
	var out []string
	for _, run := range runs {
		out = append(out, runText(run, lines))
	}
	return cmp.Or(strings.Join(out, ", "), "no")
}

func runText(run [2]int, lines []version.V) string {
	first, last := lines[run[0]].String(), lines[run[1]].String()
	switch {
	case run == [2]int{0, len(lines) - 1}:
		return "always"
	case run[1] == len(lines)-1:
		return "with CUDA " + first + " and newer"
	case first == last:
		return "with CUDA " + first
	}
	return "with CUDA " + first + " to " + last
}

func archRow(a gpu.Arch) data.Arch {
	a.Virtual = false
	for _, r := range data.Archs() {
		if r.SM == a.String() {
			return r
		}
	}
	return data.Arch{}
}

func known(r data.Arch) string {
	switch {
	case r.First == "":
		return "none in the tables"
	case r.Last == "":
		return "CUDA " + r.First + " and newer"
	}
	return fmt.Sprintf("CUDA %s to %s", r.First, r.Last)
}
