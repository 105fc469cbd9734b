package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

const noFiles = cobra.ShellCompDirectiveNoFileComp

// completeReleases offers the releases of the tables, newest first: the sources are not asked while somebody types.
func completeReleases(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	var out []string
	for _, r := range slices.Backward(data.Releases()) {
		if v, err := version.Parse(r.Version); err == nil && !slices.Contains(out, v.Short().String()) {
			out = append(out, v.Short().String())
		}
	}
	return out, noFiles
}

// completeInstalled offers the names of what cupel installed.
func completeInstalled(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	all, _ := depotHere().List(depot.Toolkits)
	return namesOf(all), noFiles
}

// completeHere offers the releases that are installed, for commands that take one.
func completeHere(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	all, _ := depotHere().List(depot.Toolkits)
	var out []string
	for _, i := range all {
		if v, err := version.Parse(i.Manifest.Release); err == nil && !slices.Contains(out, v.Short().String()) {
			out = append(out, v.Short().String())
		}
	}
	return append(out, namesOf(all)...), noFiles
}

func completeComponents(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return resolve.Words(), noFiles
}
