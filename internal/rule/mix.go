package rule

import (
	"fmt"
	"strings"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var mixRules = []Rule{
	{ID: "ptxas-other-release", Severity: finding.Error, Title: "nvcc and ptxas of one root are of different releases", Label: "mixed-toolkits", Check: ptxasOther},
	{ID: "headers-other-release", Severity: finding.Error, Title: "nvcc and cuda.h of one root are of different releases", Label: "mixed-toolkits", Check: headersOther},
	{ID: "ptxas-on-path-other-release", Severity: finding.Info, Title: "ptxas on PATH belongs to another toolkit than nvcc", Label: "mixed-toolkits", Check: ptxasOnPath},
	{ID: "distribution-nvcc-shadows", Severity: finding.Warning, Title: "the distribution's nvcc comes before another toolkit's", Label: "mixed-toolkits", On: linuxLike, Check: distributionShadows},
	{ID: "toolkits-layered", Severity: finding.Warning, Title: "two toolkits of different releases are on PATH", Label: "mixed-toolkits", CausedBy: []string{"distribution-nvcc-shadows"}, Check: layered},
	{ID: "library-path-other-toolkit", Severity: finding.Warning, Title: "a library or include path names another toolkit than nvcc", Label: "mixed-toolkits", Check: libraryPath},
}

func ptxasOther(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		n, p := parseV(t.Nvcc.Value).Short(), parseV(t.Ptxas.Value).Short()
		if n.IsZero() || p.IsZero() || n == p {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			Subject:  t.Home(),
			What:     fmt.Sprintf("nvcc is of CUDA %s, ptxas beside it of %s", n, p),
			Where:    t.Parts[fact.PartPtxas],
			Why:      "the stages of one compile must be of one release: PTX of a newer one is refused, and other faults are silent",
			Next:     append(ownRepair(t), advice("install one release whole into "+t.Root+"; do not copy parts between toolkits")),
			Evidence: []finding.Evidence{evidence(t.Nvcc.Source, t.Nvcc.Value), evidence(t.Ptxas.Source, t.Ptxas.Value)},
		})
	}
	return out
}

func headersOther(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		n, h := parseV(t.Nvcc.Value).Short(), parseV(t.Header.Value).Short()
		if n.IsZero() || h.IsZero() || n == h {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			Subject:  t.Home(),
			What:     fmt.Sprintf("nvcc is of CUDA %s, the headers beside it of %s", n, h),
			Where:    t.Header.Source,
			Why:      "nvcc compiles against the headers of its own root; a mix fails in the headers or links wrong symbols",
			Next:     append(ownRepair(t), advice("install nvcc and headers of one release into "+t.Root)),
			Evidence: []finding.Evidence{evidence(t.Nvcc.Source, t.Nvcc.Value), evidence(t.Header.Source, t.Header.Value)},
		})
	}
	return out
}

// onPath lists the toolkits in PATH order by the folder that holds their nvcc.
func (in *Input) onPath() []*fact.Toolkit {
	var out []*fact.Toolkit
	seen := map[string]bool{}
	for _, d := range in.Machine.Path {
		for i := range in.Machine.Toolkits {
			t := &in.Machine.Toolkits[i]
			if seen[t.Home()] || !t.Has(fact.PartNvcc) || !holdsNvcc(in, *t, d) {
				continue
			}
			seen[t.Home()] = true
			out = append(out, t)
		}
	}
	return out
}

func holdsNvcc(in *Input, t fact.Toolkit, d fact.PathDir) bool {
	s := in.Paths()
	for _, dir := range []string{d.Dir, d.Real} {
		if dir == "" {
			continue
		}
		for _, bin := range []string{s.Dir(t.Parts[fact.PartNvcc]), s.Join(t.Root, "bin"), s.Join(t.Home(), "bin")} {
			if s.Same(dir, bin) {
				return true
			}
		}
	}
	return false
}

