package rule

import (
	"strings"

	"cupel/internal/fact"
	"cupel/internal/finding"
)

var containerRules = []Rule{
	{ID: "image-build-no-gpu", Severity: finding.Info, Title: "an image is being built: no GPU is there by design", On: []string{fact.Linux}, Check: imageBuild},
	{ID: "gpu-not-passed-to-container", Severity: finding.Info, Title: "the container was started without GPU access", On: []string{fact.Linux},
		CausedBy: []string{"image-build-no-gpu"}, Check: notPassed},
	{ID: "driver-capabilities-lack-compute", Severity: finding.Error, Title: "NVIDIA_DRIVER_CAPABILITIES leaves compute out", Label: "gpu-not-passed-to-container",
		On: []string{fact.Linux}, Check: lackCompute},
	{ID: "driver-package-in-container", Severity: finding.Warning, Title: "the image brings a driver package of its own", Label: "driver-library-mismatch",
		On: []string{fact.Linux}, CausedBy: []string{"driver-library-mismatch"}, Check: packageInContainer},
	{ID: "gpu-needed", About: AboutGPU, Severity: finding.Error, Title: "a GPU is needed and none is here", CausedBy: []string{"gpu-not-passed-to-container", "no-driver", "driver-without-device", "nouveau-in-use", "driver-not-loaded", "wsl-no-gpu-node", "wsl-libcuda-not-found"}, Check: gpuNeeded},
}

func imageBuild(in *Input) []finding.Finding {
	if !in.Machine.System.ImageBuild || anyGPUNode(nodeNames(in.Machine.Driver)) {
		return nil // a step that asks for the device (RUN --device) has it
	}
	f := finding.Finding{
		What:  "an image is being built",
		Where: in.Machine.System.Container.Source,
		Why:   "a build step gets no GPU and no driver unless it asks for the device; compile here and run elsewhere",
	}
	if in.NeedGPU {
		f.Severity = finding.Error
	}
	return one(f)
}

func notPassed(in *Input) []finding.Finding {
	s, d := in.Machine.System, in.Machine.Driver
	nodes := nodeNames(d)
	if !s.Container.Known() || anyGPUNode(nodes) || nodes["dxg"] {
		return nil
	}
	f := finding.Finding{
		What:  "this container has no GPU passed through",
		Where: s.Container.Value + " container",
		Why:   "there are no /dev/nvidia* nodes in it: it was started without a GPU, or the host has none",
		Next:  passThrough(s.Container.Value),
	}
	if d.Kernel.Known() {
		f.Why = "the host has driver " + d.Kernel.Value + ", but there are no /dev/nvidia* nodes in here: the container was started without a GPU"
	}
	if visible := in.env("NVIDIA_VISIBLE_DEVICES"); visible != "" && visible != "none" && visible != "void" {
		f.Why += "; NVIDIA_VISIBLE_DEVICES=" + visible + " is set (CUDA images set it), but only NVIDIA's container runtime reads it"
	}
	if in.NeedGPU || d.Kernel.Known() {
		f.Severity = finding.Warning
		if in.NeedGPU {
			f.Severity = finding.Error
		}
	}
	return one(f)
}

func passThrough(engine string) []finding.Step {
	switch engine {
	case "podman":
		return []finding.Step{command("podman run --device nvidia.com/gpu=all …", "on the host; needs NVIDIA's container toolkit and its CDI file")}
	case "kubernetes":
		return []finding.Step{advice("ask for nvidia.com/gpu in the pod's resource limits; the node needs NVIDIA's device plugin")}
	}
	return []finding.Step{command("docker run --gpus all …", "on the host; needs NVIDIA's container toolkit")}
}

func lackCompute(in *Input) []finding.Finding {
	caps := in.env("NVIDIA_DRIVER_CAPABILITIES")
	if !inContainer(in) || caps == "" || !anyGPUNode(nodeNames(in.Machine.Driver)) {
		return nil
	}
	for _, c := range strings.Split(caps, ",") {
		if c = strings.TrimSpace(c); c == "all" || c == "compute" {
			return nil
		}
	}
	return one(finding.Finding{
		What:  "NVIDIA_DRIVER_CAPABILITIES=" + caps + " leaves compute out",
		Where: "environment of the container",
		Why:   "the container runtime then mounts no libcuda: CUDA programs do not start",
		Next:  []finding.Step{command("docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility …", "on the host")},
	})
}

func packageInContainer(in *Input) []finding.Finding {
	if !inContainer(in) {
		return nil
	}
	for _, p := range in.Machine.Driver.Packages {
		if strings.HasPrefix(p.Name, "libnvidia-compute") || p.Name == "libcuda1" || strings.HasPrefix(p.Name, "nvidia-driver") || p.Name == "cuda-drivers" {
			return one(finding.Finding{
				What:  "the image brings its own driver library (" + p.Name + ")",
				Where: "/var/lib/dpkg/info",
				Why:   "in a container libcuda must come from the host; a copy of another version ends in error 803",
				Next:  []finding.Step{advice("install the toolkit package alone (cuda-toolkit-X-Y, never cuda or cuda-drivers) in the image")},
			})
		}
	}
	return nil
}

// answered says that the driver itself told of a GPU, not only files or the bus.
func answered(m fact.Machine) bool {
	for _, g := range m.GPUs {
		if g.Source == "NVML" || g.Source == "nvidia-smi" {
			return true
		}
	}
	return false
}

// silence is why the driver did not answer; "" when it was not asked or did.
func silence(d fact.Driver) string {
	for _, f := range []fact.Fact[string]{d.SMI, d.NVML, d.Helper} {
		if f.State == fact.Unreadable {
			return f.Why
		}
	}
	return ""
}

func gpuNeeded(in *Input) []finding.Finding {
	if !in.NeedGPU || answered(in.Machine) {
		return nil
	}
	if why := silence(in.Machine.Driver); len(in.Machine.GPUs) > 0 && why != "" {
		return one(finding.Finding{
			What: "a GPU is needed, and the driver does not answer for it",
			Why:  "--need gpu (or the contract) asks for one; " + in.Machine.GPUs[0].Name + " is known from " + in.Machine.GPUs[0].Source + " only: " + why,
			Next: []finding.Step{command("nvidia-smi", "must answer within a second or two")},
		})
	}
	if len(in.Machine.GPUs) > 0 {
		return nil
	}
	f := finding.Finding{
		What: "a GPU is needed, and none was found",
		Why:  "--need gpu (or the contract) asks for one",
		Next: []finding.Step{command("nvidia-smi -L", "lists what the driver sees")},
	}
	if k := in.Machine.Driver.Kernel; k.Known() {
		f.Why += "; driver " + k.Value + " is there and counts no device"
		f.Evidence = []finding.Evidence{evidence(k.Source, k.Value)}
	}
	if in.Machine.System.OS == fact.Linux {
		f.Next = append(f.Next, command("sudo dmesg | grep -iE 'nvrm|xid'", "what the kernel module says about the card"))
	}
	return one(f)
}
