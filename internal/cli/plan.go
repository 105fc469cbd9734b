package cli

import (
	"io"

	"github.com/spf13/cobra"

	"cupel/internal/remedy"
	"cupel/internal/render"
)

type planFlags struct {
	contractFlags
	all    bool
	strict bool
}

func planCommand() *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "The cheapest list of steps from this machine to the project's contract (cupel.toml)",
		Long: `Searches for the cheapest ordered list of steps after which "cupel verify" has nothing to say: what is installed is used
before anything is installed, user space comes before root, a driver and its restart last. Each step says who must
do it, what it costs and what it fixes; where several ways lead to the same thing, exactly one is taken. Nothing is
carried out.

If nothing can satisfy the contract here, the smallest set of its lines that conflict is shown, and why.

Exit code: 0 nothing is to be done, 1 there are steps to do or there is no plan, 2 called wrongly or a contract that
cannot be used, 3 cupel could not do its work.`,
		Example: `  cupel plan
  cupel plan --all                             every plan that is better than the others in some way
  cupel plan --snapshot runner.json --as ci    for another machine
  cupel plan --toolkit 12.8                    with this release and no other
  cupel plan --format md                       a list to tick off`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPlan(cmd, f) },
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.BoolVar(&f.all, "all", false, "several plans, where they trade off")
	fs.BoolVar(&f.strict, "strict", false, "settle warnings too")
	formatFlags(cmd, "text", "json", "md")
	_ = cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions([]string{"ci", "linux", "windows", "wsl2"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runPlan(cmd *cobra.Command, f planFlags) error {
	as, err := format(cmd, "text", "json", "md")
	if err != nil {
		return err
	}
	in, err := verifyInput(cmd, f.contractFlags)
	if err != nil {
		return err
	}
	in.Strict = f.strict
	a := remedy.Plan(remedy.Input{Verify: in, All: f.all})
	if err := writePlan(cmd.OutOrStdout(), a, as); err != nil {
		return err
	}
	if !a.Already {
		return codeError(exitFindings)
	}
	return nil
}

func writePlan(out io.Writer, a remedy.Answer, as string) error {
	var err error
	switch as {
	case "json":
		err = writeJSON(out, a)
	case "md":
		_, err = io.WriteString(out, render.PlanMarkdown(a))
	default:
		_, err = io.WriteString(out, styleFor(out).Plan(a))
	}
	return err
}
