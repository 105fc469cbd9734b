package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cupel/internal/call"
	"cupel/internal/nvcc"
	"cupel/internal/record"
	"cupel/internal/render"
)

// showRun shows a run or a call of it.
func showRun(cmd *cobra.Command, name string, f runsFlags) error {
	as, err := format(cmd, runsFormats...)
	if err != nil {
		return err
	}
	most, err := f.most(cmd, map[bool]int{true: usualLines}[f.slow])
	if err != nil {
		return err
	}
	store, err := runStore()
	if err != nil {
		return err
	}
	name = ofNewest(cmd.Context(), store, name)
	id, number, err := record.Split(name)
	if err != nil {
		return usageError{err}
	}
	if number > 0 && (f.failed || f.slow || cmd.Flags().Changed("limit")) {
		return usage("--failed, --slow and --limit narrow the calls of a run: %s is one call", name)
	}
	a := newRunsAnswer(store, f)
	run, err := store.Find(cmd.Context(), id)
	if errors.Is(err, record.ErrNone) && number == 0 {
		a.Findings = append(a.Findings, noRuns(store))
		return writeRuns(cmd.OutOrStdout(), a, as, render.Style.Runs, render.RunsMarkdown)
	}
	if err != nil {
		return interruptedIn(cmd.Context(), noSuchRun(cmd.Context(), store, id, err))
	}
	if number > 0 {
		return showCall(cmd, run, number, a, as)
	}
	if err := addCalls(cmd.Context(), run, f, most, &a); err != nil {
		return interruptedIn(cmd.Context(), err)
	}
	if number, err := firstFailing(cmd.Context(), run); err == nil {
		a.Root = fmt.Sprintf("%s.%d", run.Run.ID, number)
	}
	return writeRuns(cmd.OutOrStdout(), a, as, render.Style.Run, render.RunMarkdown)
}

// noSuchRun says which runs a name could have meant.
func noSuchRun(ctx context.Context, s record.Store, id string, err error) error {
	var unknown record.Unknown
	switch {
	case errors.Is(err, record.ErrNone):
		return usage("%w: cupel exec -- COMMAND makes one", err)
	case !errors.As(err, &unknown):
		return err
	case len(unknown.Like) > 0:
		return usage("%w: type more of it", err)
	}
	runs, _, _ := s.Runs(ctx)
	var ids []string
	for _, r := range runs {
		if distance(strings.ToLower(id), r.Run.ID) <= 2 || len(id) > 2 && strings.HasSuffix(r.Run.ID, strings.ToLower(id)) {
			ids = append(ids, r.Run.ID)
		}
	}
	if len(ids) == 0 {
		return usage("%w: cupel runs lists them", err)
	}
	return usage("%w: did you mean %s?", err, strings.Join(ids[:min(3, len(ids))], ", "))
}

// addCalls puts a run and its calls into an answer.
func addCalls(ctx context.Context, run record.Saved, f runsFlags, most int, a *render.Runs) error {
	listed, calls, err := readRun(ctx, run)
	if err != nil {
		return err
	}
	if f.failed {
		calls = slices.DeleteFunc(calls, func(c render.ListedCall) bool { return !c.Failed })
	}
	switch {
	case f.slow:
		calls, a.More = slowest(calls, most)
	case most > 0 && len(calls) > most:
		calls, a.More = calls[:most], len(calls)-most
	}
	a.Runs, a.Calls = append(a.Runs, listed), calls
	return nil
}

// slowest puts the calls that took longest first. One without an end took nobody knows how long: it comes last.
func slowest(calls []render.ListedCall, most int) (shown []render.ListedCall, more int) {
	slices.SortStableFunc(calls, func(a, b render.ListedCall) int { return cmp.Compare(b.Seconds, a.Seconds) })
	if most > 0 && len(calls) > most {
		return calls[:most], len(calls) - most
	}
	return calls, 0
}

// readRun reads a run with the figures of its calls.
func readRun(ctx context.Context, run record.Saved) (render.ListedRun, []render.ListedCall, error) {
	calls, err := run.Calls(ctx)
	if err != nil {
		return render.ListedRun{}, nil, err
	}
	r := render.ListedRun{Run: run.Run, Live: run.Live, Calls: len(calls)}
	lines := make([]render.ListedCall, 0, len(calls))
	for _, c := range calls {
		line := listedCall(c)
		if line.Failed {
			r.Failing++
		}
		if !line.Ended {
			r.Unfinished++
		}
		if line.Cache == call.CacheHit {
			r.Cached++
		}
		r.Work, r.Peak = r.Work+line.Seconds, max(r.Peak, line.Peak)
		lines = append(lines, line)
	}
	for i := range lines {
		if r.Work > 0 {
			lines[i].Share = lines[i].Seconds / r.Work
		}
	}
	if e := run.Run.End; e != nil {
		r.Failed = e.Code != 0 || e.Signal != "" || e.Error != "" || e.TimedOut
	} else { // cupel itself was ended: its calls tell
		r.Failed = !run.Live && r.Failing > 0
	}
	return r, lines, nil
}

