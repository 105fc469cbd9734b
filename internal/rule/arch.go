package rule

import (
	"fmt"
	"sort"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/finding"
	"cupel/internal/gpu"
)

var archRules = []Rule{
	{ID: "arch-variable-misspelled", Severity: finding.Error, Title: "an architecture variable is spelled wrongly for its reader", Label: "cuda-build-target-unset", Check: archMisspelled},
	{ID: "arch-variable-unknown-to-toolkit", Severity: finding.Error, Title: "an architecture variable names one the toolkit does not know", Label: "arch-newer-than-toolkit", Check: archUnknown},
	{ID: "arch-variable-not-for-this-gpu", Severity: finding.Warning, Title: "an architecture variable names code this GPU cannot run", Label: "binary-lacks-gpu-arch", Check: archNotForGPU},
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
		if !ok || row.Kind != "arch" || row.Spelling == "" || len(row.Readers) == 0 {
			continue
		}
		for _, it := range gpu.ParseArchList(in.env(n), gpu.Spelling(row.Spelling)) {
			out = append(out, archItem{n, in.env(n), row, it})
		}
	}
	return out
}

func archMisspelled(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, a := range in.archItems() {
		if a.item.Why == "" || in.readByCudaforge(a) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s=%q is not spelled as its readers want", a.variable, a.value),
			Where: fmt.Sprintf("read by %s", a.row.Readers[0].Tool),
			Why:   a.item.Why,
		}
		if a.item.Want != "" {
			f.Next = []finding.Step{setVariable(in, a.variable, a.item.Want)}
		}
		out = append(out, f)
	}
	return out
}

// readByCudaforge: cudaforge takes sm_90a where bindgen_cuda wants 90; with cudaforge alone in the project the
// spelling is right.
func (in *Input) readByCudaforge(a archItem) bool {
	if a.variable != "CUDA_COMPUTE_CAP" || a.item.Arch.IsZero() {
		return false
	}
	forge := false
	for _, c := range in.Project.Crates {
		switch c.Name {
		case "bindgen_cuda":
			return false
		case "cudaforge":
			forge = true
		}
	}
	return forge && a.item.Text == a.item.Arch.String()
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
		out = append(out, f)
	}
	return out
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
		for cc, product := range in.ccs() {
			if f, bad := notFor(in, byVariable[variable], cc, product); bad {
				out = append(out, f)
			}
		}
	}
	return out
}

func notFor(in *Input, items []archItem, cc gpu.CC, product string) (finding.Finding, bool) {
	why := ""
	for _, a := range items {
		ok, reason := compat.Runs(a.item.Arch, cc)
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
	return finding.Finding{
		What:  fmt.Sprintf("%s=%s makes code that %s (compute capability %s) cannot run", a.variable, a.value, product, cc),
		Where: "environment",
		Why:   why,
		Next:  []finding.Step{setVariable(in, a.variable, want)},
	}, true
}
