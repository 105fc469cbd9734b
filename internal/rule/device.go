package rule

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/internal/finding"
)

var deviceRules = []Rule{
	{ID: "gpu-hidden-by-env", Severity: finding.Warning, Title: "CUDA_VISIBLE_DEVICES hides every GPU or names one that is not there", Check: hiddenGPU},
	{ID: "compute-mode-prohibited", Severity: finding.Error, Title: "a GPU's compute mode forbids CUDA", Check: prohibited},
	{ID: "compute-mode-exclusive", Severity: finding.Warning, Title: "a GPU takes one process at a time", Check: exclusive},
	{ID: "mig-enabled", Severity: finding.Info, Title: "a GPU is partitioned (MIG)", Check: mig},
	{ID: "gpu-unknown", Severity: finding.Info, Title: "the compute capability of a GPU could not be told", Check: unknownGPU},
	{ID: "mps-left-behind", Severity: finding.Warning, Title: "an MPS folder is left, but its daemon is gone", Label: "mps-daemon-unreachable", On: linuxLike, Check: mpsLeft},
	{ID: "mps-running", Severity: finding.Info, Title: "an MPS daemon is running", On: linuxLike, Check: mpsRunning},
}

func hiddenGPU(in *Input) []finding.Finding {
	const variable = "CUDA_VISIBLE_DEVICES"
	if !in.isSet(variable) || len(in.Machine.GPUs) == 0 {
		return nil
	}
	value := in.env(variable)
	why := hides(value, len(in.Machine.GPUs))
	if why == "" {
		return nil
	}
	return one(finding.Finding{
		What:  fmt.Sprintf("%s=%q hides GPUs from every CUDA program", variable, value),
		Where: "environment",
		Why:   why,
		Next:  []finding.Step{unset(in, variable, "shows all GPUs again")},
	})
}

// hides follows the driver: the list ends at the first entry that names no device.
func hides(value string, count int) string {
	first, _, _ := strings.Cut(value, ",")
	first = strings.TrimSpace(first)
	if first == "" {
		return "an empty value hides all of them"
	}
	n, err := strconv.Atoi(first)
	switch {
	case err != nil:
		return "" // a UUID or a MIG id
	case n < 0:
		return "a negative entry hides all of them"
	case n >= count:
		return fmt.Sprintf("entry %d names no device: there are %s, counted from 0", n, plural(count, "GPU"))
	}
	return ""
}

// unset is the command that clears a variable in the shell of that system.
func unset(in *Input, variable, note string) finding.Step {
	if in.Paths().Windows() {
		return command("Remove-Item Env:"+variable, note)
	}
	return command("unset "+variable, note)
}

func prohibited(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Machine.GPUs {
		if g.ComputeMode == "prohibited" {
			out = append(out, finding.Finding{
				What:  fmt.Sprintf("GPU %d (%s) forbids compute", g.Index, g.Name),
				Where: g.Source,
				Why:   "its compute mode is Prohibited: no CUDA program can open it",
				Next:  []finding.Step{command(fmt.Sprintf("sudo nvidia-smi -i %d -c DEFAULT", g.Index), "lets programs in again")},
			})
		}
	}
	return out
}

func exclusive(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Machine.GPUs {
		if !strings.HasPrefix(g.ComputeMode, "exclusive") || in.Machine.MPS.Daemon.Known() {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("GPU %d (%s) takes one process at a time", g.Index, g.Name),
			Where: g.Source,
			Why:   "its compute mode is exclusive and no MPS daemon runs: a second program ends with error 46 (devices unavailable)",
			Next:  []finding.Step{command(fmt.Sprintf("sudo nvidia-smi -i %d -c DEFAULT", g.Index), "unless exclusive use is wanted")},
		})
	}
	return out
}

func mig(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Machine.GPUs {
		if g.MIG == "on" {
			out = append(out, finding.Finding{
				What:  fmt.Sprintf("GPU %d (%s) is partitioned (MIG)", g.Index, g.Name),
				Where: g.Source,
				Why:   "programs see one instance with a part of the memory; an index in CUDA_VISIBLE_DEVICES may not mean what it seems",
				Next:  []finding.Step{command("nvidia-smi -L", "lists the instances with their UUIDs")},
			})
		}
	}
	return out
}

func unknownGPU(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Machine.GPUs {
		if !g.CC.Known() {
			out = append(out, finding.Finding{
				What:  fmt.Sprintf("the compute capability of %q could not be told", g.Name),
				Where: g.Source,
				Why:   "the driver did not answer, and the GPU table has no row for it",
				Next:  []finding.Step{command("nvidia-smi --query-gpu=name,compute_cap --format=csv", "asks the driver")},
			})
		}
	}
	return out
}

func mpsLeft(in *Input) []finding.Finding {
	m := in.Machine.MPS
	if !m.Pipes || m.Daemon.Known() {
		return nil
	}
	return one(finding.Finding{
		What:  "an MPS folder is left behind, but no daemon answers",
		Where: m.PipeDir,
		Why:   "CUDA programs that find its control pipe wait for the daemon and end with error 805",
		Next:  []finding.Step{command("rm -r "+quote(m.PipeDir), "as its owner, once no MPS daemon is meant to run")},
	})
}

func mpsRunning(in *Input) []finding.Finding {
	m := in.Machine.MPS
	if !m.Daemon.Known() {
		return nil
	}
	return one(finding.Finding{
		What:  "an MPS daemon is running (pid " + m.Daemon.Value + ")",
		Where: m.PipeDir,
		Why:   "CUDA programs of its user share the GPU through it",
	})
}

func quote(s string) string {
	if !strings.ContainsAny(s, " \t'\"$`\\!*?[](){};&|<>") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
