package rule

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/finding"
)

func pipLayout(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Origin != "pip" || !t.Has(fact.PartNvcc) {
			continue
		}
		var wrong []string
		if !t.Has(fact.PartLib64) && !in.linkerLooksIn(t) {
			wrong = append(wrong, "libraries lie in lib, nvcc looks in lib64")
		}
		if !t.Has(fact.PartCudart) && t.Has(fact.PartCudartReal) {
			wrong = append(wrong, "only versioned names (no libcudart.so)")
		}
		if len(wrong) == 0 {
			continue // repaired; what -lcuda needs is libcuda-not-linkable's matter
		}
		if !t.Has(fact.PartStub) {
			wrong = append(wrong, "no libcuda stub")
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, pipSeverity(wrong)),
			Subject:  t.Home(),
			What:     name(t) + " is laid out as Python wheels: nvcc compiles, but does not find its own libraries when it links",
			Where:    t.Root,
			Why:      strings.Join(wrong, "; "),
			Next: append([]finding.Step{
				command(in.evalEnv(in.toolkitFlag(t)), "lets nvcc link its static runtime; -cudart shared still wants libcudart.so"),
				command(fmt.Sprintf("ln -sfn lib %s && for f in %s/*.so.*; do ln -sf \"$(basename \"$f\")\" \"${f%%%%.so.*}.so\"; done", quote(in.Paths().Join(t.Root, "lib64")), quote(in.Paths().Join(t.Root, "lib"))), "gives nvcc the names it looks for; -lcuda still needs a driver or a stub"),
			}, in.sameRelease(t, "the same release as a normal root, without root")...),
		})
	}
	return out
}

// linkerLooksIn says that LIBRARY_PATH leads the linker to the toolkit's libraries, as cupel env makes it.
func (in *Input) linkerLooksIn(t fact.Toolkit) bool {
	return slices.ContainsFunc(in.Paths().List(in.env("LIBRARY_PATH")), func(dir string) bool {
		return slices.ContainsFunc(t.Libs, func(lib string) bool { return in.Paths().Same(lib, dir) })
	})
}

// pipSeverity: with the library folder known to the linker, only -cudart shared and -lcuda still fail.
func pipSeverity(wrong []string) finding.Severity {
	if slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, "lib64") }) {
		return finding.Warning
	}
	return finding.Info
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
			Why:   "headers and libraries lie below targets/: nvcc finds them, other compilers only with what the environment's activation sets",
		}
		if in.env("CUDA_HOME") == "" && in.matters(t) && !in.Paths().Windows() {
			f.Next = []finding.Step{command("export CUDA_HOME="+quote(t.Root), "for builders that read it (torch's cpp_extension among them)")}
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
			Why:   "there is no one folder that holds bin, include, lib64 and nvvm: builders that look for them below one root fail",
		})
	}
	return out
}
