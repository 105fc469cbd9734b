package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/call"
	"cupel/internal/render"
	"cupel/internal/tree"
)

var replayFormats = []string{"text", "json", "md"}

type replayFlags struct {
	print   bool
	clean   bool
	toolkit string
	diff    bool
	bisect  bool
	timeout time.Duration
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay CALL",
		Short: "Runs one recorded compiler call again, exactly",
		Long: `Runs a compiler call that "cupel exec" recorded once more: the same program, arguments, folder and environment. It writes
the same outputs as the call did. CALL is RUN.N, last.N, N alone (call N of the newest run), a run or last (the first
failing call of it); "cupel runs" lists them.

Values of secrets were not recorded: they are taken from the current environment, and their names said. --diff-env runs
nothing and tells what differs between the recorded environment and this shell's: why a call works by hand and fails in
the build. --bisect-env finds the variables that make that difference by running the call several times.

Exit code: that of the call; 128+n when signal n ended it, 125 when it could not be started, 2 called wrongly, 3 there is
no such call. With --print, --diff-env and --bisect-env: 0 it was answered.`,
		Example: `  cupel replay last                          the first failing call of the newest run
  cupel replay last.3
  cupel replay last --print                  the command to paste
  cupel replay last --diff-env               what this shell has other than the build had
  cupel replay last --bisect-env
  cupel replay last --clean-env
  cupel replay last --with-toolkit 12.4`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("name one call: cupel replay last, cupel replay last.3 (cupel runs lists them)")
			}
			return nil
		},
		ValidArgsFunction: completeRuns,
		RunE:              func(cmd *cobra.Command, args []string) error { return runReplay(cmd, args[0], f) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.print, "print", false, "print the command that can be pasted, and run nothing")
	fs.BoolVar(&f.clean, "clean-env", false, "only the variables that a compiler needs")
	fs.StringVar(&f.toolkit, "with-toolkit", "", "the same arguments with another toolkit: a `RELEASE`, a name or a root")
	fs.BoolVar(&f.diff, "diff-env", false, "run nothing: what differs between the recorded environment and this one")
	fs.BoolVar(&f.bisect, "bisect-env", false, "find the variables that make the call end differently in this shell")
	fs.DurationVar(&f.timeout, "timeout", 0, "end the call after this time (default: never)")
	formatFlags(cmd, replayFormats...)
	return cmd
}

// check refuses what excludes each other.
func (f replayFlags) check(cmd *cobra.Command, as string) error {
	switch {
	case f.print && f.diff, f.print && f.bisect, f.diff && f.bisect:
		return usage("--print, --diff-env and --bisect-env exclude each other")
	case f.bisect && (f.clean || f.toolkit != ""):
		return usage("--bisect-env compares the recorded environment with this one: it excludes --clean-env and --with-toolkit")
	case as == "md" && f.bisect:
		return usage("--bisect-env answers as text or json")
	case as != "text" && !f.diff && !f.bisect:
		return usage("a replay has the call's own output: --format and --json stand with --diff-env or --bisect-env")
	case f.timeout < 0, cmd.Flags().Changed("timeout") && f.timeout == 0:
		return usage("--timeout is a time above 0: 30s, 5m")
	}
	return nil
}

func runReplay(cmd *cobra.Command, name string, f replayFlags) error {
	as, err := format(cmd, replayFormats...)
	if err != nil {
		return err
	}
	if err := f.check(cmd, as); err != nil {
		return err
	}
	c, err := recordedCall(cmd.Context(), name)
	if err != nil {
		return err
	}
	r, err := newRerun(c)
	if err != nil {
		return err
	}
	if f.toolkit != "" {
		if err := r.withToolkit(cmd, f.toolkit); err != nil {
			return err
		}
	}
	if f.clean {
		r.cleaned()
	}
	switch {
	case f.diff:
		return r.showDifference(cmd, as)
	case f.print:
		return r.print(cmd)
	}
	if err := r.canStart(); err != nil {
		replayNote(cmd, "%v", err)
		return codeError(exitNotStarted)
	}
	if f.bisect {
		return r.bisect(cmd, f.timeout, as)
	}
	return r.again(cmd, f)
}

// replayNote is one line on stderr.
func replayNote(cmd *cobra.Command, format string, args ...any) {
	fmt.Fprintln(cmd.ErrOrStderr(), "cupel replay: "+render.Line(fmt.Sprintf(format, args...)))
}

// again runs the call with this program's own streams and ends as it ended.
func (r *rerun) again(cmd *cobra.Command, f replayFlags) error {
	args, done, err := r.fitting()
	if err != nil {
		return err
	}
	defer done()
	replayNote(cmd, "%s in %s: %s", r.id, r.dir, r.shortCommand())
	for _, n := range r.notes {
		replayNote(cmd, "%s", n)
	}
	// A signal that this program gets is the call's to answer, so none ends the wait.
	ctx, cancel := context.WithoutCancel(cmd.Context()), context.CancelFunc(func() {})
	if f.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
	}
	defer cancel()
	end := tree.Run(ctx, tree.Command{
		Path: r.program, Argv: append([]string{r.program}, args...), Dir: r.dir, Env: r.environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		replayNote(cmd, "the call was ended after %s (--timeout)", f.timeout)
	}
	if end.Error == "" {
		r.compare(cmd, end)
	}
	switch {
	case end.Error != "":
		replayNote(cmd, "%s", end.Error)
		return codeError(exitNotStarted)
	case end.Code != 0:
		return codeError(int(end.Code))
	}
	return nil
}

// compare says when the call ended otherwise than it was recorded.
func (r *rerun) compare(cmd *cobra.Command, end call.RunEnd) {
	if recorded := r.recorded(); recorded != end.Words() {
		replayNote(cmd, "recorded: %s; now: %s", recorded, end.Words())
	}
}

// recorded is how the call ended when it was recorded.
func (r *rerun) recorded() string {
	if r.call.End == nil {
		return "its end was not recorded"
	}
	return r.call.End.Words()
}
