package gpus

import (
	"context"
	"fmt"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// query is asked of nvidia-smi when the helper is not there. compute_cap is known to nvidia-smi from R510 on;
// an older one refuses the whole query, and the short one is asked.
var (
	query      = []string{"index", "name", "compute_cap", "memory.total", "uuid", "pci.bus_id", "compute_mode", "driver_version", "mig.mode.current"}
	shortQuery = []string{"index", "name", "memory.total", "uuid", "pci.bus_id", "compute_mode", "driver_version"}
)

func queryArgs(fields []string) []string {
	return []string{"--query-gpu=" + strings.Join(fields, ","), "--format=csv,noheader,nounits"}
}

func fromSMI(ctx context.Context, a *look.At, d *fact.Driver) ([]fact.GPU, bool) {
	if !d.SMI.Known() || !worthAsking(a, d) {
		return nil, false
	}
	path := d.SMI.Value
	out, err := a.Ask(ctx, path, queryArgs(query)...)
	if err != nil && strings.Contains(err.Error(), "not a valid field") {
		out, err = a.Ask(ctx, path, queryArgs(shortQuery)...)
		if err == nil {
			return smiGPUs(d, out, shortQuery, path)
		}
	}
	if err != nil {
		d.SMI = fact.Fact[string]{State: fact.Unreadable, Value: path, Source: path, Why: look.Reason(err)}
		return nil, false
	}
	return smiGPUs(d, out, query, path)
}

// worthAsking: run as root without a kernel module, NVIDIA's tools make device nodes. The doctor must not
// change what it looks at.
func worthAsking(a *look.At, d *fact.Driver) bool {
	return a.Path.Windows() || !d.Kernel.IsAbsent() || len(d.Nodes) > 0
}

func smiGPUs(d *fact.Driver, out string, fields []string, path string) ([]fact.GPU, bool) {
	gpus, driver, err := parseSMI(out, fields)
	if err != nil {
		d.SMI = fact.Fact[string]{State: fact.Unreadable, Value: path, Source: path, Why: err.Error()}
		return nil, false
	}
	if !d.Kernel.Known() && driver != "" {
		d.Kernel = fact.Of(driver, path)
	}
	return gpus, true
}

// parseSMI reads the CSV of --query-gpu. A field nvidia-smi cannot tell is written [N/A] or [Not Supported].
func parseSMI(out string, fields []string) (gpus []fact.GPU, driver string, err error) {
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		cells := strings.Split(strings.TrimSpace(line), ", ")
		if len(cells) != len(fields) {
			return nil, "", fmt.Errorf("nvidia-smi printed %d fields where %d were asked for: %.80q", len(cells), len(fields), line)
		}
		row := map[string]string{}
		for i, f := range fields {
			if c := strings.TrimSpace(cells[i]); !strings.HasPrefix(c, "[") {
				row[f] = c
			}
		}
		g := fact.GPU{
			Index: int(atoi(row["index"])), Name: row["name"], MemoryMiB: atoi(row["memory.total"]),
			UUID: row["uuid"], PCI: row["pci.bus_id"], ComputeMode: computeMode(row["compute_mode"]), Source: "nvidia-smi",
		}
		switch row["mig.mode.current"] {
		case "Enabled":
			g.MIG = "on"
		case "Disabled":
			g.MIG = "off"
		}
		g.CC = capability(row["compute_cap"], "nvidia-smi", g.Name, "")
		gpus = append(gpus, g)
		driver = row["driver_version"]
	}
	return gpus, driver, nil
}

// computeMode spells nvidia-smi's words as NVML's.
func computeMode(s string) string {
	switch s {
	case "Default":
		return "default"
	case "Exclusive_Process":
		return "exclusive-process"
	case "Exclusive_Thread":
		return "exclusive-thread"
	case "Prohibited":
		return "prohibited"
	}
	return ""
}

var procLine = pattern.New(`^(Model|GPU UUID|Bus Location):`)

// fromProc reads /proc/driver/nvidia/gpus/*/information, which is there without any user-mode part.
func fromProc(a *look.At) []fact.GPU {
	var out []fact.GPU
	const root = "/proc/driver/nvidia/gpus"
	if !a.IsDir(root) {
		return nil
	}
	for i, dir := range a.List(root, pattern.New(`^[0-9a-fA-F]{4,8}:`)) {
		path := dir + "/information"
		lines, err := a.Lines(path, procLine)
		if err != nil {
			a.Note("a GPU", path, err)
			continue
		}
		g := fact.GPU{Index: i, Source: path}
		for _, l := range lines {
			key, value, _ := strings.Cut(l, ":")
			switch value = strings.TrimSpace(value); key {
			case "Model":
				g.Name = value
			case "GPU UUID":
				g.UUID = value
			case "Bus Location":
				g.PCI = value
			}
		}
		g.CC = capability("", "", g.Name, "")
		out = append(out, g)
	}
	return out
}
