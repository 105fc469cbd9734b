package rule

import (
	"strings"

	"cupel/internal/fact"
	"cupel/internal/finding"
)

const wslLibs = "/usr/lib/wsl/lib"

var wslRules = []Rule{
	{ID: "wsl-linux-driver", Severity: finding.Error, Title: "a Linux NVIDIA driver is installed inside WSL2", Label: "wsl-libcuda-not-found", On: []string{fact.WSL2}, Check: wslLinuxDriver},
	{ID: "wsl1-no-gpu", Severity: finding.Info, Title: "WSL 1 has no GPU", On: []string{fact.Linux}, Check: wsl1},
	{ID: "wsl-no-gpu-node", Severity: finding.Info, Title: "WSL2 offers no GPU here", On: []string{fact.WSL2}, Check: wslNoNode},
	{ID: "wsl-libcuda-not-found", Severity: finding.Warning, Title: "WSL's libcuda is not mounted", On: []string{fact.WSL2}, CausedBy: []string{"wsl-no-gpu-node"}, Check: wslNotMounted},
	{ID: "wsl-libcuda-not-on-loader-path", Severity: finding.Error, Title: "WSL's libcuda is there, but the loader does not look there", Label: "wsl-libcuda-not-found",
		On: []string{fact.WSL2}, CausedBy: []string{"wsl-linux-driver"}, Check: wslNotOnPath},
	{ID: "wsl-windows-nvcc", About: AboutToolkit, Severity: finding.Warning, Title: "the Windows PATH is mixed into WSL and brings a Windows toolkit", Label: "mixed-toolkits", On: []string{fact.WSL2}, Check: wslWindowsPath},
}

// wsl1: the kernel of WSL 1 is Windows' own and calls itself Microsoft without WSL2.
func wsl1(in *Input) []finding.Finding {
	kernel := in.Machine.System.Kernel
	if !strings.HasSuffix(kernel.Value, "-Microsoft") {
		return nil
	}
	f := finding.Finding{
		What:  "this is WSL 1, which has no GPU",
		Where: kernel.Source + ": " + kernel.Value,
		Why:   "only WSL2 passes the GPU through; kernels can be compiled here, nothing can run on a GPU",
		Next:  []finding.Step{command("wsl.exe --set-version DISTRIBUTION 2", "in Windows; wsl.exe -l -v lists the names")},
	}
	if in.NeedGPU {
		f.Severity = finding.Error
	}
	return one(f)
}

func wslLibrary(in *Input) *fact.DriverLibrary {
	for i, l := range in.Machine.Driver.Libraries {
		if strings.HasPrefix(l.Path, wslLibs+"/") || strings.HasPrefix(l.Real, "/usr/lib/wsl/") {
			return &in.Machine.Driver.Libraries[i]
		}
	}
	return nil
}

func wslLinuxDriver(in *Input) []finding.Finding {
	f := finding.Finding{
		What: "a Linux NVIDIA driver is installed inside WSL2",
		Why:  "WSL2 uses the Windows driver through /usr/lib/wsl/lib; a Linux libcuda shadows it and finds no device",
	}
	var names []string
	for _, p := range in.Machine.Driver.Packages {
		names = append(names, p.Name)
		f.Evidence = append(f.Evidence, evidence("/var/lib/dpkg/info", p.Name))
	}
	for _, l := range in.Machine.Driver.Libraries {
		if l.Version != "" && l.Rank > 0 {
			f.Where = l.Path
			f.Evidence = append(f.Evidence, evidence(l.Path, "version "+l.Version))
		}
	}
	if len(f.Evidence) == 0 {
		return nil
	}
	if len(names) > 0 {
		f.Next = []finding.Step{command("sudo apt-get remove "+strings.Join(names, " "), "the Windows driver stays; then: sudo ldconfig")}
	} else {
		f.Next = []finding.Step{advice("remove " + f.Where + " and what installed it, then: sudo ldconfig")}
	}
	return one(f)
}

func wslNoNode(in *Input) []finding.Finding {
	if nodeNames(in.Machine.Driver)["dxg"] {
		return nil
	}
	f := finding.Finding{
		What:  "WSL2 offers no GPU here",
		Where: "/dev/dxg",
		Why:   "the node is missing: Windows has no display driver that offers its GPU to WSL, gpuSupport is false in .wslconfig, or this is WSL 1",
		Next:  []finding.Step{command("wsl.exe --update", "then wsl.exe --shutdown, and start again")},
	}
	if in.NeedGPU {
		f.Severity = finding.Error
	}
	return one(f)
}

func wslNotMounted(in *Input) []finding.Finding {
	if wslLibrary(in) != nil || !nodeNames(in.Machine.Driver)["dxg"] {
		return nil
	}
	f := finding.Finding{
		What:  "WSL's driver library is not mounted",
		Where: wslLibs + "/libcuda.so.1",
		Why:   "Windows mounts it there when it has an NVIDIA driver: none is installed on the Windows side, the GPU is of another maker, or the mount was removed",
		Next: []finding.Step{
			advice("install NVIDIA's driver on Windows (never one inside WSL)"),
			command("wsl.exe --shutdown", "then start the distribution again: the mount is made at start"),
		},
	}
	// /dev/dxg stands for the GPU of any maker, so it does not prove that an NVIDIA one is expected.
	if in.NeedGPU {
		f.Severity = finding.Error
	}
	return one(f)
}

func wslNotOnPath(in *Input) []finding.Finding {
	l := wslLibrary(in)
	if l == nil || l.Rank > 0 {
		return nil
	}
	return one(finding.Finding{
		What:  "WSL's libcuda is there, but the loader does not find it",
		Where: l.Path,
		Why:   wslLibs + " is neither in the loader's cache nor in LD_LIBRARY_PATH",
		Next:  []finding.Step{command("echo "+wslLibs+" | sudo tee /etc/ld.so.conf.d/ld.wsl.conf && sudo ldconfig", "WSL writes this file itself when it may")},
	})
}

func wslWindowsPath(in *Input) []finding.Finding {
	for _, p := range in.Machine.Path {
		lower := strings.ToLower(p.Dir)
		if strings.HasPrefix(lower, "/mnt/") && strings.Contains(lower, "nvidia gpu computing toolkit") {
			return one(finding.Finding{
				What:  "the Windows toolkit's folder is on the PATH inside WSL",
				Where: p.Dir,
				Why:   "WSL appends the Windows PATH: nvcc.exe there makes Windows programs, and CMake looks for nvcc.exe by that name too",
				Next:  []finding.Step{advice("set appendWindowsPath=false under [interop] in /etc/wsl.conf, or put the Linux toolkit's bin first")},
			})
		}
	}
	return nil
}
