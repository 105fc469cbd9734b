package rule

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/finding"
)

var deviceRules = []Rule{
	{ID: "gpu-hidden-by-env", Severity: finding.Warning, Title: "CUDA_VISIBLE_DEVICES hides every GPU or names one that is not there", Check: hiddenGPU},
	{ID: "compute-mode-prohibited", Severity: finding.Error, Title: "a GPU's compute mode forbids CUDA", Check: prohibited},
	{ID: "compute-mode-exclusive", Severity: finding.Warning, Title: "a GPU takes one process at a time", Check: exclusive},
	{ID: "mig-enabled", Severity: finding.Info, Title: "a GPU is partitioned (MIG)", Check: mig},
	{ID: "gpu-lost", Severity: finding.Error, Title: "a GPU does not answer any more", Label: "driver-state-broken", Check: gpuLost},
	{ID: "gpu-unknown", Severity: finding.Info, Title: "the compute capability of a GPU could not be told", CausedBy: []string{"gpu-lost"}, Check: unknownGPU},
	{ID: "mps-left-behind", Severity: finding.Warning, Title: "an MPS folder is left, but its daemon is gone", Label: "mps-daemon-unreachable", On: linuxLike, Check: mpsLeft},
	{ID: "mps-running", Severity: finding.Info, Title: "an MPS daemon is running", On: linuxLike, Check: mpsRunning},
}

func hiddenGPU(in *Input) []finding.Finding {
	const variable = "CUDA_VISIBLE_DEVICES"
	if !in.isSet(variable) || len(in.Machine.GPUs) == 0 {
		return nil
	}
	value := in.env(variable)
	why := hides(value, in.Machine.GPUs)
	if why == "" {
		return nil
	}
	return one(finding.Finding{
		What:  fmt.Sprintf("%s=%q hides every GPU from CUDA programs", variable, value),
		Where: "environment",
		Why:   why,
		Next:  []finding.Step{unset(in, variable, "shows all GPUs again")},
	})
}

// hides follows the driver: the list ends at the first entry that names no device, so a bad first one hides
// all. A number ends where its digits do (0-2 is 0), as the driver reads it.
func hides(value string, gpus []fact.GPU) string {
	first, _, _ := strings.Cut(value, ",")
	first = strings.TrimSpace(first)
	digits := first[:len(first)-len(strings.TrimLeft(first, "0123456789"))]
	n, err := strconv.Atoi(digits)
	switch {
	case first == "":
		return "an empty value hides all of them: CUDA ends with error 100 (no device)"
	case strings.HasPrefix(first, "MIG-"):
		return "" // instances are not listed here
	case strings.HasPrefix(first, "GPU-"):
		return hiddenByUUID(first, gpus)
	case err != nil:
		return fmt.Sprintf("entry %s names no device, and the list ends there: CUDA ends with error 100 (no device)", first)
	case n >= len(gpus):
		return fmt.Sprintf("entry %d names no device: there is %s, counted from 0; CUDA ends with error 100 (no device)", n, plural(len(gpus), "GPU"))
	}
	return ""
}

// hiddenByUUID: the driver takes the beginning of a UUID as well.
func hiddenByUUID(entry string, gpus []fact.GPU) string {
	for _, g := range gpus {
		if g.UUID == "" || strings.HasPrefix(strings.ToLower(g.UUID), strings.ToLower(entry)) {
			return ""
		}
	}
	return "no GPU here has a UUID that begins so: CUDA ends with error 100 (no device)"
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
				Next:  []finding.Step{defaultMode(in, g.Index, "lets programs in again")},
			})
		}
	}
	return out
}

// defaultMode is the command that opens a GPU to any number of programs; it needs the administrator.
func defaultMode(in *Input, index int, note string) finding.Step {
	cmd := fmt.Sprintf("nvidia-smi -i %d -c DEFAULT", index)
	if in.Paths().Windows() {
		return command(cmd, note+"; in a shell opened as administrator")
	}
	return command("sudo "+cmd, note)
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
			Next:  []finding.Step{defaultMode(in, g.Index, "unless exclusive use is wanted")},
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

// gpuLost: the driver counts the device and refuses to open it, or every field of it.
func gpuLost(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Machine.GPUs {
		why := g.Errors["handle"]
		if why == "" && g.Name == "" {
			why = g.Errors["name"]
		}
		if why == "" {
			continue
		}
		out = append(out, finding.Finding{
			What:     fmt.Sprintf("GPU %d does not answer any more", g.Index),
			Where:    g.Source,
			Why:      why,
			Next:     []finding.Step{command("sudo dmesg | grep -iE 'nvrm|xid'", "why it was lost; a reset or a reboot brings it back")},
			Evidence: []finding.Evidence{evidence(g.Source, why)},
		})
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

// mpsLeft: a daemon that was told to quit takes its pid file along and leaves only the sockets, which harm
// nobody; a pid file whose process is gone means that it was killed or the machine went down. The pids of a
// folder mounted into a container are the host's, so nothing can be told there.
func mpsLeft(in *Input) []finding.Finding {
	m := in.Machine.MPS
	if !m.Pipes || m.Daemon.Known() || !strings.HasPrefix(m.Daemon.Source, "/proc/") || inContainer(in) {
		return nil
	}
	return one(finding.Finding{
		What:  "the MPS daemon is gone without having quit",
		Where: m.PipeDir,
		Why:   "its pid file is left (process " + strings.TrimPrefix(m.Daemon.Source, "/proc/") + " is no daemon any more): CUDA programs run without MPS, so they take turns on the GPU and MPS limits do not apply",
		Next: []finding.Step{
			command("nvidia-cuda-mps-control -d", "starts it again, as the user it ran as"),
			command("rm -r "+quote(m.PipeDir), "or, when no MPS is wanted, takes the rest away (as its owner)"),
		},
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
		Why:   "CUDA programs that find this folder run through its server and share the GPU",
	})
}

func quote(s string) string {
	if !strings.ContainsAny(s, " \t'\"$`\\!*?[](){};&|<>") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
