package rule

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/pattern"
)

var linuxLike = []string{fact.Linux, fact.WSL2, fact.Jetson}

var driverRules = []Rule{
	{ID: "nouveau-in-use", Severity: finding.Error, Title: "the nouveau driver holds the GPU", Label: "driver-not-installed-or-loaded", On: []string{fact.Linux}, Check: nouveau},
	{ID: "driver-not-loaded", Severity: finding.Error, Title: "an NVIDIA GPU is on the bus, but NVIDIA's driver is not in charge of it", Label: "driver-not-installed-or-loaded",
		On: []string{fact.Linux, fact.Windows}, CausedBy: []string{"nouveau-in-use", "image-build-no-gpu", "gpu-not-passed-to-container"}, Check: notLoaded},
	{ID: "driver-library-mismatch", Severity: finding.Error, Title: "kernel module and user-mode driver are of different versions (error 803)", On: []string{fact.Linux}, Check: mismatch},
	{ID: "user-mode-driver-missing", Severity: finding.Error, Title: "the kernel module is loaded, but no libcuda is on the loader path", Label: "driver-not-installed-or-loaded",
		On: []string{fact.Linux}, CausedBy: []string{"driver-capabilities-lack-compute", "gpu-not-passed-to-container"}, Check: userModeMissing},
	{ID: "device-nodes-missing", Severity: finding.Error, Title: "the kernel module is loaded, but its device nodes are missing", Label: "driver-state-broken",
		On: []string{fact.Linux}, CausedBy: []string{"gpu-not-passed-to-container"}, Check: nodesMissing},
	{ID: "uvm-node-missing", Severity: finding.Warning, Title: "/dev/nvidia-uvm is missing", Label: "driver-state-broken", On: []string{fact.Linux},
		CausedBy: []string{"device-nodes-missing", "gpu-not-passed-to-container"}, Check: uvmMissing},
	{ID: "nvidia-smi-fails", Severity: finding.Warning, Title: "nvidia-smi hangs or refuses", Label: "driver-state-broken",
		CausedBy: []string{"driver-library-mismatch", "driver-not-loaded", "nouveau-in-use", "gpu-not-passed-to-container", "wsl-linux-driver", "driver-without-device", "device-nodes-missing", "user-mode-driver-missing", "nvml-refuses"}, Check: smiFails},
	{ID: "nvml-refuses", Severity: finding.Warning, Title: "NVML was loaded and refuses to answer", Label: "driver-state-broken",
		CausedBy: []string{"driver-library-mismatch", "driver-not-loaded", "nouveau-in-use", "gpu-not-passed-to-container", "wsl-linux-driver", "driver-without-device", "device-nodes-missing"}, Check: nvmlRefuses},
	{ID: "driver-without-device", Severity: finding.Info, Title: "a driver library is there, but no GPU", CausedBy: []string{"gpu-not-passed-to-container", "driver-not-loaded", "nouveau-in-use", "wsl-no-gpu-node"}, Check: withoutDevice},
	{ID: "gpu-helper-missing", Severity: finding.Info, Title: "the program cupel-gpu is missing", CausedBy: []string{"nvidia-smi-fails"}, Check: helperMissing},
	{ID: "gpu-helper-fails", Severity: finding.Warning, Title: "the program cupel-gpu hangs, fails or is of another release", Label: "driver-state-broken", CausedBy: []string{"nvidia-smi-fails", "gpu-needed"}, Check: helperFails},
	{ID: "driver-packages-mixed", Severity: finding.Warning, Title: "driver packages of two branches are installed", On: []string{fact.Linux}, CausedBy: []string{"driver-library-mismatch"}, Check: packagesMixed},
}

func inContainer(in *Input) bool { return in.Machine.System.Container.Known() }

