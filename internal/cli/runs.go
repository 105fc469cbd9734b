package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/record"
	"cupel/internal/render"
)

var runsFormats = []string{"text", "json", "md"}

// runsFlags narrow what is listed.
type runsFlags struct {
	last, failed, slow bool
	limit              int
}

func (f *runsFlags) add(cmd *cobra.Command, failed string) {
	fs := cmd.Flags()
	fs.BoolVar(&f.last, "last", false, "the newest run")
	fs.BoolVar(&f.failed, "failed", false, failed)
	fs.BoolVar(&f.slow, "slow", false, "the slowest calls first, with their share of the time of all")
	fs.IntVar(&f.limit, "limit", 0, "at most `N` lines; 0: all (default: 20 runs, 20 slow calls, all calls of a run)")
	formatFlags(cmd, runsFormats...)
}

// most is how many lines are shown where no number was given.
func (f runsFlags) most(cmd *cobra.Command, usual int) (int, error) {
	switch {
	case f.limit < 0:
		return 0, usage("--limit %d: a number of lines, or 0 for all", f.limit)
	case cmd.Flags().Changed("limit"):
		return f.limit, nil
	}
	return usual, nil
}

const usualLines = 20

func newRuns() *cobra.Command {
	var f runsFlags
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "The builds that ran under cupel exec, and every compiler call of them",
		Long: `Lists what cupel exec recorded, newest first: the run, when it began, its compiler calls and how many failed, how
it ended, how long it took. "cupel runs show" shows the calls of a run, or one call whole. A run is named by its ID, by the
beginning of one, or as "last"; a call by the run, a dot and its number. The last 100 runs or 1 GB are kept, in
CUPEL_HOME/runs. Values of variables that look like secrets are not recorded.

Exit code: 0, also when there is none; 2 called wrongly, 3 cupel could not do its work.`,
		Example: `  cupel runs
  cupel runs --failed
  cupel runs --last                 the newest run with its calls
  cupel runs --slow --limit 5       the five slowest calls of the last runs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.last {
				return showRun(cmd, record.Last, f)
			}
			return listRuns(cmd, f)
		},
	}
	f.add(cmd, "only runs that failed; with --last only calls that failed")
	cmd.AddCommand(runsShow())
	return cmd
}

func runsShow() *cobra.Command {
	var f runsFlags
	cmd := &cobra.Command{
		Use:   "show [RUN | RUN.NUMBER]",
		Short: "The calls of a run, or one call with its command, environment, files and output",
		Long: `Shows a run, the newest where none is named: its calls with their number, source, exit code, time and peak
memory. With a number after the run it shows that call whole: the command as it can be pasted, the folder, what its
environment had other than the run's, both streams apart, the files it read and wrote.

Exit code: 0 once it answered; 2 there is no such run or call, 3 cupel could not do its work.`,
		Example: `  cupel runs show                   the newest run
  cupel runs show last.3            its third call
  cupel runs show --slow --limit 10
  cupel runs show last.3 --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := record.Last
			if len(args) > 0 {
				name = args[0]
			}
			if f.last && len(args) > 0 && name != record.Last {
				return usage("--last and %s name two runs", name)
			}
			return showRun(cmd, name, f)
		},
	}
	f.add(cmd, "only calls that failed")
	return cmd
}

// runStore is where this user's runs are.
func runStore() (record.Store, error) {
	home := look.CupelHome(look.New(host.Here()))
	if home == "" {
		return record.Store{}, errors.New("find the recorded runs: neither CUPEL_HOME nor a home folder is known")
	}
	return record.Store{Dir: filepath.Join(home, "runs")}, nil
}

// newRunsAnswer is an answer without runs.
func newRunsAnswer(s record.Store, f runsFlags) render.Runs {
	return render.Runs{Format: render.RunsFormat, Cupel: Version, Findings: []finding.Finding{}, Dir: s.Dir, Runs: []render.ListedRun{}, Slow: f.slow, Failed: f.failed}
}

func listRuns(cmd *cobra.Command, f runsFlags) error {
	as, err := format(cmd, runsFormats...)
	if err != nil {
		return err
	}
	most, err := f.most(cmd, usualLines)
	if err != nil {
		return err
	}
	store, err := runStore()
	if err != nil {
		return err
	}
	a, err := gatherRuns(cmd.Context(), store, f, most)
	if err != nil {
		return interruptedIn(cmd.Context(), err)
	}
	return writeRuns(cmd.OutOrStdout(), a, as, render.Style.Runs, render.RunsMarkdown)
}

// gatherRuns lists the runs, or their slowest calls.
func gatherRuns(ctx context.Context, store record.Store, f runsFlags, most int) (render.Runs, error) {
	a := newRunsAnswer(store, f)
	runs, troubles, err := store.Runs(ctx)
	if err != nil {
		return a, err
	}
	for _, t := range troubles {
		a.Findings = append(a.Findings, finding.Finding{ID: "run-unreadable", Severity: finding.Warning, What: t, Where: store.Dir})
	}
	if len(runs) == 0 {
		a.Findings = append(a.Findings, noRuns(store))
	}
	for i, r := range runs {
		if !f.slow && !f.failed && most > 0 && i >= most { // the rest needs no reading
			a.More = len(runs) - i
			break
		}
		listed, calls, err := readRun(ctx, r)
		if err != nil {
			return a, err
		}
		if f.failed && !listed.Failed {
			continue
		}
		if f.slow {
			a.Calls = append(a.Calls, calls...)
		}
		a.Runs = append(a.Runs, listed)
	}
	switch {
	case f.slow:
		a.Calls, a.More = slowest(a.Calls, most)
	case most > 0 && len(a.Runs) > most:
		a.Runs, a.More = a.Runs[:most], len(a.Runs)-most
	}
	return a, nil
}

// noRuns is no fault: it says how the first is made.
func noRuns(s record.Store) finding.Finding {
	return finding.Finding{ID: "no-runs", Severity: finding.Info, What: "no run was recorded yet", Where: s.Dir,
		Next: []finding.Step{{Command: "cupel exec -- COMMAND", Note: "runs a build and records its compiler calls"}}}
}

func writeRuns(out io.Writer, a render.Runs, as string, text func(render.Style, render.Runs) string, md func(render.Runs) string) error {
	var err error
	switch as {
	case "json":
		err = writeJSON(out, a)
	case "md":
		_, err = io.WriteString(out, md(a))
	default:
		_, err = io.WriteString(out, text(styleFor(out), a))
	}
	return err
}

// interruptedIn tells a signal from other trouble.
func interruptedIn(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}
