package render

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/gpu"
)

// Doctor is the first screen: what is here, what is wrong, what to type next.
func (s Style) Doctor(a doctor.Answer, verbose bool) string {
	var b strings.Builder
	b.WriteString(s.paint(bold, systemLine(a.Machine.System)) + "\n\n")
	for _, part := range machineParts(a) {
		s.part(&b, part)
	}
	shown := finding.Shown(a.Findings)
	counts := map[string]int{}
	for _, f := range shown {
		counts[f.ID]++
	}
	if len(shown) > 0 {
		b.WriteString("\n")
	}
	for _, f := range shown {
		if f.Severity == finding.Info && !verbose {
			b.WriteString(s.Note(f, counts[f.ID] > 1))
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
		text = map[string]string{"darwin": "macOS"}[sys.OS]
	}
	if text == "" {
		text = sys.OS
	}
	switch sys.Platform {
	case fact.WSL2:
		text += " under WSL2"
	case fact.Jetson:
		text += " on " + sys.Board.Value + " (L4T " + sys.L4T.Value + ")"
	}
	if sys.Platform == fact.Darwin {
		return text + ", " + sys.Arch
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
	text := driverText(m)
	if level, _ := choice.Level(m); !level.IsZero() {
		text += ", supports up to CUDA " + level.String()
	} else if text == "" && len(d.Libraries) > 0 && d.Libraries[0].Rank > 0 && !d.Libraries[0].Stub {
		text = "version not told, " + d.Libraries[0].Path
	}
	if text == "" {
		text = "none"
	}
	return []string{strings.TrimPrefix(text, ", ")}
}

// driverText names both halves when they differ or one is missing.
func driverText(m fact.Machine) string {
	d := m.Driver
	open := ""
	if d.Open {
		open = " (open)"
	}
	switch {
	case d.Kernel.Known() && d.UserMode.Known() && d.Kernel.Value == d.UserMode.Value, m.System.OS == fact.Windows && d.Kernel.Known():
		if d.Open {
			open = " (open kernel module)"
		}
		return d.Kernel.Value + open
	case d.Kernel.Known() && d.UserMode.Known():
		return fmt.Sprintf("kernel module %s%s, user mode %s", d.Kernel.Value, open, d.UserMode.Value)
	case d.Kernel.Known() && hasLibrary(d):
		return d.Kernel.Value + open
	case d.Kernel.Known():
		return "kernel module " + d.Kernel.Value + open + ", no libcuda"
	case d.UserMode.Known():
		return d.UserMode.Value + ", no kernel module"
	}
	return ""
}

func hasLibrary(d fact.Driver) bool {
	for _, l := range d.Libraries {
		if l.Rank > 0 && !l.Stub {
			return true
		}
	}
	return false
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
		if g.Source == "PCI bus" {
			memory = "on the bus; no driver answers for it"
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
	for _, t := range inOrder(a) {
		rows = append(rows, []string{mark(a, t), known(t.Release), "nvcc " + known(t.Nvcc), t.Home(), t.Origin, state(a.Machine, t)})
	}
	lines := table(rows)
	return append(lines, choiceLine(a)...)
}

// inOrder puts the chosen toolkit first, then the newest.
func inOrder(a doctor.Answer) []fact.Toolkit {
	out := slices.Clone(a.Machine.Toolkits)
	slices.SortStableFunc(out, func(x, y fact.Toolkit) int {
		if xc, yc := strings.HasPrefix(mark(a, x), "*"), strings.HasPrefix(mark(a, y), "*"); xc != yc {
			if xc {
				return -1
			}
			return 1
		}
		return choice.Release(y).Compare(choice.Release(x))
	})
	return out
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

// state says what a toolkit lacks, and which GPU here it knows nothing of.
func state(m fact.Machine, t fact.Toolkit) string {
	text := "complete"
	if !t.Has(fact.PartNvcc) {
		return "libraries only, no compiler"
	}
	if len(t.Faults) > 0 || t.Nvcc.State == fact.Unreadable || t.Ptxas.State == fact.Unreadable {
		text = "broken"
	}
	if len(t.Missing) > 0 {
		text = "lacks " + strings.Join(t.Missing, ", ")
	}
	for _, g := range m.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if first := compat.FirstToolkit(cc); err == nil && !first.IsZero() && choice.Release(t).Short().Less(first) {
			return text + "; does not know " + cc.SM().String()
		}
	}
	return text
}

// compilerLines shows each compiler against each toolkit.
func compilerLines(m fact.Machine) []string {
	if len(m.Compilers) == 0 && m.System.OS == fact.Darwin {
		return nil
	}
	if len(m.Compilers) == 0 {
		return []string{"none"}
	}
	var rows [][]string
	toolkits := inOrder(doctor.Answer{Machine: m})
	for _, c := range m.Compilers {
		if c.Origin == "perl" || (m.System.OS == fact.Windows && c.Family != "msvc") {
			continue
		}
		row := []string{c.Family + " " + known(c.Version)}
		for _, t := range toolkits {
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
	if own := choice.DefaultFor(m, t); len(t.OwnGCC) > 0 && own != nil && own.Path == c.Path && !c.Default {
		return " (its own)"
	}
	return ""
}

func verdict(t fact.Toolkit, c fact.Compiler) string {
	text, ok := map[compat.Fit]string{
		compat.Fits: "yes", compat.TooNew: "too new", compat.TooOld: "too old", compat.Unknown: "unknown", choice.WrongTarget: "32-bit",
	}[choice.JudgeCompiler(t, c).Fit]
	if !ok {
		return "no"
	}
	return text
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
		if p.Torch.State == fact.Unreadable {
			row = append(row, "torch unreadable")
		}
		if p.Torch.Known() {
			text := "torch " + p.Torch.Value
			if p.TorchCUDA.Known() {
				text += " for CUDA " + p.TorchCUDA.Value
			} else {
				text += map[bool]string{true: " (CPU build)", false: ", its CUDA unreadable"}[p.TorchCUDA.IsAbsent()]
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return table(rows)
}
