package rule

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

var archRules = []Rule{
	{ID: "arch-variable-misspelled", Severity: finding.Error, Title: "an architecture variable is spelled wrongly for its reader", Label: "cuda-build-target-unset", Check: archMisspelled},
	{ID: "arch-variable-unknown-to-toolkit", Severity: finding.Error, Title: "an architecture variable names one the toolkit does not know", Label: "arch-newer-than-toolkit", Check: archUnknown},
	{ID: "arch-variable-not-for-this-gpu", Severity: finding.Warning, Title: "an architecture variable names code this GPU cannot run", Label: "binary-lacks-gpu-arch",
		CausedBy: []string{"arch-variable-unknown-to-toolkit"}, Check: archNotForGPU},
}

// archItem is one entry of one variable.
type archItem struct {
	variable, value string
	row             data.Variable
	item            gpu.Item
}

// archItems reads the architecture variables as their readers do. A row without readers has no spelling.
func (in *Input) archItems() []archItem {
	var names []string
	for n := range in.Machine.Env {
		names = append(names, n)
	}
	sort.Strings(names)
	var out []archItem
	for _, n := range names {
		row, ok := data.VariableByName(n, in.Machine.System.OS)
		if !ok || row.Kind != "arch" {
			continue
		}
		if len(row.Readers) == 0 {
			out = append(out, in.projectArch(n, row)...)
			continue
		}
		for _, it := range gpu.ParseArchList(in.env(n), gpu.Spelling(row.Spelling)) {
			out = append(out, archItem{n, in.env(n), row, it})
		}
	}
	return out
}

// projectArch reads a variable that only the project itself reads (CUDA_ARCH): its spelling is the project's, so
// every one is taken, and none is wrong.
func (in *Input) projectArch(name string, row data.Variable) []archItem {
	arch, err := gpu.ParseArch(in.env(name))
	if err != nil || !slices.Contains(in.Project.Reads, name) {
		return nil
	}
	row.Spelling = string(gpu.SM)
	row.Readers = []data.Reader{{Tool: "the project's own build"}}
	return []archItem{{name, in.env(name), row, gpu.Item{Text: in.env(name), Arch: arch}}}
}

func archMisspelled(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, a := range in.archItems() {
		if a.variable == "CUDA_COMPUTE_CAP" && a.item.Arch.Suffix != "" && in.locks("bindgen_cuda") {
			a.item.Want = a.item.Arch.CC.Digits()
			a.item.Why = fmt.Sprintf("bindgen_cuda reads a number and nothing else, and stops with \"Could not parse code\": it wants %s", a.item.Want)
		}
		if a.item.Why == "" || in.readByCudaforge(a) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s=%q is not spelled as its readers want", a.variable, a.value),
			Where: fmt.Sprintf("read by %s", a.row.Readers[0].Tool),
			Why:   a.item.Why,
		}
		if a.item.Want != "" {
			f.Next = []finding.Step{setVariable(in, a.variable, respelled(a))}
		}
		out = append(out, f)
	}
	return out
}

// respelled is the whole value with the one entry corrected: the other entries of a list stay.
func respelled(a archItem) string {
	if a.row.Separator == "" {
		return a.item.Want
	}
	entries := strings.FieldsFunc(a.value, func(r rune) bool { return strings.ContainsRune(a.row.Separator, r) })
	for i, e := range entries {
		if e == a.item.Text {
			entries[i] = a.item.Want
		}
	}
	return strings.Join(entries, a.row.Separator[:1])
}

// readByCudaforge: cudaforge takes sm_90a where bindgen_cuda wants 90; with cudaforge alone in the project the
// spelling is right.
func (in *Input) readByCudaforge(a archItem) bool {
	if a.variable != "CUDA_COMPUTE_CAP" || a.item.Arch.IsZero() {
		return false
	}
	return in.locks("cudaforge") && !in.locks("bindgen_cuda") && a.item.Text == a.item.Arch.String()
}

// locks says that the project's lock file has the crate.
func (in *Input) locks(crate string) bool {
	return slices.ContainsFunc(in.Project.Crates, func(c fact.Crate) bool { return c.Name == crate })
}

