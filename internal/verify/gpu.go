package verify

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/gpu"
)

func gpuCount(j *judge, _ string, c *Check) {
	want, have := j.Contract.GPU.MinCount, len(j.Machine.GPUs)
	c.Key, c.Expected, c.Found = "gpu.min-count", plural(want, "GPU"), j.gpuNames()
	switch {
	case !j.needsGPU():
		c.skip(noNeed)
	case have < want:
		c.fail(fmt.Sprintf("%s found, %d needed", plural(have, "GPU"), want), contract.Because("gpu.min-count in the contract", j.Contract.GPU.Reason), command("nvidia-smi -L", "lists what the driver sees"))
		if choice.LinuxDriverInWSL(j.Machine) != "" {
			c.CausedBy = "wsl-linux-driver" // the doctor's rule that tells of it
		}
	}
}

func (j *judge) gpuNames() string {
	var names []string
	for _, g := range j.Machine.GPUs {
		names = append(names, g.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// noGPU ends a check about devices where there are none to look at, or none that the contract cares for.
func (j *judge) noGPU(c *Check) bool {
	switch {
	case j.Platform.Is(j.Contract.GPU.ExcludeOn):
		c.skip(noNeed)
	case len(j.Machine.GPUs) == 0:
		c.Found = "none"
		c.skip("no GPU is here to look at")
	default:
		return false
	}
	return true
}

// gpuMemory wants as many devices with that memory as the contract wants devices; a small one beside them, for
// the display, does no harm.
func gpuMemory(j *judge, _ string, c *Check) {
	want := j.Contract.GPU.MinMemory.MiB
	c.Key, c.Expected = "gpu.min-memory", memory(want)
	if j.noGPU(c) {
		return
	}
	enough, untold := 0, 0
	var have []string
	for _, g := range j.Machine.GPUs {
		switch {
		case g.MemoryMiB == 0:
			untold++
		case g.MemoryMiB >= want:
			enough++
		}
		have = append(have, fmt.Sprintf("%s %s", g.Name, memory(g.MemoryMiB)))
	}
	c.Found = strings.Join(have, ", ")
	switch need := max(1, j.Contract.GPU.MinCount); {
	case enough >= need:
	case enough+untold >= need:
		c.warn("the memory of a GPU is not known", "the driver did not tell it", j.doctorStep())
	default:
		j.onDevice(c, fmt.Sprintf("%s with %s needed, %d found", plural(need, "GPU"), memory(want), enough), contract.Because("gpu.min-memory in the contract", j.Contract.GPU.Reason))
	}
}

// onDevice fails where the program is meant to run; where a device is merely there, it is a warning.
func (j *judge) onDevice(c *Check, what, why string, next ...finding.Step) {
	if j.runsHere() {
		c.fail(what, why, append(next, plan())...)
		return
	}
	c.warn(what, why+"; the contract needs no GPU here", next...)
}

// memory is an amount as the contract writes it; the driver may not have told it.
func memory(mib int64) string {
	if mib == 0 {
		return "unknown"
	}
	return contract.Size{MiB: mib}.String()
}

func gpuMode(j *judge, _ string, c *Check) {
	want := j.Contract.GPU.ComputeMode
	c.Key, c.Expected = "gpu.compute-mode", want
	if j.noGPU(c) {
		return
	}
	var wrong []fact.GPU
	var have []string
	told := false
	for _, g := range j.Machine.GPUs {
		have = append(have, g.ComputeMode)
		told = told || g.ComputeMode != ""
		if g.ComputeMode != "" && g.ComputeMode != want {
			wrong = append(wrong, g)
		}
	}
	c.Found = strings.Join(have, ", ")
	switch {
	case !told:
		c.skip("the compute mode was not told: it takes the driver's own answer")
	case len(wrong) > 0:
		g := wrong[0]
		j.onDevice(c, fmt.Sprintf("GPU %d (%s) is in compute mode %s", g.Index, g.Name, g.ComputeMode), "the contract wants "+want)
		c.Next = append(c.Next, command(j.asRoot(fmt.Sprintf("nvidia-smi -i %d -c %s", g.Index, strings.ToUpper(strings.ReplaceAll(want, "-", "_")))), "sets it until the next start of the machine"))
	}
}

func (j *judge) asRoot(cmd string) string {
	if j.path.Windows() {
		return cmd
	}
	return "sudo " + cmd
}

// devices gives the GPUs whose capability is known, and how many are not.
func (j *judge) devices() (known []device, untold int) {
	for _, g := range j.Machine.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if err != nil || !g.CC.Known() {
			untold++
			continue
		}
		known = append(known, device{g, cc})
	}
	return known, untold
}

type device struct {
	fact.GPU
	cc gpu.CC
}

func (d device) String() string { return fmt.Sprintf("%s (%s)", d.Name, d.cc) }

func archMin(j *judge, _ string, c *Check) {
	want := j.Contract.Arch.Min.CC
	c.Key, c.Expected = "arch.min", want.String()+" or newer"
	if j.noGPU(c) {
		return
	}
	known, untold := j.devices()
	var have, low []string
	for _, d := range known {
		have = append(have, d.String())
		if d.cc.Compare(want) < 0 {
			low = append(low, d.String())
		}
	}
	c.Found = strings.Join(have, ", ")
	switch {
	case len(low) > 0:
		j.onDevice(c, strings.Join(low, ", ")+" is below "+want.String(), "arch.min in the contract is the lowest compute capability that works")
	case untold > 0:
		c.warn("the compute capability of a GPU is not known", "the driver did not tell it, and the tables do not know the device", j.doctorStep())
	}
}
