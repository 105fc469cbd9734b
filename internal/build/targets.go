package build

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// code is what goes into the outputs of one file: machine code, and PTX beside it.
type code struct {
	real    []gpu.Arch
	ptx     []gpu.Arch
	instead []gpu.Arch // those of ptx that stand for targets which the toolkit does not know
}

func (c code) empty() bool { return len(c.real)+len(c.ptx) == 0 }

// noCubin: virtual targets alone make no machine code. Where PTX stands for a target that the toolkit does not know, a warning
// has told it.
func (c code) noCubin() error {
	if len(c.real) > 0 || len(c.instead) > 0 {
		return nil
	}
	var asked, write []string
	for _, a := range c.ptx {
		asked, write = append(asked, a.String()), append(write, gpu.Arch{CC: a.CC, Suffix: a.Suffix}.String())
	}
	return fmt.Errorf("no cubin is made for %s, which is PTX alone: write %s", strings.Join(asked, ", "), strings.Join(write, ", "))
}

// targets are those of a kernel: by the toolkit first, then its own, then those of [arch].
func (j Job) targets(k contract.Kernel) []gpu.Arch {
	for _, row := range k.ArchsByToolkit {
		if row.Toolkit.Has(j.Tools.Release) {
			return archsOf(row.Targets)
		}
	}
	if len(k.Archs) > 0 {
		return archsOf(k.Archs)
	}
	return j.Targets
}

// outgrown tells which targets a toolkit has left behind, and what it begins with.
func outgrown(asked []gpu.Arch, rel version.V) string {
	known := compat.ArchsOf(rel)
	if len(asked) == 0 || len(known) == 0 {
		return ""
	}
	asked = sorted(asked)
	var names []string
	for _, a := range asked {
		names = append(names, a.String())
	}
	return fmt.Sprintf(": %s is asked for, it begins with %s (see: cupel compat gpu %s)", strings.Join(names, ", "), known[0], asked[len(asked)-1].CC)
}

func archsOf(list []contract.Target) []gpu.Arch {
	var out []gpu.Arch
	for _, t := range list {
		out = append(out, t.Arch)
	}
	return out
}

// codeFor turns targets into what this toolkit can make of them, and says what it cannot. A target that came after the
// toolkit gets the nearest PTX, which the driver compiles; one that went before it gets nothing.
func codeFor(list []gpu.Arch, rel version.V, policy string) (code, []warned) {
	var c code
	var notes []warned
	known := compat.ArchsOf(rel)
	for _, a := range sorted(list) {
		switch near := nearest(known, a); {
		case len(known) == 0 || compat.Knows(rel, a):
			c.add(a)
		case near.IsZero():
			notes = append(notes, warned{"arch-dropped-by-toolkit", fmt.Sprintf("CUDA %s makes no code for %s: it is left out", rel.Short(), a)})
		default:
			c.add(near.PTX())
			if !slices.Contains(c.instead, near.PTX()) {
				c.instead = append(c.instead, near.PTX())
			}
			notes = append(notes, warned{"arch-newer-than-toolkit", fmt.Sprintf("CUDA %s does not know %s: PTX of %s is built instead, which the driver compiles", rel.Short(), a, near.PTX())})
		}
	}
	switch {
	case policy == "all":
		for _, a := range c.real {
			c.add(a.PTX())
		}
	case policy == "highest" && len(c.real) > 0 && len(c.ptx) == 0:
		c.add(highest(c.real).PTX())
	}
	c.ptx = sorted(c.ptx)
	return c, notes
}

// highest is the target whose PTX serves the newest devices: PTX of sm_90a is for that device alone, so one without a suffix
// goes before it, where there is one.
func highest(list []gpu.Arch) gpu.Arch {
	for _, a := range slices.Backward(list) {
		if a.Suffix == "" {
			return a
		}
	}
	return list[len(list)-1]
}

func (c *code) add(a gpu.Arch) {
	list := &c.real
	if a.Virtual {
		list = &c.ptx
	}
	if !slices.Contains(*list, a) {
		*list = append(*list, a)
	}
}

// nearest is the newest target of the toolkit whose PTX runs on a device of the wanted one.
func nearest(known []gpu.Arch, want gpu.Arch) gpu.Arch {
	for _, a := range slices.Backward(known) {
		if runs, _ := compat.Runs(a.PTX(), want.CC); runs && a.Suffix == "" {
			return a
		}
	}
	return gpu.Arch{}
}

func sorted(list []gpu.Arch) []gpu.Arch {
	list = slices.Clone(list)
	slices.SortFunc(list, gpu.Arch.Compare)
	return slices.Compact(list)
}

// atLeast leaves lower targets out.
func atLeast(list []gpu.Arch, min *contract.CC) []gpu.Arch {
	if min == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(a gpu.Arch) bool { return a.CC.Compare(min.CC) < 0 })
}

// gencode are the options for several targets in one file.
func (c code) gencode() []string { return gencode(slices.Concat(c.real, c.ptx)) }

// linked are those for the device linker, which makes machine code; of a kernel that has none it is given the PTX.
func (c code) linked() []string {
	if len(c.real) == 0 {
		return c.gencode()
	}
	return gencode(c.real)
}

func gencode(list []gpu.Arch) []string {
	var out []string
	for _, a := range list {
		out = append(out, "-gencode", fmt.Sprintf("arch=%s,code=%s", a.PTX(), a))
	}
	return out
}

// ptxFiles are the targets of PTX files: one for the highest where the contract says that this is enough, else one for
// each target.
func (c code) ptxFiles(policy string) []gpu.Arch {
	all := slices.Clone(c.ptx)
	for _, a := range c.real {
		all = append(all, a.PTX())
	}
	all = sorted(all)
	if policy == "highest" && len(all) > 1 {
		return []gpu.Arch{highest(all)}
	}
	return all
}

// serves says in words on which devices PTX runs.
func serves(a gpu.Arch) string {
	switch a.Suffix {
	case "a":
		return fmt.Sprintf("devices of %s alone", a.CC)
	case "f":
		return fmt.Sprintf("devices of the family of %s from it on", a.CC)
	}
	return fmt.Sprintf("devices of %s and newer", a.CC)
}
