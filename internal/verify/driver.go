package verify

import (
	"fmt"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

const noNeed = "no GPU is needed here"

func driverPresent(j *judge, _ string, c *Check) {
	d := j.Machine.Driver
	c.Key, c.Expected, c.Found = j.driverKey(), "a driver", j.driverText()
	switch {
	case j.Platform.Is(j.Contract.GPU.ExcludeOn):
		c.skip(noNeed)
	case j.hasDriver():
		c.evidence(d.UserMode.Source, d.UserMode.Value)
		c.evidence(d.Kernel.Source, d.Kernel.Value)
	case d.Kernel.Known():
		c.Found = "kernel module " + d.Kernel.Value + ", no libcuda"
		c.bad(j.ifNeeded(), "the driver's library libcuda is not here", "the kernel module "+d.Kernel.Value+" is loaded, but programs load libcuda, which is on no path of the loader", j.doctorStep())
	case d.Kernel.State == fact.Unreadable:
		c.bad(j.ifNeeded(), "the driver could not be read", d.Kernel.Why, j.doctorStep())
	case !j.needsGPU():
		c.skip("no driver is here, and the contract asks for no GPU (gpu.min-count)")
	default:
		c.fail("no NVIDIA driver was found", "the contract needs one here", plan())
	}
}

// ifNeeded is how bad it is that no driver serves here.
func (j *judge) ifNeeded() string {
	if j.needsGPU() {
		return "error"
	}
	return "warning"
}

func (j *judge) doctorStep() finding.Step { return command("cupel doctor", "what is wrong with it") }

func (j *judge) driverKey() string {
	switch {
	case j.req.DriverKey != "":
		return j.req.DriverKey
	case asksCount(j):
		return "gpu.min-count"
	case asksPTX(j):
		return "driver.ptx-jit"
	}
	return "toolkit"
}

func (j *judge) driverText() string {
	if v := choice.DriverVersion(j.Machine); !v.IsZero() {
		return v.String()
	}
	return text(j.Machine.Driver.Kernel)
}

// untold ends a check about the driver's number where there is none that compares.
func (j *judge) untold(c *Check) bool {
	switch {
	case j.Machine.System.Platform == fact.Jetson:
		c.skip("Jetson's driver belongs to its L4T and has no number that compares")
	case choice.LinuxDriverInWSL(j.Machine) != "":
		c.skip(j.linuxDriver())
	case choice.DriverVersion(j.Machine).IsZero():
		c.warn("the driver's version could not be read", j.driverText(), j.doctorStep())
	default:
		return false
	}
	return true
}

// linuxDriver: which driver Windows has is not told while a Linux one stands before it.
func (j *judge) linuxDriver() string {
	return fmt.Sprintf("programs load %s of a Linux driver inside WSL2, whose number says nothing about Windows' own", choice.LinuxDriverInWSL(j.Machine))
}

func driverFloor(j *judge, _ string, c *Check) {
	l := j.req.Driver
	c.Key, c.Expected, c.Found = j.req.DriverKey, l.Version.String()+" or newer", j.driverText()
	if j.untold(c) {
		return
	}
	if have := choice.DriverVersion(j.Machine); have.Less(l.Version.V) {
		j.onDevice(c, fmt.Sprintf("driver %s is older than %s", have, l.Version), limitWhy("the floor is the contract's", l.Reason, l.Source), j.newDriver(l.Version.String()))
	}
}

// newDriver: under WSL2 the driver is Windows' own.
func (j *judge) newDriver(version string) finding.Step {
	if j.Machine.System.Platform == fact.WSL2 {
		return advice(fmt.Sprintf("upgrade NVIDIA's driver on Windows to %s or newer; never install one inside WSL", version))
	}
	return advice(fmt.Sprintf("upgrade the driver to %s or newer", version))
}

// driverToolkit is rule a: programs of a major start on every driver from that major's floor on.
func driverToolkit(j *judge, _ string, c *Check) {
	floor, _ := compat.DriverFloor(j.rel, j.Platform.Name)
	c.Key, c.Found = j.driverKey(), j.driverText()
	if floor.IsZero() {
		c.skip(fmt.Sprintf("the tables have no driver floor for %s", choice.Name(*j.t)))
		return
	}
	c.Expected = floor.String() + " or newer"
	if j.untold(c) {
		return
	}
	have := choice.DriverVersion(j.Machine)
	c.Why = fmt.Sprintf("programs of CUDA %d need driver %s or newer (minor-version compatibility)", j.rel.Major(), floor)
	if have.Less(floor) {
		j.onDevice(c, fmt.Sprintf("driver %s is too old for %s", have, choice.Name(*j.t)), c.Why+"; older ones end with error 35", j.driverWays(floor.String())...)
	}
}

// driverWays: a newer driver, or on data-centre GPUs the forward-compatibility package.
func (j *judge) driverWays(version string) []finding.Step {
	steps := []finding.Step{j.newDriver(version)}
	if f, ok := compat.ForwardCompat(j.rel, choice.DriverVersion(j.Machine)); ok && f.Verdict == "works" && j.Machine.System.Platform == fact.Linux {
		steps = append(steps, advice(fmt.Sprintf("on a data-centre GPU: install %s (%s), which needs no new kernel module", f.Package, f.InstallsTo)))
	}
	return steps
}

// driverPTX is rule b: PTX of a toolkit needs a driver whose CUDA level is at least that of the toolkit.
func driverPTX(j *judge, _ string, c *Check) {
	level, source := choice.Level(j.Machine)
	c.Key = "driver.ptx-jit"
	c.Expected, c.Found = "CUDA "+j.rel.Short().String()+" or newer", "CUDA "+level.String()
	switch {
	case choice.LinuxDriverInWSL(j.Machine) != "":
		c.skip(j.linuxDriver())
		return
	case level.IsZero():
		c.Found = "not known"
		c.warn("it is not known which CUDA the driver supports", "PTX is compiled by the driver, which must be of the toolkit's time or later", j.doctorStep())
		return
	case level.Less(j.rel.Short()):
		want := "one that supports CUDA " + j.rel.Short().String()
		if v, ok := compat.DriverForLevel(j.rel, j.Platform.Name); ok {
			want = v.String()
		}
		j.onDevice(c, fmt.Sprintf("the driver supports up to CUDA %s, %s makes newer PTX", level, choice.Name(*j.t)),
			"the contract says that PTX is compiled by the driver (ptx-jit); it refuses newer PTX with error 222", j.driverWays(want)...)
	}
	c.evidence(source, "CUDA "+level.String())
}