func ptxasOnPath(in *Input) []finding.Finding {
	if in.Active.Toolkit == nil {
		return nil
	}
	for _, tool := range in.Machine.Tools {
		if tool.Name != "ptxas" {
			continue
		}
		t := in.owner(tool.Path)
		if t != nil && t.Home() != in.Active.Toolkit.Home() {
			return one(finding.Finding{
				What:  "ptxas on PATH is of " + name(*t) + ", nvcc of " + name(*in.Active.Toolkit),
				Where: tool.Path,
				Why:   "nvcc takes its own; XLA and scripts that start ptxas by name take this one",
			})
		}
	}
	return nil
}

func distributionShadows(in *Input) []finding.Finding {
	path := in.onPath()
	if len(path) == 0 || path[0].Origin != "distribution" {
		return nil
	}
	for i := range in.Machine.Toolkits {
		t := &in.Machine.Toolkits[i]
		if t.Home() == path[0].Home() || !t.Has(fact.PartNvcc) || t.Origin == "distribution" {
			continue
		}
		return one(finding.Finding{
			What:  fmt.Sprintf("the distribution's nvcc (%s) comes before %s", name(*path[0]), name(*t)),
			Where: path[0].Parts[fact.PartNvcc] + " before " + t.Parts[fact.PartNvcc],
			Why:   "whatever starts nvcc by name gets the distribution's, with headers and libraries of its own in /usr",
			Next: []finding.Step{
				command("export PATH="+quote(in.Paths().Join(t.Root, "bin"))+`:"$PATH"`, "puts the other one first"),
				advice("or remove the distribution's package (nvidia-cuda-toolkit)"),
			},
		})
	}
	return nil
}

func layered(in *Input) []finding.Finding {
	path := in.onPath()
	for _, t := range path[min(1, len(path)):] {
		if short(*t) == short(*path[0]) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s and %s are both on PATH", name(*path[0]), name(*t)),
			Where: path[0].Root + " before " + t.Root,
			Why:   layeredWhy(in),
			Next:  []finding.Step{layeredHint(*t)},
		}
		if in.Paths().Windows() {
			f.Severity = finding.Info // every installer leaves PATH like this
		}
		return one(f)
	}
	return nil
}

func layeredHint(second fact.Toolkit) finding.Step {
	if second.Origin == "distribution" {
		return advice("nothing to do while only tools of the first are used; else remove the distribution's package (nvidia-cuda-toolkit)")
	}
	return advice("keep the bin of one release on PATH; nothing to do while only what the first one has is used")
}

func layeredWhy(in *Input) string {
	why := "the first one is used; a tool that only the second one has is then of the other release"
	if in.Paths().Windows() {
		why += ", and DLLs of one name (cudart64_12.dll, cublas64_12.dll) are loaded from the first that has them"
	}
	return why
}

// libraryPath looks at the variables that lead compilers, linkers and the loader to a folder.
func libraryPath(in *Input) []finding.Finding {
	if in.Active.Toolkit == nil {
		return nil
	}
	var out []finding.Finding
	for _, row := range data.Variables() {
		if row.Kind != "library-path" {
			continue
		}
		for _, dir := range in.Paths().List(in.env(row.Name)) {
			t := in.owner(dir)
			if t == nil || t.Home() == in.Active.Toolkit.Home() || short(*t) == short(*in.Active.Toolkit) {
				continue
			}
			out = append(out, finding.Finding{
				What:  fmt.Sprintf("%s leads to %s, nvcc is of %s", row.Name, name(*t), name(*in.Active.Toolkit)),
				Where: row.Name + "=" + strings.TrimSpace(in.env(row.Name)),
				Why:   dir + " belongs to another toolkit: headers or libraries of two releases meet in one build or process",
				Next:  []finding.Step{in.withoutOthers(row.Name)},
			})
			break
		}
	}
	return out
}

// withoutOthers sets a list variable to what is left without the folders of other releases.
func (in *Input) withoutOthers(variable string) finding.Step {
	var kept []string
	for _, dir := range in.Paths().List(in.env(variable)) {
		if t := in.owner(dir); t == nil || short(*t) == short(*in.Active.Toolkit) {
			kept = append(kept, dir)
		}
	}
	if len(kept) == 0 {
		return unset(in, variable, "in this shell, and where it was set")
	}
	return setVariable(in, variable, strings.Join(kept, in.Paths().ListSeparator()))
}
