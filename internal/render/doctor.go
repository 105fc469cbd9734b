package render

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

// Doctor is the first screen: what is here, what is wrong, what to type next.
func (s Style) Doctor(a doctor.Answer, verbose bool) string {
	var b strings.Builder
	b.WriteString(s.paint(bold, systemLine(a.Machine.System)) + "\n\n")
	for _, part := range machineParts(a) {
		s.part(&b, part)
	}
	shown := finding.Shown(a.Findings)
	if len(shown) > 0 {
		b.WriteString("\n")
	}
	for _, f := range shown {
		if f.Severity == finding.Info && !verbose {
			b.WriteString(s.Note(f))
			continue
		}
		b.WriteString(s.Finding(f) + "\n")
	}
	b.WriteString("\n" + Summary(a.Findings) + "\n")
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

// part is one block of the first screen.
type part struct {
	name  string
	lines []string
}

func (s Style) part(b *strings.Builder, p part) {
	for i, l := range p.lines {
		name := p.name
		if i > 0 {
			name = ""
		}
		b.WriteString(s.paint(dim, fmt.Sprintf("%-10s", name)) + " " + l + "\n")
	}
}

func machineParts(a doctor.Answer) []part {
	m := a.Machine
	return []part{
		{"driver", driverLines(m)},
		{"GPUs", gpuLines(m)},
		{"toolkits", toolkitLines(a)},
		{"compilers", compilerLines(m)},
		{"libraries", libraryLines(m)},
		{"python", pythonLines(m)},
	}
}

func systemLine(sys fact.System) string {
	text := sys.Distro.Value.Name
	if text == "" {
		text = sys.OS
	}
	switch sys.Platform {
	case fact.WSL2:
		text += " under WSL2"
	case fact.Jetson:
		text += " on " + sys.Board.Value + " (L4T " + sys.L4T.Value + ")"
	}
	text += ", " + archName(sys.Arch)
	if sys.Container.Known() {
		text += ", in a container (" + sys.Container.Value + ")"
	}
	if sys.CI != "" {
		text += ", on CI"
	}
	return text
}

func archName(arch string) string {
	switch arch {
	case "amd64":
		return "x86_64"
	case "arm64":
		return "aarch64"
	}
	return arch
}

func driverLines(m fact.Machine) []string {
	d := m.Driver
	v := choice.DriverVersion(m)
	if v.IsZero() && !d.Level.Known() {
		if len(d.Libraries) > 0 && d.Libraries[0].Rank > 0 && !d.Libraries[0].Stub {
			return []string{"version not told, " + d.Libraries[0].Path}
		}
		return []string{"none"}
	}
	text := v.String()
	if v.IsZero() {
		text = "version not told"
	}
	if d.Open {
		text += " (open kernel module)"
	}
	if level, _ := choice.Level(m); !level.IsZero() {
		text += ", supports up to CUDA " + level.String()
	}
	if d.Kernel.Known() && d.UserMode.Known() && d.Kernel.Value != d.UserMode.Value {
		text += fmt.Sprintf("; kernel module %s, user mode %s", d.Kernel.Value, d.UserMode.Value)
	} else if !d.Kernel.Known() && d.UserMode.Known() && m.System.OS == "linux" {
		text += "; no kernel module"
	}
	return []string{text}
}

func gpuLines(m fact.Machine) []string {
	if len(m.GPUs) == 0 {
		return []string{"none"}
	}
	var rows [][]string
	for _, g := range m.GPUs {
		cc := "capability unknown"
		if g.CC.Known() {
			cc = "sm_" + strings.ReplaceAll(g.CC.Value, ".", "")
		}
		memory := ""
		if g.MemoryMiB > 0 {
			memory = fmt.Sprintf("%.0f GiB", float64(g.MemoryMiB)/1024)
		}
		rows = append(rows, []string{fmt.Sprint(g.Index), g.Name, cc, memory})
	}
	return table(rows)
}

func toolkitLines(a doctor.Answer) []string {
	if len(a.Machine.Toolkits) == 0 {
		return []string{"none"}
	}
	var rows [][]string
	for _, t := range a.Machine.Toolkits {
		rows = append(rows, []string{mark(a, t), known(t.Release), "nvcc " + known(t.Nvcc), t.Root, t.Origin, state(t)})
	}
	lines := table(rows)
	return append(lines, choiceLine(a)...)
}

// mark shows the chosen toolkit with * and the active one with >.
func mark(a doctor.Answer, t fact.Toolkit) string {
	text := ""
	if p := a.Chosen.Toolkit; p != nil && p.Home() == t.Home() {
		text += "*"
	}
	if p := a.Active.Toolkit; p != nil && p.Home() == t.Home() {
		text += ">"
	}
	return text
}

func choiceLine(a doctor.Answer) []string {
	if a.Chosen.Toolkit == nil {
		return []string{"chosen: none, " + a.Chosen.Reason}
	}
	line := "* chosen: " + a.Chosen.Reason
	if a.Active.Toolkit == nil {
		return []string{line + "; none is active (no nvcc on PATH)"}
	}
	if a.Active.Toolkit.Home() != a.Chosen.Toolkit.Home() {
		return []string{line, "> active: " + a.Active.Reason}
	}
	return []string{line + " (active)"}
}

func known(f fact.Fact[string]) string {
	switch f.State {
	case fact.Known:
		return f.Value
	case fact.Unreadable:
		return "unreadable"
	}
	return "-"
}

func state(t fact.Toolkit) string {
	if len(t.Missing) == 0 {
		return "complete"
	}
	return "lacks " + strings.Join(t.Missing, ", ")
}

// compilerLines shows each compiler against each toolkit.
func compilerLines(m fact.Machine) []string {
	if len(m.Compilers) == 0 {
		return []string{"none"}
	}
	var rows [][]string
	for _, c := range m.Compilers {
		if c.Origin == "perl" || (m.System.OS == fact.Windows && c.Family != "msvc") {
			continue
		}
		row := []string{c.Family + " " + known(c.Version)}
		for _, t := range m.Toolkits {
			if t.Has(fact.PartNvcc) {
				row = append(row, choice.Release(t).Short().String()+" "+verdict(t, c)+ownMark(m, t, c))
			}
		}
		label := c.Command
		if c.Default {
			label += " (default)"
		}
		rows = append(rows, append(row, label))
	}
	return table(rows)
}

// ownMark shows the compiler a toolkit's nvcc takes before the default: the gcc in its own folder.
func ownMark(m fact.Machine, t fact.Toolkit, c fact.Compiler) string {
	if own := choice.DefaultFor(m, t); len(t.OwnGCC) > 0 && own != nil && own.Path == c.Path {
		return " (its own)"
	}
	return ""
}

func verdict(t fact.Toolkit, c fact.Compiler) string {
	ok, known, why := choice.CompilerFits(t, c)
	switch {
	case ok:
		return "yes"
	case !known:
		return "unknown"
	case strings.Contains(why, "newer than"):
		return "too new"
	case strings.Contains(why, "older than"):
		return "too old"
	}
	return "no"
}

func libraryLines(m fact.Machine) []string {
	var rows [][]string
	for _, l := range m.Libraries {
		cuda := ""
		if l.CUDAMajor > 0 {
			cuda = fmt.Sprintf("for CUDA %d", l.CUDAMajor)
		}
		rows = append(rows, []string{l.Name + " " + known(l.Version), l.Origin, cuda, l.Path})
	}
	return table(rows)
}

func pythonLines(m fact.Machine) []string {
	var rows [][]string
	for _, p := range m.Pythons {
		row := []string{known(p.Version), p.Kind, p.Path}
		if p.Torch.Known() {
			text := "torch " + p.Torch.Value
			if p.TorchCUDA.Known() {
				text += " for CUDA " + p.TorchCUDA.Value
			} else {
				text += " (CPU build)"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return table(rows)
}
