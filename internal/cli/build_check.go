package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/contract"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

// sensible refuses values that mean nothing, and flags that do nothing together.
func (f buildFlags) sensible(fs *pflag.FlagSet) error {
	if err := f.said(fs); err != nil {
		return err
	}
	switch {
	case fs.Changed("jobs") && f.jobs < 1:
		return usage("--jobs %d: at least one is needed", f.jobs)
	case fs.Changed("timeout") && f.timeout <= 0:
		return usage("--timeout %s: it has to be more than nothing", f.timeout)
	case slices.ContainsFunc(f.archs, func(a string) bool { return strings.TrimSpace(a) == "" }) || fs.Changed("arch") && len(f.archs) == 0:
		return usage("--arch names none: write 86, sm_90a, native, all-major or all")
	case f.timeline != "" && !isFolder(filepath.Dir(f.timeline)):
		return usage("--timeline %s: there is no folder %s", f.timeline, filepath.Dir(f.timeline))
	case f.dryRun && f.watch:
		return usage("--dry-run does nothing, so there is nothing to --watch")
	case f.dryRun && len(f.emit) > 0:
		return usage("--dry-run builds nothing that --emit could tell of")
	}
	return nil
}

// said refuses values without a letter, as a variable gives them that a script did not set: the default is not what was meant.
func (f buildFlags) said(fs *pflag.FlagSet) error {
	for _, flag := range []struct{ name, value, write string }{
		{"out", f.out, "a folder"}, {"kind", strings.Join(f.kinds, ""), strings.Join(kinds, ", ")}, {"name", f.name, "a name"},
		{"memory", f.memory, "8G or 500M"}, {"timeline", f.timeline, "a file"},
	} {
		if fs.Changed(flag.name) && strings.TrimSpace(flag.value) == "" {
			return usage("--%s is empty: write %s, or leave it out", flag.name, flag.write)
		}
	}
	return nil
}

// completeKernels offers the kernels of the contract; files are the shell's.
func completeKernels(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	root, err := contractRoot(look.New(host.Here()), "")
	if err != nil || root == "" {
		return nil, cobra.ShellCompDirectiveDefault
	}
	text, err := os.ReadFile(filepath.Join(root, contractFile))
	c, wrong := contract.Parse(contractFile, text)
	if err != nil || len(wrong) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, k := range c.Kernels {
		if !slices.Contains(args, k.Name) {
			names = append(names, k.Name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
