package environ

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/gpu"
)

// archs writes the architectures in the spelling of each reader. CUDA_ARCH is left alone: every project that
// reads it means something else by it.
func (w *writer) archs() {
	list, why := w.opt.Archs, "asked for"
	if len(list) == 0 {
		list, why = w.gpuArchs(), "the GPUs of this machine"
	} else {
		w.noteUnknown(list)
	}
	if len(list) == 0 {
		return
	}
	list = slices.Clone(list)
	slices.SortFunc(list, gpu.Arch.Compare)
	list = slices.Compact(list)
	w.assign("CUDA_COMPUTE_CAP", w.one(list), why)
	w.assign("CUDAARCHS", cmakeList(list), why)
	w.assign("TORCH_CUDA_ARCH_LIST", torchList(list), why)
}

// one serves readers of a single number: the lowest, because newer GPUs can run its PTX and not the reverse.
func (w *writer) one(list []gpu.Arch) string {
	first := list[0]
	if slices.ContainsFunc(list, func(a gpu.Arch) bool { return a.CC != first.CC }) {
		w.note(fmt.Sprintf("CUDA_COMPUTE_CAP takes one number: %s, the lowest of the list", first.Digits()))
	}
	if first.Suffix != "" {
		w.note(fmt.Sprintf("CUDA_COMPUTE_CAP=%s is read by cudaforge; bindgen_cuda takes digits only", first.Digits()))
	}
	return first.Digits()
}

// gpuArchs gives for each GPU its own target, or the nearest one of the toolkit whose code runs on it.
func (w *writer) gpuArchs() []gpu.Arch {
	var list []gpu.Arch
	for _, g := range w.m.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if err != nil || !g.CC.Known() {
			continue
		}
		if a, ok := w.target(g, cc); ok && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

func (w *writer) target(g fact.GPU, cc gpu.CC) (gpu.Arch, bool) {
	known := compat.ArchsOf(choice.Release(w.t))
	if len(known) == 0 || slices.Contains(known, cc.SM()) {
		return cc.SM(), true
	}
	for _, a := range slices.Backward(known) {
		if ok, _ := compat.Runs(a, cc); ok && a.Suffix == "" {
			w.note(fmt.Sprintf("%s has no target for %s (%s): %s is used, which runs on it", choice.Name(w.t), g.Name, cc.SM(), a))
			return a, true
		}
	}
	w.note(fmt.Sprintf("%s makes no code for %s (%s): no architecture is set for it", choice.Name(w.t), g.Name, cc.SM()))
	return gpu.Arch{}, false
}

func (w *writer) noteUnknown(list []gpu.Arch) {
	rel := choice.Release(w.t)
	for _, a := range list {
		if len(compat.ArchsOf(rel)) > 0 && !compat.Knows(rel, a) {
			w.note(fmt.Sprintf("%s does not know %s", choice.Name(w.t), a))
		}
	}
}

// cmakeList: a plain number is machine code and PTX, as a person who names an architecture means it.
func cmakeList(list []gpu.Arch) string {
	var words []string
	for _, a := range list {
		word := a.Digits()
		if a.Virtual {
			if slices.Contains(list, real(a)) {
				continue
			}
			word += "-virtual"
		}
		words = append(words, word)
	}
	return strings.Join(words, ";")
}

// torchList: +PTX stands behind the number whose PTX is wanted too; PTX alone cannot be said.
func torchList(list []gpu.Arch) string {
	var words []string
	for _, a := range list {
		if a.Virtual && slices.Contains(list, real(a)) {
			continue
		}
		word := a.CC.String() + a.Suffix
		if a.Virtual || slices.Contains(list, a.PTX()) {
			word += "+PTX"
		}
		words = append(words, word)
	}
	return strings.Join(words, ";")
}

func real(a gpu.Arch) gpu.Arch { a.Virtual = false; return a }
