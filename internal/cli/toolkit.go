package cli

import (
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/depot"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

func newToolkit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "toolkit",
		Short: "CUDA toolkits side by side, without root",
		Long: `Installs, lists, checks and removes CUDA toolkits in the user's own folder (CUPEL_HOME), side by side and without root.
They come from NVIDIA's archives (redist), from pip's wheels, from Debian's and Ubuntu's packages (apt) or from conda; a
root that is there already can be registered (local). Nothing outside CUPEL_HOME and CUPEL_CACHE is changed.`,
		Example: `  cupel toolkit search 13.0                what can be had, and how large it is
  cupel toolkit install 13.0               from the first source that answers
  cupel toolkit use 13.0                   in this project
  cupel toolkit run 13.0 -- cargo build    in the environment of that toolkit
  cupel toolkit list`,
		Args: toolkitArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(toolkitSearch(), toolkitInstall(), toolkitList(), toolkitUse(), toolkitWhich(), toolkitRemove(), toolkitVerify(), toolkitRun())
	return cmd
}

// toolkitArgs refuses what is no command: cobra itself would show the help and be content.
func toolkitArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return usage("toolkit has no command %q: one of %s", args[0], strings.Join(names, ", "))
}

// platformHere is what this program was built for. There are no toolkits for macOS: it has one only with --platform.
func platformHere() resolve.Platform { return resolve.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH} }

// platformFor reads --platform.
func platformFor(text string) (resolve.Platform, error) {
	if text != "" {
		p, err := resolve.ParsePlatform(text)
		if err != nil {
			return p, usage("--platform: %v", err)
		}
		return p, nil
	}
	p := platformHere()
	if !slices.Contains(resolve.Platforms, p) {
		return p, usage("there is no CUDA toolkit for this machine (%s/%s): name another one with --platform (%s)", p.OS, p.Arch, strings.Join(resolve.PlatformNames(), ", "))
	}
	return p, nil
}

// depotHere is where this user's cupel keeps things.
func depotHere() depot.Depot {
	a := look.New(host.Here())
	return depot.Depot{Home: look.CupelHome(a), Cache: look.CupelCache(a)}
}

// installedBy finds what a person means by a name or a release among what is installed: an exact name first.
func installedBy(all []depot.Installed, text string) []depot.Installed {
	var out []depot.Installed
	for _, i := range all {
		if nameOf(i) == text {
			return []depot.Installed{i}
		}
	}
	want, err := version.ParseRelease(text)
	if err != nil {
		return nil
	}
	for _, i := range all {
		have, err := version.Parse(i.Manifest.Release)
		if err == nil && want.Covers(have) {
			out = append(out, i)
		}
	}
	return out
}

// nameOf is the folder's name: a manifest that cannot be read tells none.
func nameOf(i depot.Installed) string { return host.Here().System().Paths().Base(i.Dir) }

func namesOf(all []depot.Installed) []string {
	var out []string
	for _, i := range all {
		out = append(out, nameOf(i))
	}
	return out
}
