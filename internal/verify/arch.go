package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/finding"
	"cupel/internal/gpu"
)

// target is an architecture and the key that asks for it.
type target struct {
	arch gpu.Arch
	key  string
}

// wanted lists every target that the toolkit must know: those of [arch], then those of the kernels built here.
func (j *judge) wanted() []target {
	var out []target
	add := func(a gpu.Arch, key string) {
		if !slices.ContainsFunc(out, func(t target) bool { return t.arch == a }) {
			out = append(out, target{a, key})
		}
	}
	for _, a := range j.targets {
		add(a, j.targetsKey)
	}
	if f := j.Contract.Arch.Fallback; f != nil && len(out) == 0 {
		add(f.Arch, "arch.fallback")
	}
	for i, k := range j.Contract.Kernels {
		if j.Platform.Is(k.ExcludeOn) || k.Optional {
			continue
		}
		list, key := kernelTargets(k, i, j)
		for _, t := range list {
			add(t.Arch, key)
		}
		for n, file := range k.PerFile {
			for _, t := range file.Archs {
				if !file.Optional {
					add(t.Arch, fmt.Sprintf("kernels[%d].per-file[%d].archs", i, n))
				}
			}
		}
	}
	return out
}

// kernelTargets are a kernel's own: by the toolkit first, as in [arch].
func kernelTargets(k contract.Kernel, i int, j *judge) ([]contract.Target, string) {
	for n, row := range k.ArchsByToolkit {
		if row.Toolkit.Has(j.rel) {
			return row.Targets, fmt.Sprintf("kernels[%d].archs-by-toolkit[%d]", i, n)
		}
	}
	return k.Archs, fmt.Sprintf("kernels[%d].archs", i)
}

// code lists what a build leaves in the program: machine code for every target, and PTX as arch.ptx says.
func (j *judge) code() []gpu.Arch {
	list := slices.Clone(j.archs())
	if f := j.Contract.Arch.Fallback; len(list) == 0 && f != nil {
		list = append(list, f.Arch)
	}
	return append(list, j.ptx(list)...)
}

func (j *judge) ptx(list []gpu.Arch) []gpu.Arch {
	var out []gpu.Arch
	if len(list) == 0 {
		return nil
	}
	switch j.Contract.Arch.PTX {
	case "all":
		for _, a := range list {
			out = append(out, a.PTX())
		}
	case "highest":
		out = append(out, slices.MaxFunc(list, gpu.Arch.Compare).PTX())
	}
	return out
}

func archText(list []gpu.Arch) string {
	var words []string
	for _, a := range list {
		words = append(words, a.String())
	}
	return strings.Join(words, ", ")
}

// archToolkit asks of each target whether the chosen nvcc takes it.
func archToolkit(j *judge, _ string, c *Check) {
	all := j.wanted()
	var list []gpu.Arch
	for _, t := range all {
		list = append(list, t.arch)
	}
	c.Key, c.Expected = cmp.Or(j.targetsKey, "arch"), archText(list)
	switch {
	case len(list) == 0:
		c.skip(fmt.Sprintf("the contract names no target for %s", choice.Name(*j.t)))
		return
	case len(compat.ArchsOf(j.rel)) == 0:
		c.skip(fmt.Sprintf("the tables do not know the targets of %s", choice.Name(*j.t)))
		return
	}
	var unknown, why, old []string
	for _, t := range all {
		switch {
		case !compat.Knows(j.rel, t.arch):
			unknown = append(unknown, t.arch.String())
			why = append(why, sinceWhen(t.arch))
			c.Key = t.key
		case slices.Contains(compat.DeprecatedArchs(j.rel), t.arch):
			old = append(old, t.arch.String())
		}
	}
	c.Found = "all of them"
	switch {
	case len(unknown) > 0:
		c.Found = "not " + strings.Join(unknown, ", ")
		steps := append(j.knowing(list), command("cupel compat toolkit "+j.rel.Short().String(), "the targets it knows"),
			advice("or give this toolkit its own targets in arch.by-toolkit"))
		c.fail(fmt.Sprintf("%s does not know %s", choice.Name(*j.t), strings.Join(unknown, ", ")), strings.Join(why, "; "), steps...)
	case len(old) > 0:
		c.Why = choice.Name(*j.t) + " warns that these will go: " + strings.Join(old, ", ")
	}
}

func sinceWhen(a gpu.Arch) string {
	first, last := compat.FirstToolkit(a.CC), compat.LastToolkit(a.CC)
	switch {
	case !last.IsZero():
		return fmt.Sprintf("%s is known from CUDA %s to %s", a, first, last)
	case a.Suffix != "":
		return fmt.Sprintf("%s is a variant that some releases have", a)
	}
	return fmt.Sprintf("%s is known from CUDA %s on", a, first)
}

// knowing names an installed toolkit in bounds that knows every target.
func (j *judge) knowing(list []gpu.Arch) []finding.Step {
	for _, t := range j.Machine.Toolkits {
		rel := choice.Release(t)
		band, _ := bandOf(j.req.Toolkit, rel)
		unknown := slices.ContainsFunc(list, func(a gpu.Arch) bool { return !compat.Knows(rel, a) })
		if !unknown && choice.Complete(t) && (band == Supported || band == Recommended) {
			return []finding.Step{command(j.evalEnv("--toolkit "+j.nameFor(t)), choice.Name(t)+" is installed and knows them")}
		}
	}
	return []finding.Step{plan()}
}
