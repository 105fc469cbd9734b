package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// command is one of the program's: its name, and how it is built.
type command struct {
	name  string
	build func() *cobra.Command
}

func commands() []command {
	return []command{
		{"doctor", newDoctor}, {"verify", newVerify}, {"init", initCommand}, {"plan", planCommand}, {"env", newEnv}, {"toolkit", newToolkit}, {"up", newUp}, {"build", newBuild}, {"cache", newCache},
		{"exec", newExec}, {"runs", newRuns}, {"replay", newReplay}, {"bundle", newBundle}, {"explain", newExplain}, {"compat", newCompat},
		{"lock", lockCommand}, {"docs", docsCommand}, {"version", newVersion}, {"completion", newCompletion},
	}
}

// Root builds the command tree.
func Root(stdout, stderr io.Writer) *cobra.Command { return rootOf(commands(), stdout, stderr) }

// rootFor builds the part of the tree that a call needs: building all of it is a quarter of what a short command takes.
// Where the first word is the name of a command, no other is asked for; help, completion and a mistyped name need all.
func rootFor(args []string, stdout, stderr io.Writer) *cobra.Command {
	all := commands()
	if at := slices.IndexFunc(all, func(c command) bool { return len(args) > 0 && c.name == args[0] }); at >= 0 {
		all = all[at : at+1]
	}
	return rootOf(all, stdout, stderr)
}
