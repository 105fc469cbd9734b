package rule

import (
	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var platformRules = []Rule{
	{ID: "macos-no-cuda", Severity: finding.Info, Title: "CUDA does not exist for macOS", On: []string{fact.Darwin}, Check: macos},
	{ID: "toolkit-not-installed", About: AboutToolkit, Severity: finding.Error, Title: "the toolkit that was asked for is not installed", Label: "toolkit-path-wrong", CausedBy: []string{"no-toolkit"}, Check: notInstalled},
	{ID: "no-toolkit", About: AboutToolkit, Severity: finding.Error, Title: "no CUDA toolkit was found", Label: "nvcc-not-found", CausedBy: []string{"macos-no-cuda"}, Check: noToolkit},
	{ID: "no-driver", About: AboutDriver, Severity: finding.Info, Title: "no NVIDIA driver was found", Label: "driver-not-installed-or-loaded",
		CausedBy: []string{"macos-no-cuda", "nouveau-in-use", "driver-not-loaded", "image-build-no-gpu", "gpu-not-passed-to-container", "wsl-libcuda-not-found", "wsl-no-gpu-node", "wsl1-no-gpu"}, Check: noDriver},
}

func macos(in *Input) []finding.Finding {
	return one(finding.Finding{
		What: "CUDA is not available on macOS",
		Why:  "NVIDIA ended CUDA for macOS with release 10.2; snapshots and logs of other machines can be judged here",
		Next: []finding.Step{command("cupel doctor --snapshot FILE", "judge the saved answer of another machine")},
	})
}

// notInstalled: a person asked for a toolkit by flag, variable or project choice; another one in its place would
// be a surprise.
func notInstalled(in *Input) []finding.Finding {
	where := map[choice.By]string{choice.ByFlag: "--toolkit", choice.ByEnv: "CUPEL_TOOLKIT", choice.ByProject: ".cupel/choice.toml"}[in.Chosen.By]
	if in.Chosen.Toolkit != nil || where == "" {
		return nil
	}
	return one(finding.Finding{
		What:  "the toolkit that was asked for is not installed",
		Where: where,
		Why:   in.Chosen.Reason,
		Next:  append(in.askedFor(), command("cupel doctor", "without it: lists the toolkits that are here")),
	})
}

func noToolkit(in *Input) []finding.Finding {
	if len(in.Machine.Toolkits) > 0 {
		return nil
	}
	return one(finding.Finding{
		What:  "no CUDA toolkit was found",
		Where: "PATH, the variables that name a toolkit, the folders of installers, conda and Python",
		Why:   "without nvcc and the CUDA headers nothing can be compiled; a driver brings neither",
		Next:  in.installHint(),
	})
}

func noDriver(in *Input) []finding.Finding {
	if in.hasDriver() || in.Machine.System.Platform == fact.Jetson {
		return nil
	}
	f := finding.Finding{
		What: "no NVIDIA driver was found",
		Why:  "kernels can be compiled without one; nothing can run on a GPU here",
	}
	if in.NeedGPU {
		f.Severity = finding.Error
		f.Next = []finding.Step{advice("run this on a machine with an NVIDIA GPU and its driver: no NVIDIA device is visible here")}
		if len(in.Machine.Driver.PCI) > 0 {
			f.Next = []finding.Step{advice("install NVIDIA's driver for the GPU, then run cupel doctor again")}
		}
	}
	return one(f)
}
