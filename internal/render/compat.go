package render

import (
	"fmt"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

func join[T fmt.Stringer](items []T, sep string) string {
	var out []string
	for _, i := range items {
		out = append(out, i.String())
	}
	return strings.Join(out, sep)
}

// fields prints name and text in two columns; empty ones are left out.
func fields(rows [][]string) string {
	var kept [][]string
	for _, r := range rows {
		if r[1] != "" {
			kept = append(kept, r)
		}
	}
	return strings.Join(table(kept), "\n") + "\n"
}

func vtext(v version.V) string {
	if v.IsZero() {
		return "not known"
	}
	return v.String()
}

// CompatToolkit shows what a release needs.
func CompatToolkit(t compat.Toolkit) string {
	rows := [][]string{{"CUDA " + t.Label, "released " + orUnknown(t.Date)}, {"release", t.Release.String()}, {"nvcc", vtext(t.Nvcc)}, {"PTX ISA", vtext(t.PTX)}}
	for _, d := range t.Drivers {
		rows = append(rows, []string{"driver " + d.OS, fmt.Sprintf("programs start: %s; its PTX is compiled: %s; NVIDIA lists: %s", atLeast(d.Floor), atLeast(d.Level), vtext(d.Listed))})
	}
	rows = append(rows,
		[]string{"gcc", between(t.Host.GCCMin, t.Host.GCCMax)},
		[]string{"clang", between(t.Host.ClangMin, t.Host.ClangMax)},
		[]string{"MSVC", msvcRange(t)},
		[]string{"GPU targets", join(t.Archs, " ")},
		[]string{"added", join(t.Added, " ")},
		[]string{"dropped", join(t.Dropped, " ")},
		[]string{"deprecated", join(t.Deprecated, " ")},
		[]string{"platforms", strings.Join(t.Platforms, ", ")},
		[]string{"cuDNN", join(t.CuDNN, " … ")},
		[]string{"updates", join(t.Updates, ", ")},
		[]string{"notes", strings.Join(t.Notes, "; ")},
	)
	return fields(rows)
}

func orUnknown(s string) string {
	if s == "" {
		return "on a day not established"
	}
	return s
}

func atLeast(v version.V) string {
	if v.IsZero() {
		return "not known"
	}
	return "≥ " + v.String()
}

func between(low, high int) string {
	switch {
	case low == 0 && high == 0:
		return "not known"
	case low == 0:
		return fmt.Sprintf("up to %d", high)
	case high == 0:
		return fmt.Sprintf("from %d on", low)
	}
	return fmt.Sprintf("%d … %d", low, high)
}

func msvcRange(t compat.Toolkit) string {
	if t.Host.MSCMin == 0 || t.Host.MSCMax == 0 {
		return "not known"
	}
	return fmt.Sprintf("cl %s … below %s", cl(t.Host.MSCMin), cl(t.Host.MSCMax))
}

// clRange writes the span of an inclusive maximum; half a span is none.
func clRange(low, high int) string {
	if low <= 0 || high <= 0 {
		return "not known"
	}
	return fmt.Sprintf("cl %s … %s", cl(low), cl(high))
}

func cl(mscver int) string { return fmt.Sprintf("%d.%02d", mscver/100, mscver%100) }

// CompatGPU shows what a GPU is and which toolkits know it.
func CompatGPU(g compat.GPU) string {
	name := g.Name
	if name == "" {
		name = "compute capability " + g.CC.String()
	}
	last := "still supported by the newest"
	if !g.Last.IsZero() {
		last = "dropped after CUDA " + g.Last.String()
	}
	return fields([][]string{
		{name, strings.TrimSpace(g.Family + " " + g.Class)},
		{"capability", g.CC.String() + " (" + g.Arch.String() + "), by " + g.FoundBy},
		{"toolkits", fmt.Sprintf("from CUDA %s on, %s", vtext(g.First), last)},
		{"", join(g.Toolkits, " ")},
		{"runs code of", join(g.Code, " ")},
		{"own targets", join(g.Specific, " ")},
		{"note", g.Note},
	})
}

// CompatDriver shows a driver by the three rules.
func CompatDriver(d compat.Driver) string {
	var b strings.Builder
	fmt.Fprintf(&b, "driver %s (%s) supports up to CUDA %s\n", d.Driver, d.OS, vtext(d.Level))
	noteLine(&b, d.Note)
	b.WriteByte('\n')
	rows := [][]string{{"toolkit", "programs start", "its PTX is compiled", "listed by NVIDIA"}}
	for _, t := range d.Toolkits {
		listed := t.Listed
		if !t.Wants.IsZero() && listed == "no" {
			listed += " (wants " + t.Wants.String() + ")"
		}
		starts := yesNo(t.Starts)
		if !t.Starts && !t.Floor.IsZero() {
			starts += " (needs " + t.Floor.String() + ")"
		}
		rows = append(rows, []string{t.Release.String(), starts, yesNo(t.PTX), listed})
	}
	b.WriteString(strings.Join(table(rows), "\n") + "\n")
	if len(d.Forward) > 0 {
		fmt.Fprintf(&b, "\ncuda-compat packages that run on this branch: %s (only for %s)\n", join(d.Forward, " "), strings.Join(d.OnlyFor, ", "))
	}
	return b.String()
}

func noteLine(b *strings.Builder, note string) {
	if note != "" {
		fmt.Fprintf(b, "note: %s\n", note)
	}
}

func yesNo(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

// CompatCompiler shows which toolkits accept a compiler.
func CompatCompiler(c compat.Compiler) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", c.Family, c.Version)
	if c.MSVC != nil {
		fmt.Fprintf(&b, " (%s)", c.MSVC.Studio)
	}
	switch {
	case c.First.IsZero():
		b.WriteString(": no toolkit of the table is known to accept it\n")
	case c.Last.IsZero():
		fmt.Fprintf(&b, ": accepted from CUDA %s on\n", c.First)
	default:
		fmt.Fprintf(&b, ": accepted by CUDA %s to %s\n", c.First, c.Last)
	}
	noteLine(&b, c.Note)
	b.WriteByte('\n')
	rows := [][]string{{"toolkit", "verdict", "accepts"}}
	for _, t := range c.Toolkits {
		accepts := between(t.Min, t.Max)
		if c.Family == "msvc" {
			accepts = clRange(t.Min, t.Max)
		}
		rows = append(rows, []string{t.Release.String(), string(t.Fit), accepts})
	}
	b.WriteString(strings.Join(table(rows), "\n") + "\n")
	return b.String()
}

// CompatSolution shows what fits, best first, then what falls out and why.
func CompatSolution(s compat.Solution) string {
	var b strings.Builder
	for _, n := range s.Notes {
		noteLine(&b, n)
	}
	if s.GPU != nil && s.GPU.Name != "" {
		fmt.Fprintf(&b, "%s is %s\n", s.GPU.Name, gpuArch(s.GPU.Arch))
	}
	if !s.Level.IsZero() {
		fmt.Fprintf(&b, "the driver supports up to CUDA %s\n", s.Level)
	}
	if len(s.Fits) == 0 {
		b.WriteString("no toolkit fits\n")
	}
	for i, f := range s.Fits {
		if i == 0 {
			b.WriteString("fits, best first:\n")
		}
		fmt.Fprintf(&b, "  CUDA %-8s %s\n", f.Release, strings.Join(f.Reasons, "; "))
		for _, c := range f.Caveats {
			fmt.Fprintf(&b, "  %13s but: %s\n", "", c)
		}
	}
	for i, o := range s.Out {
		if i == 0 {
			b.WriteString("falls out:\n")
		}
		fmt.Fprintf(&b, "  CUDA %-8s %s: %s\n", o.Release, o.Rule, o.Reason)
	}
	return b.String()
}

func gpuArch(a gpu.Arch) string { return a.String() }