func nouveau(in *Input) []finding.Finding {
	for _, d := range in.Machine.Driver.PCI {
		if d.Driver == "nouveau" {
			return one(finding.Finding{
				What:     "the GPU is held by the nouveau driver",
				Where:    "PCI device " + d.Slot,
				Why:      "nouveau has no CUDA; NVIDIA's kernel module cannot take a device that nouveau holds",
				Next:     nouveauHint(in),
				Evidence: []finding.Evidence{evidence("/sys/bus/pci/devices/"+d.Slot+"/driver", "nouveau")},
			})
		}
	}
	return nil
}

// nouveauHint is how NVIDIA's driver comes onto this distribution.
func nouveauHint(in *Input) []finding.Step {
	if in.Machine.System.Distro.Value.ID == "ubuntu" {
		return []finding.Step{command("sudo ubuntu-drivers install", "Ubuntu's own choice of NVIDIA driver, which blocks nouveau; then reboot")}
	}
	return []finding.Step{advice("install NVIDIA's driver from your distribution (it blocks nouveau), then reboot")}
}

func notLoaded(in *Input) []finding.Finding {
	d := in.Machine.Driver
	if len(d.PCI) == 0 || !d.Kernel.IsAbsent() || d.PCI[0].Driver == "nvlddmkm" {
		return nil
	}
	bound := d.PCI[0].Driver
	if in.Paths().Windows() {
		return one(finding.Finding{
			What:  "an NVIDIA GPU is there, but NVIDIA's driver is not installed",
			Where: "PCI device " + d.PCI[0].Slot,
			Why:   "Windows serves it with " + bound + ", which has no CUDA",
			Next:  []finding.Step{advice("install NVIDIA's driver for this GPU (GeForce or data-centre), then restart Windows")},
		})
	}
	if bound == "vfio-pci" {
		return one(finding.Finding{
			Severity: finding.Info,
			What:     "the GPU is reserved for a virtual machine",
			Where:    "PCI device " + d.PCI[0].Slot,
			Why:      "it is bound to vfio-pci, so this system cannot use it",
		})
	}
	return one(finding.Finding{
		What:  "an NVIDIA GPU is there, but NVIDIA's kernel module is not loaded",
		Where: "PCI device " + d.PCI[0].Slot,
		Why:   "no /proc/driver/nvidia: the driver is not installed, was not built for this kernel, or Secure Boot refuses its module",
		Next: []finding.Step{
			command("sudo modprobe nvidia", "loads the module, or prints why it cannot"),
			command("mokutil --sb-state", "says whether Secure Boot is on: then the module must be signed"),
		},
	})
}

func mismatch(in *Input) []finding.Finding {
	k, u := in.Machine.Driver.Kernel, in.Machine.Driver.UserMode
	if !k.Known() || !u.Known() || k.Value == u.Value || compatInUse(in.Machine.Driver) != "" {
		return nil
	}
	f := finding.Finding{
		What:     fmt.Sprintf("kernel module %s and user-mode driver %s differ", k.Value, u.Value),
		Where:    u.Source,
		Why:      "the two halves must be of one version: CUDA ends with error 803, nvidia-smi with \"Driver/library version mismatch\"",
		Next:     []finding.Step{command("sudo reboot", "after a driver upgrade the old module stays loaded until then")},
		Evidence: []finding.Evidence{evidence(k.Source, k.Value), evidence(u.Source, u.Value)},
	}
	if lib := realLibrary(in.Machine.Driver); lib != nil && lib.From == "LD_LIBRARY_PATH" && loadsVersion(in.Machine.Driver, k.Value) {
		f.Next = []finding.Step{outOfLoader(in.Paths().Dir(lib.Path), lib.From, ": a libcuda of the module's version is installed and comes after it")}
		return one(f)
	}
	if inContainer(in) {
		f.Why += "; in a container the library must come from the host, not from a package in the image"
		f.Next = []finding.Step{advice("remove the driver packages (libnvidia-compute, libcuda1) from the image: the container runtime mounts the host's")}
	}
	return one(f)
}