func listedCall(c call.Call) render.ListedCall {
	l := render.ListedCall{ID: fmt.Sprintf("%s.%d", c.Run, c.Number), Number: c.Number, Tool: c.Begin.Tool, Source: sourceOf(c), Dir: c.Begin.Dir,
		Began: c.Begin.At, Failed: c.Failed(), Torn: c.Torn}
	if e := c.End; e != nil {
		l.Ended, l.Code, l.Signal, l.Status, l.Error, l.Seconds, l.Peak = true, e.Code, e.Signal, e.Status, e.Error, e.Seconds, e.Peak
		l.Cache = e.Cache
	}
	return l
}

// sourceOf is what a call was about: the crate that cargo built, the files it read, else what it was asked.
func sourceOf(c call.Call) string {
	var out []string
	if crate := c.Begin.Env.Set["CARGO_PKG_NAME"]; crate != "" {
		out = append(out, crate+":")
	}
	for i, f := range c.Begin.Inputs {
		if i == 3 {
			out = append(out, fmt.Sprintf("and %d more", len(c.Begin.Inputs)-i))
			break
		}
		out = append(out, f.Path)
	}
	if len(c.Begin.Inputs) == 0 {
		out = append(out, c.Argv()...)
	}
	return strings.Join(out, " ")
}

func showCall(cmd *cobra.Command, run record.Saved, number int, a render.Runs, as string) error {
	c, err := run.Read(number)
	var none record.NoCall
	switch {
	case errors.As(err, &none):
		return usageError{err}
	case err != nil:
		return err
	}
	listed, calls, err := readRun(cmd.Context(), run)
	if err != nil {
		return interruptedIn(cmd.Context(), err)
	}
	a.Runs = append(a.Runs, listed)
	a.Call = shownCall(run.Run, c)
	if number <= len(calls) {
		a.Call.Share = calls[number-1].Share
	}
	return writeRuns(cmd.OutOrStdout(), a, as, render.Style.Call, render.CallMarkdown)
}

func shownCall(run call.Run, c call.Call) *render.ShownCall {
	b := c.Begin
	out := &render.ShownCall{ListedCall: listedCall(c), Command: nvcc.Paste(append([]string{b.Path}, call.Shown(c.Argv())...), run.OS == "windows"), Path: b.Path, Args: call.Shown(b.Args), Argv: call.Shown(c.Argv()),
		Lost: b.Lost, Changes: b.Changes, Caller: b.Caller, Outside: b.Outside, Env: b.Env, Inputs: b.Inputs, Outputs: []call.File{}, Merged: b.Merged,
		Stdout: string(c.Of(call.Stdout)), Stderr: string(c.Of(call.Stderr))}
	if out.Inputs == nil {
		out.Inputs = []call.File{}
	}
	if e := c.End; e != nil {
		out.Dropped, out.User, out.System = e.Dropped, e.User, e.System
		if e.Outputs != nil {
			out.Outputs = e.Outputs
		}
	}
	return out
}

// completeRuns offers the runs, and after RUN. its calls.
func completeRuns(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	store, err := runStore()
	if err != nil || len(args) > 0 {
		return nil, noFiles
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	if id, _, isCall := strings.Cut(typed, "."); isCall {
		run, err := store.Find(ctx, id)
		if err != nil {
			return nil, noFiles
		}
		calls, _ := run.Calls(ctx)
		var out []string
		for _, c := range calls {
			out = append(out, fmt.Sprintf("%s.%d\t%s %s", id, c.Number, c.Begin.Tool, render.Line(sourceOf(c))))
		}
		return out, noFiles
	}
	runs, _, _ := store.Runs(ctx)
	out := []string{record.Last + "\tthe newest run"}
	for _, r := range runs {
		out = append(out, r.Run.ID+"\t"+render.Line(strings.Join(r.Run.Command, " ")))
	}
	return out, noFiles
}

// ofNewest takes a bare number for a call of the newest run, as replay does, where that run has such a call.
func ofNewest(ctx context.Context, store record.Store, name string) string {
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 {
		return name
	}
	if run, err := store.Find(ctx, record.Last); err == nil && hasCall(ctx, run, n) {
		return record.Last + "." + name
	}
	return name
}