func archUnknown(in *Input) []finding.Finding {
	if in.Chosen.Toolkit == nil {
		return nil
	}
	t := *in.Chosen.Toolkit
	rel := choice.Release(t)
	if len(compat.ArchsOf(rel)) == 0 {
		return nil
	}
	var out []finding.Finding
	for _, a := range in.archItems() {
		if a.item.Arch.IsZero() || compat.Knows(rel, a.item.Arch) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s=%s names an architecture %s does not know", a.variable, a.value, name(t)),
			Where: t.Root,
			Why:   fmt.Sprintf("%s is in no list of any release", a.item.Arch),
		}
		cc := a.item.Arch.CC
		if first := compat.FirstToolkit(cc); !first.IsZero() && rel.Short().Less(first) {
			f.Why = fmt.Sprintf("%s exists from CUDA %s on", a.item.Arch, first)
			f.Next = in.otherToolkit(first, parseV(""))
		} else if last := compat.LastToolkit(cc); !last.IsZero() && last.Short().Less(rel.Short()) {
			f.Why = fmt.Sprintf("%s was dropped after CUDA %s", a.item.Arch, last)
			f.Label = "arch-dropped-by-toolkit"
			f.Next = in.otherToolkit(parseV(""), last)
		}
		f.Next = append(in.ownArch(a, rel), f.Next...)
		out = append(out, f)
	}
	return out
}

// ownArch sets the variable to the one GPU here, where the toolkit knows it: a leftover of another machine is the
// usual cause.
func (in *Input) ownArch(a archItem, rel version.V) []finding.Step {
	ccs := in.ccs()
	if len(ccs) != 1 {
		return nil
	}
	for cc := range ccs {
		if compat.Knows(rel, cc.SM()) {
			return []finding.Step{setVariable(in, a.variable, gpu.Spell(cc.SM(), false, gpu.Spelling(a.row.Spelling)))}
		}
	}
	return nil
}

// archNotForGPU looks at each variable as a whole: one entry that runs here is enough.
func archNotForGPU(in *Input) []finding.Finding {
	byVariable := map[string][]archItem{}
	var order []string
	for _, a := range in.archItems() {
		if a.item.Arch.IsZero() {
			continue
		}
		if len(byVariable[a.variable]) == 0 {
			order = append(order, a.variable)
		}
		byVariable[a.variable] = append(byVariable[a.variable], a)
	}
	var out []finding.Finding
	for _, variable := range order {
		for _, cc := range in.capabilities() {
			if f, bad := notFor(in, byVariable[variable], cc, in.ccs()[cc]); bad {
				out = append(out, f)
			}
		}
	}
	return out
}

func notFor(in *Input, items []archItem, cc gpu.CC, product string) (finding.Finding, bool) {
	why, jit := "", false
	for _, a := range items {
		ok, reason := compat.Runs(a.item.Arch, cc)
		if ptx, _ := compat.Runs(a.item.Arch.PTX(), cc); ptx && in.keepsPTX(a) {
			jit = true
		}
		if !ok && a.item.PTX {
			ok, _ = compat.Runs(a.item.Arch.PTX(), cc)
		}
		if ok {
			return finding.Finding{}, false
		}
		why = reason
	}
	a := items[0]
	want := gpu.Spell(cc.SM(), false, gpu.Spelling(a.row.Spelling))
	f := finding.Finding{
		What:  fmt.Sprintf("%s=%s makes code that %s (compute capability %s) cannot run", a.variable, a.value, product, cc),
		Where: "environment",
		Why:   why,
		Next:  []finding.Step{setVariable(in, a.variable, withEntry(a, want))},
	}
	if jit {
		f.Severity = finding.Info
		f.What = fmt.Sprintf("%s=%s makes code that %s (compute capability %s) runs through PTX only", a.variable, a.value, product, cc)
		f.Why = why + "; bindgen_cuda keeps the PTX, which the driver compiles for this GPU at the first start"
	}
	return f, true
}

// withEntry adds an architecture to a list, and replaces a variable that takes one alone.
func withEntry(a archItem, want string) string {
	if a.row.Separator == "" {
		return want
	}
	return a.value + a.row.Separator[:1] + want
}

// keepsPTX: bindgen_cuda gives nvcc -arch=sm_N, which keeps PTX beside the machine code, and --ptx; cudaforge
// names the machine code alone (bindgen_cuda 0.1.6 src/lib.rs, cudaforge 0.1.6 src/compute_cap.rs).
func (in *Input) keepsPTX(a archItem) bool {
	return a.variable == "CUDA_COMPUTE_CAP" && in.locks("bindgen_cuda") && !in.locks("cudaforge")
}