// loadsVersion says that a libcuda of that version is on the loader path.
func loadsVersion(d fact.Driver, version string) bool {
	return slices.ContainsFunc(d.Libraries, func(l fact.DriverLibrary) bool { return l.Rank > 0 && l.Version == version })
}

func userModeMissing(in *Input) []finding.Finding {
	d := in.Machine.Driver
	if !d.Kernel.Known() || realLibrary(d) != nil {
		return nil
	}
	for _, l := range d.Libraries {
		if l.Stub && l.Rank > 0 {
			return nil
		}
	}
	f := finding.Finding{
		What:  "no libcuda.so.1 is on the loader path",
		Where: "LD_LIBRARY_PATH, the loader's cache and its default folders",
		Why:   fmt.Sprintf("the kernel module %s is loaded, but its user-mode half is what programs load", d.Kernel.Value),
		Next: []finding.Step{advice(fmt.Sprintf("install the user-mode half of driver %s, of exactly this version: libnvidia-compute-%s on Ubuntu, libcuda1 on Debian",
			d.Kernel.Value, compat.Branch(parseV(d.Kernel.Value))))},
	}
	if inContainer(in) {
		f.Next = passThrough(in.Machine.System.Container.Value)
	}
	for _, l := range d.Libraries {
		f.Evidence = append(f.Evidence, evidence(l.Path, "there, but "+l.From))
	}
	return one(f)
}

func nodeNames(d fact.Driver) map[string]bool {
	out := map[string]bool{}
	for _, n := range d.Nodes {
		out[strings.TrimPrefix(n.Path, "/dev/")] = true
	}
	return out
}

func nodesMissing(in *Input) []finding.Finding {
	d := in.Machine.Driver
	nodes := nodeNames(d)
	if !d.Kernel.Known() || (nodes["nvidiactl"] && anyGPUNode(nodes)) || inContainer(in) {
		return nil
	}
	return one(finding.Finding{
		What:  "the NVIDIA device nodes are missing",
		Where: "/dev/nvidiactl, /dev/nvidia0",
		Why:   "the kernel module is loaded, but nobody made its nodes. CUDA makes them itself as root or through the setuid program nvidia-modprobe; without both it ends with error 100 (no device)",
		// With -u the program makes the nodes of unified memory only, so there are two calls.
		Next: []finding.Step{command("sudo nvidia-modprobe -c=0 -c=255 && sudo nvidia-modprobe -u -c=0", "makes nvidia0, nvidiactl and nvidia-uvm; one -c=N per GPU")},
	})
}

func anyGPUNode(nodes map[string]bool) bool {
	for n := range nodes {
		if strings.HasPrefix(n, "nvidia") && strings.TrimLeft(n[len("nvidia"):], "0123456789") == "" && n != "nvidia" {
			return true
		}
	}
	return false
}

func uvmMissing(in *Input) []finding.Finding {
	d := in.Machine.Driver
	nodes := nodeNames(d)
	if !d.Kernel.Known() || nodes["nvidia-uvm"] || !anyGPUNode(nodes) {
		return nil
	}
	f := finding.Finding{
		What:  "/dev/nvidia-uvm is missing",
		Where: "/dev",
		Why:   "CUDA opens it at its start. It makes it itself as root or through the setuid program nvidia-modprobe; without both cuInit ends with error 999 (unknown error), while nvidia-smi works",
		Next:  []finding.Step{command("sudo nvidia-modprobe -u -c=0", "loads the module and makes the node")},
	}
	if inContainer(in) {
		f.Next = []finding.Step{command("sudo nvidia-modprobe -u -c=0", "on the host; then start the container again with GPU access")}
	}
	return one(f)
}

func smiFails(in *Input) []finding.Finding {
	return noAnswer(in.Machine.Driver.SMI, "nvidia-smi does not answer", command("sudo dmesg | grep -iE 'nvrm|xid'", "what the kernel module says"))
}

