package doctor

import (
	"fmt"
	"sort"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

// Diff is what differs between two machines. A difference matters when a finding stands on one side only and
// is about the same thing.
type Diff struct {
	Format      string            `json:"format"`
	Cupel       string            `json:"cupel"`
	Findings    []finding.Finding `json:"findings"` // those on one side only
	A           string            `json:"a"`
	B           string            `json:"b"`
	Differences []Difference      `json:"differences"`
	OnlyA       []finding.Finding `json:"only_a"`
	OnlyB       []finding.Finding `json:"only_b"`
}

// Difference is one fact that is not the same.
type Difference struct {
	About   string   `json:"about"` // driver, gpu, toolkit, compiler, library, python, variable, system
	What    string   `json:"what"`
	A       string   `json:"a"`
	B       string   `json:"b"`
	Matters []string `json:"matters,omitempty"` // ids of findings on one side only that speak of it
}

// Compare lists the differences, those that matter first.
func Compare(a, b Answer) Diff {
	d := Diff{Format: "cupel.diff/1", Differences: []Difference{}, OnlyA: missingIn(a, b), OnlyB: missingIn(b, a)}
	d.Findings = append(append([]finding.Finding{}, d.OnlyA...), d.OnlyB...)
	fa, fb := flat(a), flat(b)
	for _, key := range keys(fa, fb) {
		if fa[key] == fb[key] {
			continue
		}
		about, what, _ := strings.Cut(key, "\x00")
		d.Differences = append(d.Differences, Difference{About: about, What: what, A: absent(fa[key]), B: absent(fb[key]), Matters: matters(d.Findings, about, what, fa[key], fb[key])})
	}
	sort.SliceStable(d.Differences, func(i, j int) bool { return len(d.Differences[i].Matters) > 0 && len(d.Differences[j].Matters) == 0 })
	return d
}

func absent(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// missingIn are shown findings of a whose id b does not have.
func missingIn(a, b Answer) []finding.Finding {
	have := map[string]bool{}
	for _, f := range finding.Shown(b.Findings) {
		have[f.ID] = true
	}
	out := []finding.Finding{}
	for _, f := range finding.Shown(a.Findings) {
		if !have[f.ID] {
			out = append(out, f)
		}
	}
	return out
}

// matters finds findings on one side only that name the thing or one of its values.
func matters(only []finding.Finding, about, what, a, b string) []string {
	var out []string
	for _, f := range only {
		text := f.What + "\n" + f.Where + "\n" + f.Why
		if strings.Contains(text, what) || (len(a) > 2 && strings.Contains(text, a)) || (len(b) > 2 && strings.Contains(text, b)) || topic(about, f.ID) {
			out = append(out, f.ID)
		}
	}
	return out
}

// topic ties findings about presence to what is present.
func topic(about, id string) bool {
	switch about {
	case "driver", "gpu", "toolkit":
		return id == "no-"+about || (about == "gpu" && (id == "gpu-not-passed-to-container" || id == "driver-without-device"))
	}
	return false
}

func keys(a, b map[string]string) []string {
	seen := map[string]bool{}
	var out []string
	for _, m := range []map[string]string{a, b} {
		for k := range m {
			if !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	}
	sort.Strings(out)
	return out
}

// flat names every fact a person would compare.
func flat(a Answer) map[string]string {
	m := a.Machine
	out := map[string]string{}
	put := func(about, what, value string) {
		if value != "" {
			out[about+"\x00"+what] = value
		}
	}
	put("system", "operating system", strings.TrimSpace(m.System.Platform+" "+m.System.Distro.Value.Name))
	put("system", "architecture", m.System.Arch)
	put("system", "container", m.System.Container.Value)
	put("system", "glibc", m.System.Glibc.Value)
	put("driver", "kernel module", m.Driver.Kernel.Value)
	put("driver", "user mode", m.Driver.UserMode.Value)
	if level, _ := choice.Level(m); !level.IsZero() {
		put("driver", "supports up to CUDA", level.String())
	}
	for _, g := range m.GPUs {
		put("gpu", fmt.Sprintf("GPU %d", g.Index), strings.TrimSpace(g.Name+" "+g.CC.Value))
	}
	for _, t := range m.Toolkits {
		put("toolkit", choice.Name(t), toolkitText(t))
	}
	put("toolkit", "chosen", nameOf(a.Chosen.Toolkit))
	put("toolkit", "active", nameOf(a.Active.Toolkit))
	for _, c := range m.Compilers {
		put("compiler", c.Command, c.Version.Value+ifDefault(c))
	}
	for _, l := range m.Libraries {
		put("library", l.Name+" ("+l.Origin+")", l.Version.Value)
	}
	for i, p := range m.Pythons {
		put("python", fmt.Sprintf("python %d", i+1), p.Version.Value)
		put("python", fmt.Sprintf("torch of python %d", i+1), strings.TrimSpace(p.Torch.Value+" "+p.TorchCUDA.Value))
	}
	put("rust", "toolchain", m.Rust.Toolchain.Value)
	for name, value := range m.Env {
		put("variable", name, value)
	}
	return out
}

func toolkitText(t fact.Toolkit) string {
	text := "nvcc " + t.Nvcc.Value + " in " + t.Root
	if len(t.Missing) > 0 {
		text += ", lacks " + strings.Join(t.Missing, ", ")
	}
	return text
}

func nameOf(t *fact.Toolkit) string {
	if t == nil {
		return ""
	}
	return choice.Name(*t)
}

func ifDefault(c fact.Compiler) string {
	if c.Default {
		return " (default)"
	}
	return ""
}
