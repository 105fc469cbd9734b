// Package gpus asks the driver about its devices: through the helper program cupel-gpu (NVML), else nvidia-smi,
// else from /proc and the bus with the tables. Each process has a time limit, so that a hung driver cannot
// take the doctor down. It never initialises CUDA.
package gpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// Survey completes d with what the driver answers and lists the GPUs. helper is the path of cupel-gpu, "" when
// it is not there. files are devices that were read from files alone (the Windows registry).
func Survey(ctx context.Context, a *look.At, d *fact.Driver, helper string, files []fact.GPU) []fact.GPU {
	if !present(d) {
		return nil
	}
	if gpus, ok := fromHelper(ctx, a, d, helper); ok {
		return gpus
	}
	if gpus, ok := fromSMI(ctx, a, d); ok {
		return gpus
	}
	if gpus := fromProc(a); len(gpus) > 0 {
		return gpus
	}
	if len(files) > 0 {
		return files
	}
	return fromPCI(d.PCI)
}

// present says whether there is any sign of a driver worth a process.
func present(d *fact.Driver) bool {
	return !d.Kernel.IsAbsent() || d.SMI.Known() || len(d.Libraries) > 0 || len(d.Nodes) > 0 || len(d.PCI) > 0
}

func fromHelper(ctx context.Context, a *look.At, d *fact.Driver, helper string) ([]fact.GPU, bool) {
	if helper == "" {
		d.Helper = fact.None[string]("beside the program and in CUPEL_HOME/bin")
		return nil, false
	}
	out, err := a.Ask(ctx, helper)
	if errors.Is(err, host.ErrNotRecorded) {
		d.Helper = fact.None[string]("the recording")
		return nil, false
	}
	if err != nil {
		d.Helper = fact.Bad[string](helper, err)
		return nil, false
	}
	r, err := ParseReport([]byte(out))
	if err != nil {
		d.Helper = fact.Bad[string](helper, err)
		return nil, false
	}
	d.Helper = fact.Of(helper, helper)
	take(d, r)
	if !r.NVML.Found {
		return nil, false
	}
	return devices(r), r.NVML.Error == ""
}

// ParseReport reads what cupel-gpu prints. A report of another format is refused: its numbers could mean
// something else.
func ParseReport(b []byte) (fact.GPUReport, error) {
	var r fact.GPUReport
	if err := json.Unmarshal(b, &r); err != nil {
		return r, fmt.Errorf("parse the report of cupel-gpu: %w", look.Plain(err))
	}
	if r.Format != "cupel.gpu/1" {
		return r, fmt.Errorf("cupel-gpu speaks format %q, this program cupel.gpu/1: install both from one release", r.Format)
	}
	return r, nil
}

func take(d *fact.Driver, r fact.GPUReport) {
	switch {
	case !r.NVML.Found:
		d.NVML = fact.Fact[string]{State: fact.Absent, Source: "loader", Why: r.NVML.Error}
	case r.NVML.Error != "":
		d.NVML = fact.Fact[string]{State: fact.Unreadable, Source: r.NVML.File, Why: "NVML: " + r.NVML.Error}
	default:
		d.NVML = fact.Of(r.NVML.File, "loader")
	}
	if level := levelText(r.Level); level != "" {
		d.Level = fact.Of(level, "cuDriverGetVersion of "+r.Cuda.File)
	} else if level := levelText(r.CUDA); level != "" {
		d.Level = fact.Of(level, "NVML")
	}
	if !d.Kernel.Known() && r.Driver != "" {
		d.Kernel = fact.Of(r.Driver, "NVML")
	}
}

// levelText turns 13000 into 13.0.
func levelText(n int) string {
	if n < 1000 {
		return ""
	}
	return fmt.Sprintf("%d.%d", n/1000, n%1000/10)
}

func devices(r fact.GPUReport) []fact.GPU {
	var out []fact.GPU
	for _, g := range r.GPUs {
		gpu := fact.GPU{
			Index: g.Index, Name: g.Name, MemoryMiB: int64(g.MemoryBytes >> 20), UUID: g.UUID, PCI: g.PCI,
			ComputeMode: g.ComputeMode, DriverModel: g.DriverModel, MIG: g.MIG, Source: "NVML", Errors: g.Errors,
		}
		gpu.CC = capability(g.CC, "NVML", g.Name, g.PCIDevice)
		out = append(out, gpu)
	}
	return out
}

// capability takes what the driver said, else the tables by PCI id, else by name.
func capability(said, source, name, pciID string) fact.Fact[string] {
	if said != "" {
		return fact.Of(said, source)
	}
	if pciID != "" {
		if g, ok := compat.GPUByPCI(pciID); ok {
			return fact.Of(g.CC, "GPU table by PCI id "+pciID)
		}
	}
	if g, ok := compat.GPUByName(name); ok {
		return fact.Of(g.CC, "GPU table by name")
	}
	return fact.None[string]("GPU table")
}

func fromPCI(devices []fact.PCIDevice) []fact.GPU {
	var out []fact.GPU
	for i, d := range devices {
		g := fact.GPU{Index: i, Name: "NVIDIA device " + d.Device, PCI: d.Slot, Source: "PCI bus"}
		if row, ok := compat.GPUByPCI(d.Device); ok {
			g.Name = row.Name
		}
		g.CC = capability("", "", g.Name, d.Device)
		out = append(out, g)
	}
	return out
}

func atoi(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