func nvmlRefuses(in *Input) []finding.Finding {
	return noAnswer(in.Machine.Driver.NVML, "the driver's management library refuses to answer", command("nvidia-smi", "prints the same reason in its own words"))
}

// noAnswer tells of a part of the driver that is there and does not answer.
func noAnswer(f fact.Fact[string], what string, next finding.Step) []finding.Finding {
	if f.State != fact.Unreadable {
		return nil
	}
	return one(finding.Finding{What: what, Where: f.Source, Why: f.Why, Next: []finding.Step{next}, Evidence: []finding.Evidence{evidence(f.Source, f.Why)}})
}

func withoutDevice(in *Input) []finding.Finding {
	d := in.Machine.Driver
	lib := realLibrary(d)
	if lib == nil || d.Kernel.Known() || len(in.Machine.GPUs) > 0 || in.Machine.System.Platform == fact.Jetson || in.Machine.System.Platform == fact.WSL2 {
		return nil
	}
	f := finding.Finding{
		What:  "the driver library is here, but no device",
		Where: lib.Path,
		Why:   "no kernel module is loaded and no NVIDIA GPU is visible: programs start, and CUDA answers error 100 (no device)",
	}
	if in.Paths().Windows() {
		f.Why = "no NVIDIA display adapter is installed: programs start, and CUDA answers error 100 (no device)"
	}
	if in.NeedGPU {
		f.Severity = finding.Error
		f.Next = []finding.Step{advice("run on a machine with an NVIDIA GPU and its driver running")}
	}
	return one(f)
}

func helperMissing(in *Input) []finding.Finding {
	h := in.Machine.Driver.Helper
	if h.IsZero() || !h.IsAbsent() || h.Source == "the recording" {
		return nil
	}
	return one(finding.Finding{
		What: "the program cupel-gpu was not found",
		Why:  "GPU facts come from nvidia-smi and files instead, which is slower and tells less",
		Next: []finding.Step{command("make install PREFIX=~/.local", "in cupel's source: puts its programs side by side")},
	})
}

func helperFails(in *Input) []finding.Finding {
	h := in.Machine.Driver.Helper
	if h.State != fact.Unreadable {
		return nil
	}
	return one(finding.Finding{
		What:     "the program cupel-gpu could not be used",
		Where:    h.Source,
		Why:      h.Why + "; GPU facts come from nvidia-smi and files instead",
		Next:     []finding.Step{command("nvidia-smi", "when it hangs too, the driver does not answer; else install both programs from one release")},
		Evidence: []finding.Evidence{evidence(h.Source, h.Why)},
	})
}

// packageBranch finds 580 in nvidia-driver-580-open and libnvidia-compute-580.
var packageBranch = pattern.New(`-(\d{3})(?:-|$)`)

func packagesMixed(in *Input) []finding.Finding {
	var branches []string
	for _, p := range in.Machine.Driver.Packages {
		if m := packageBranch.FindStringSubmatch(p.Name); m != nil && !slices.Contains(branches, m[1]) {
			branches = append(branches, m[1])
		}
	}
	if len(branches) < 2 {
		return nil
	}
	slices.Sort(branches)
	f := finding.Finding{
		What:  "driver packages of the branches " + strings.Join(branches, " and ") + " are installed",
		Where: "/var/lib/dpkg/info",
		Why:   "an upgrade that stopped half way leaves parts of both; the next upgrade or reboot can pair a kernel module with the other branch's libcuda (error 803)",
		Next:  []finding.Step{command("dpkg -l | grep -E 'nvidia|libcuda'", "what is installed (ii) and what only left settings behind (rc); remove one branch")},
	}
	for _, p := range in.Machine.Driver.Packages {
		f.Evidence = append(f.Evidence, evidence("/var/lib/dpkg/info", p.Name))
	}
	return one(f)
}
