package rule

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var toolkitRules = []Rule{
	{ID: "toolkit-runtime-only", Severity: finding.Error, Title: "a toolkit has run-time libraries only, no compiler", Label: "nvcc-not-found", Check: runtimeOnly},
	{ID: "toolkit-incomplete", Severity: finding.Error, Title: "a toolkit lacks parts every compile needs", CausedBy: []string{"toolkit-runtime-only"}, Check: incomplete},
	{ID: "toolkit-link-parts-missing", Severity: finding.Warning, Title: "a toolkit lacks libraries that linking needs", Label: "toolkit-incomplete", CausedBy: []string{"toolkit-incomplete", "toolkit-runtime-only"}, Check: linkParts},
	{ID: "toolkit-pip-layout", Severity: finding.Warning, Title: "a toolkit from Python wheels: linking fails as delivered", Label: "toolkit-incomplete", On: linuxLike, Check: pipLayout},
	{ID: "toolkit-conda-layout", Severity: finding.Info, Title: "a toolkit from conda lies in targets/ and is found only through its environment", Check: condaLayout},
	{ID: "toolkit-distribution-layout", Severity: finding.Info, Title: "a distribution's toolkit is spread over /usr", On: linuxLike, Check: distributionLayout},
	{ID: "nvcc-unreadable", Severity: finding.Error, Title: "nvcc does not answer", Check: nvccUnreadable},
	{ID: "toolkit-release-unreadable", Severity: finding.Warning, Title: "a toolkit's release could not be read", CausedBy: []string{"nvcc-unreadable"}, Check: releaseUnreadable},
	{ID: "host-config-unreadable", Severity: finding.Warning, Title: "a toolkit's host compiler bounds could not be read", Check: boundsUnreadable},
	{ID: "toolkit-newer-than-table", Severity: finding.Info, Title: "a toolkit is newer than cupel's tables", Check: newerThanTable},
	{ID: "nvcc-not-on-path", Severity: finding.Warning, Title: "a toolkit is here, but no nvcc is on PATH", Label: "nvcc-not-found", CausedBy: []string{"toolkit-runtime-only", "no-toolkit"}, Check: nvccNotOnPath},
	{ID: "toolkit-path-has-space", Severity: finding.Warning, Title: "a toolkit's path has a blank or a foreign character", Label: "path-characters", On: linuxLike, Check: pathCharacters},
}

// compileParts are what every compile needs; linkParts come after it.
var compileParts = []string{fact.PartPtxas, fact.PartCicc, fact.PartCudafe, fact.PartFatbinary, fact.PartLibdevice, fact.PartRuntimeH, fact.PartCrt}

func lacks(t fact.Toolkit, parts []string) []string {
	var out []string
	for _, p := range t.Missing {
		if slices.Contains(parts, p) {
			out = append(out, p)
		}
	}
	return out
}

func runtimeOnly(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Has(fact.PartNvcc) {
			continue
		}
		f := finding.Finding{
			Severity: finding.Info,
			What:     name(t) + " has no compiler",
			Where:    t.Root,
			Why:      "nvcc is not there: these are run-time or development libraries alone",
		}
		if in.Chosen.Toolkit == nil || !in.Chosen.Toolkit.Has(fact.PartNvcc) {
			f.Severity = finding.Error
			f.Next = in.installHint()
		}
		out = append(out, f)
	}
	return out
}

func incomplete(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		missing := lacks(t, compileParts)
		if len(missing) == 0 || !t.Has(fact.PartNvcc) {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			What:     name(t) + " is incomplete: no " + strings.Join(missing, ", "),
			Where:    t.Root,
			Why:      "nvcc starts, but a compile needs these parts beside it; they come in components of their own since CUDA 13",
			Next:     in.completeHint(t, missing),
		})
	}
	return out
}

// completeHint names the packages that carry what is missing, by where the toolkit came from.
func (in *Input) completeHint(t fact.Toolkit, missing []string) []finding.Step {
	switch t.Origin {
	case "pip":
		return []finding.Step{command(fmt.Sprintf(`python3 -m pip install "cuda-toolkit[nvcc,cudart,cccl,crt,nvvm]==%s.*"`, short(t)), "all parts of one release")}
	case "conda":
		return []finding.Step{command(fmt.Sprintf("conda install -c conda-forge cuda-nvcc cuda-cudart-dev cuda-version=%s", short(t)), "in the same environment")}
	case "installer":
		if in.Machine.System.OS == fact.Windows {
			return []finding.Step{advice("run the CUDA installer again and choose the compiler and development parts of " + name(t))}
		}
		return []finding.Step{command(fmt.Sprintf("sudo apt-get install cuda-toolkit-%d-%d", short(t).Major(), short(t).Minor()), "completes the packages of NVIDIA's repository")}
	}
	return []finding.Step{advice("install " + strings.Join(missing, ", ") + " of the same release into " + t.Root)}
}

var linkNeeds = []string{fact.PartCudart, fact.PartCudartReal, fact.PartCudartA, fact.PartCudadevrt, fact.PartHeader, fact.PartNvlink}

func linkParts(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		missing := lacks(t, linkNeeds)
		if len(missing) == 0 || !t.Has(fact.PartNvcc) || t.Origin == "pip" {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			What:     name(t) + " lacks " + strings.Join(missing, ", "),
			Where:    t.Root,
			Why:      "kernels compile to PTX and cubin, but programs and libraries cannot be linked with it",
			Next:     in.completeHint(t, missing),
		})
	}
	return out
}

