package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/gpu"
)

// archGPU asks of each device here whether something of what is built runs on it.
func archGPU(j *judge, _ string, c *Check) {
	c.Key = cmp.Or(j.targetsKey, "arch")
	c.Expected = cmp.Or(archText(j.archs()), "the GPUs here")
	if j.noGPU(c) {
		return
	}
	known, untold := j.devices()
	var have, dead, why, jit []string
	code := j.code()
	for _, d := range known {
		best := loaded(code, d.cc)
		switch {
		case best.IsZero():
			have, dead, why = append(have, d.String()), append(dead, d.String()), append(why, deadWhy(code, d.cc)...)
		case best.Virtual:
			have, jit = append(have, d.String()+" by PTX"), append(jit, d.String())
		default:
			have = append(have, d.String()+" by "+best.String())
		}
	}
	c.Found = strings.Join(have, ", ")
	level, _ := choice.Level(j.Machine)
	switch {
	case len(dead) > 0:
		j.onDevice(c, "nothing that is built runs on "+strings.Join(dead, ", "), j.allWhy(why))
	case len(jit) > 0 && !level.IsZero() && level.Less(j.rel.Short()):
		j.onDevice(c, "only PTX would run on "+strings.Join(jit, ", ")+", and the driver refuses it", fmt.Sprintf("the driver supports up to CUDA %s and does not compile PTX of CUDA %s (error 222)", level, j.rel.Short()))
	case untold > 0:
		c.warn("the compute capability of a GPU is not known", "so it is not known whether the code runs on it", j.doctorStep())
	case len(jit) > 0:
		c.Why = strings.Join(jit, ", ") + " runs PTX, which the driver compiles at the first start"
	}
}

// loaded is the code that a device runs: machine code before PTX, of each the nearest to the device; zero when
// nothing runs.
func loaded(code []gpu.Arch, device gpu.CC) (best gpu.Arch) {
	for _, a := range code {
		ok, _ := compat.Runs(a, device)
		nearer := best.Virtual == a.Virtual && a.CC.Compare(best.CC) > 0
		if ok && (best.IsZero() || best.Virtual && !a.Virtual || nearer) {
			best = a
		}
	}
	return best
}

// deadWhy says of each code why a device does not run it, code of the device's own major first: it is the nearest
// miss.
func deadWhy(code []gpu.Arch, device gpu.CC) (why []string) {
	own := func(a gpu.Arch) int {
		if a.CC.Major == device.Major {
			return 0
		}
		return 1
	}
	code = slices.Clone(code)
	slices.SortStableFunc(code, func(a, b gpu.Arch) int { return cmp.Compare(own(a), own(b)) })
	for _, a := range code {
		_, reason := compat.Runs(a, device)
		why = append(why, reason)
	}
	return why
}

// manyWhys is how many reasons a person reads.
const manyWhys = 3

func (j *judge) allWhy(list []string) string {
	var out []string
	for _, w := range list {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if more := len(out) - manyWhys; more > 0 {
		out = append(out[:manyWhys], fmt.Sprintf("and so for %d more", more))
	}
	if p := j.Contract.Arch.PTX; p == "" || p == "none" {
		out = append(out, "arch.ptx keeps no PTX for later devices")
	}
	return strings.Join(out, "; ")
}
