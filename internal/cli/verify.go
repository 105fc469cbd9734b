package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/host"
	"cupel/internal/render"
	"cupel/internal/verify"
)

var verifyFormats = []string{"text", "json", "md", "junit", "sarif", "github"}

type verifyFlags struct {
	contractFlags
	only     []string
	failFast bool
	strict   bool
	build    bool
	verbose  bool
	list     bool
}

func newVerify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [SET]",
		Short: "Does this machine meet the project's contract (cupel.toml)?",
		Long: `Checks this machine and the project's files against cupel.toml: one line per demand, what is expected beside what
was found. SET is a [verify.SET] of the contract: a named choice of checks.

--build then runs the [[config]] rows marked smoke, those that need nothing first: they run with every toolkit,
CUDA variable and libcuda hidden, which proves that the build without CUDA needs none.

Exit code: 0 the contract is met, 1 it is not (with --strict also for a warning), 2 called wrongly or a contract that
cannot be used, 3 cupel could not do its work, 130 interrupted.`,
		Example: `  cupel verify
  cupel verify --build
  cupel verify --snapshot runner.json --as ci       the runner's machine, judged here
  cupel verify --only 'toolkit-*' --only host-compiler
  cupel verify quick --fail-fast                    the checks of [verify.quick]
  cupel verify --format junit > verify.xml          also sarif, github, md, json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSets,
		RunE:              func(cmd *cobra.Command, args []string) error { return runVerify(cmd, args, f) },
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.StringSliceVar(&f.only, "only", nil, "make only these checks: `ID`s or patterns")
	fs.BoolVar(&f.failFast, "fail-fast", false, "stop at the first failure")
	fs.BoolVar(&f.strict, "strict", false, "a warning fails")
	fs.BoolVar(&f.build, "build", false, "run the configs marked smoke")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "show consequences and proofs too; with --build also what the configs write while they run")
	fs.BoolVar(&f.list, "list", false, "list the checks this contract has")
	formatFlags(cmd, verifyFormats...)
	_ = cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions([]string{"ci", "linux", "windows", "wsl2"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runVerify(cmd *cobra.Command, args []string, f verifyFlags) error {
	as, err := format(cmd, verifyFormats...)
	if err != nil {
		return err
	}
	j, err := gatherContract(cmd, f.contractFlags)
	if err != nil {
		return err
	}
	j.input.Only, j.input.FailFast, j.input.Strict = f.only, f.failFast, f.strict
	if len(args) == 1 {
		if f.build, err = useSet(&j.input, args[0], f.build); err != nil {
			return err
		}
	}
	if err := checkOnly(j.input, f.build); err != nil {
		return err
	}
	if f.list {
		return listChecks(cmd.OutOrStdout(), j.input, as)
	}
	a := verify.Judge(j.input)
	if f.build {
		if err := runConfigs(cmd, f, j, &a); err != nil {
			return err
		}
	}
	if err := writeVerify(cmd.OutOrStdout(), a, as, f.verbose); err != nil {
		return err
	}
	if !a.Passed {
		return codeError(exitFindings)
	}
	return nil
}

// useSet applies a named set; what the command line says besides holds too.
func useSet(in *verify.Input, name string, build bool) (bool, error) {
	set, ok := in.Contract.Verify[name]
	if !ok {
		return build, usage("%s has no [verify.%s]%s", in.Contract.File, name, oneOf(slices.Sorted(maps.Keys(in.Contract.Verify))))
	}
	in.Only = append(in.Only, set.Checks...)
	in.Strict, in.FailFast = in.Strict || set.Strict, in.FailFast || set.FailFast
	return build || set.Build, nil
}

func oneOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; it has: " + strings.Join(names, ", ")
}

// checkOnly refuses a check that will not be made: nothing would be checked, and that would look like success.
func checkOnly(in verify.Input, build bool) error {
	ids, later := verify.IDs(in), map[string]string{}
	for _, cfg := range in.Contract.Configs {
		switch {
		case !build:
			later[verify.ConfigID(cfg)] = "is made with --build only"
		case !cfg.Smoke:
			later[verify.ConfigID(cfg)] = "is not made: the config is not marked smoke = true"
		}
	}
	for _, pattern := range in.Only {
		match := func(id string) bool { return verify.Match([]string{pattern}, id) }
		made := func(id string) bool { return match(id) && later[id] == "" }
		if slices.ContainsFunc(ids, made) {
			continue
		}
		if i := slices.IndexFunc(ids, match); i >= 0 {
			return usage("%s, which %q names, %s", ids[i], pattern, later[ids[i]])
		}
		return usage("no check of %s is called %q: cupel verify --list names them", in.Contract.File, pattern)
	}
	return nil
}

func listChecks(out io.Writer, in verify.Input, as string) error {
	ids := verify.IDs(in)
	if as == "json" {
		return writeJSON(out, map[string]any{"format": "cupel.verify-list/1", "cupel": Version, "findings": []any{}, "checks": ids})
	}
	_, err := fmt.Fprintln(out, strings.Join(ids, "\n"))
	return err
}

func writeVerify(out io.Writer, a verify.Answer, as string, verbose bool) error {
	var text []byte
	var err error
	switch as {
	case "json":
		return writeJSON(out, a)
	case "md":
		text = []byte(render.VerifyMarkdown(a))
	case "junit":
		text, err = render.JUnit(a)
	case "sarif":
		text, err = render.SARIF(a)
	case "github":
		text = []byte(render.GitHub(a))
	default:
		text = []byte(styleFor(out).Verify(a, verbose))
	}
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

func completeSets(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	dir, _ := cmd.Flags().GetString("project")
	w, err := openWorkspace(host.Here(), dir, shown)
	if err != nil || w.contract == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Sorted(maps.Keys(w.contract.Verify)), cobra.ShellCompDirectiveNoFileComp
}