func pipLayout(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Origin != "pip" || !t.Has(fact.PartNvcc) {
			continue
		}
		var wrong []string
		if !t.Has(fact.PartLib64) {
			wrong = append(wrong, "libraries lie in lib, nvcc looks in lib64")
		}
		if !t.Has(fact.PartCudart) && t.Has(fact.PartCudartReal) {
			wrong = append(wrong, "only versioned names (no libcudart.so)")
		}
		if !t.Has(fact.PartStub) {
			wrong = append(wrong, "no libcuda stub")
		}
		if len(wrong) == 0 {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			What:     name(t) + " is laid out as Python wheels: compiling works, linking does not",
			Where:    t.Root,
			Why:      strings.Join(wrong, "; "),
			Next: []finding.Step{
				command(fmt.Sprintf("ln -s lib %s && for f in %s/*.so.*; do ln -sf \"$(basename \"$f\")\" \"${f%%%%.so.*}.so\"; done", quote(in.Paths().Join(t.Root, "lib64")), quote(in.Paths().Join(t.Root, "lib"))), "gives nvcc the names it looks for; -lcuda still needs a driver or a stub"),
			},
		})
	}
	return out
}

func condaLayout(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Origin != "conda" {
			continue
		}
		f := finding.Finding{
			What:  name(t) + " belongs to a conda environment",
			Where: t.Root,
			Why:   "headers and libraries lie below targets/; tools outside the environment do not look there",
		}
		if in.env("CUDA_HOME") == "" && in.matters(t) {
			f.Next = []finding.Step{command(`export CUDA_HOME="$CONDA_PREFIX"`, "for builders that read it (torch, cudarc 0.19)")}
		}
		out = append(out, f)
	}
	return out
}

func distributionLayout(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Origin != "distribution" || t.Home() != "/usr" {
			continue
		}
		out = append(out, finding.Finding{
			What:  name(t) + " comes from the distribution and is spread over /usr",
			Where: "/usr/bin/nvcc, /usr/lib/nvidia-cuda-toolkit",
			Why:   "there is no one folder to name in CUDA_HOME; builders that want lib64 or nvvm below a root do not find them",
		})
	}
	return out
}

func nvccUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Nvcc.State != fact.Unreadable {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			What:     "nvcc does not tell its version",
			Where:    t.Parts[fact.PartNvcc],
			Why:      t.Nvcc.Why,
			Next:     []finding.Step{command(quote(t.Parts[fact.PartNvcc])+" --version", "run it by hand; a wrapper script or a broken file stands there")},
			Evidence: []finding.Evidence{evidence(t.Nvcc.Source, t.Nvcc.Why)},
		})
	}
	return out
}

func releaseUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Release.Known() {
			continue
		}
		why := t.Release.Why
		if why == "" {
			why = "neither version.json nor nvcc nor cuda.h tells it"
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			What:     "the release of the toolkit in " + t.Root + " could not be read",
			Where:    t.Release.Source,
			Why:      why,
			Next:     []finding.Step{advice("install the toolkit again, or remove the folder when it is a leftover")},
		})
	}
	return out
}

func boundsUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Bounds.State != fact.Unreadable {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			What:     "the host compilers " + name(t) + " accepts could not be read from its header",
			Where:    t.Bounds.Source,
			Why:      t.Bounds.Why + "; the release table is used instead",
		})
	}
	return out
}

func newerThanTable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		rel := short(t)
		if rel.IsZero() {
			continue
		}
		if _, ok := compat.Release(rel); ok {
			continue
		}
		out = append(out, finding.Finding{
			What:  name(t) + " has no row in cupel's tables",
			Where: t.Root,
			Why:   "what it needs of driver, GPU and compiler is not known here; its own header is still read",
			Next:  []finding.Step{command("cupel version", "a newer cupel may know it")},
		})
	}
	return out
}

func nvccNotOnPath(in *Input) []finding.Finding {
	if in.Active.Toolkit != nil || in.Chosen.Toolkit == nil {
		return nil
	}
	t := *in.Chosen.Toolkit
	if !t.Has(fact.PartNvcc) {
		return nil
	}
	return one(finding.Finding{
		What:  "no nvcc is on PATH",
		Where: t.Parts[fact.PartNvcc],
		Why:   name(t) + " is installed, but bindgen_cuda, cudarc, CMake and others look for nvcc on PATH",
		Next:  []finding.Step{envCommand(in)},
	})
}

// envCommand puts the chosen toolkit in front in this shell.
func envCommand(in *Input) finding.Step {
	if in.Paths().Windows() {
		return command("cupel env --format powershell | Out-String | Invoke-Expression", "puts the chosen toolkit in front in this shell")
	}
	return command(`eval "$(cupel env)"`, "puts the chosen toolkit in front in this shell")
}

func pathCharacters(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if strings.IndexFunc(t.Home(), func(r rune) bool { return r == ' ' || r > 126 || strings.ContainsRune(`"'$`, r) }) < 0 {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			What:     "the path of " + name(t) + " has characters that build scripts split",
			Where:    t.Home(),
			Why:      "nvcc.profile and many builders pass paths unquoted",
			Next:     []finding.Step{advice("move the toolkit to a path of plain letters, or link to it from one")},
		})
	}
	return out
}
