package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/apt"
	"cupel/internal/source/conda"
	"cupel/internal/source/local"
	"cupel/internal/source/pip"
	"cupel/internal/source/redist"
)

// sourceFlags say where toolkits come from; search, install and up share them.
type sourceFlags struct {
	from     string
	mirror   string
	platform string
	timeout  time.Duration
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.from, "from", "", "the `SOURCE`: "+strings.Join(data.SourceNames, ", ")+" (default: the first that can be reached and has it)")
	fs.StringVar(&f.mirror, "mirror", "", "where redist finds NVIDIA's archives: an `ADDRESS` or a folder (default: CUPEL_REDIST, else NVIDIA's own)")
	fs.StringVar(&f.platform, "platform", "", "for another platform than this one: "+strings.Join(resolve.PlatformNames(), ", "))
	fs.DurationVar(&f.timeout, "timeout", 0, "give up after this time (default: never)")
	_ = cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(data.SourceNames, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("platform", cobra.FixedCompletions(resolve.PlatformNames(), cobra.ShellCompDirectiveNoFileComp))
}

// bound: who names a mirror, by the flag or the variable, means redist and nothing else. A mirror that is not as it should
// be is an error then, and no reason to fetch from the network.
func (f sourceFlags) bound() sourceFlags {
	if f.from == "" && redistBase(f) != "" {
		f.from = "redist"
	}
	return f
}

// limited is the command's context with --timeout.
func (f sourceFlags) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, f.timeout, errTimeout{f.timeout})
}

// errTimeout is --timeout that ran out.
type errTimeout struct{ after time.Duration }

func (e errTimeout) Error() string { return "not done after " + e.after.String() + " (--timeout)" }

// sourcesFor makes the sources of toolkits, in the order in which they are tried. root is the folder of the source local.
// --from leaves one; without it local is left out, which needs a folder.
func sourcesFor(f sourceFlags, root string) ([]source.Source, error) {
	if f.from != "" && !slices.Contains(data.SourceNames, f.from) {
		return nil, usage("--from %s: there is no such source: one of %s", f.from, strings.Join(data.SourceNames, ", "))
	}
	if f.mirror != "" && f.from != "" && f.from != "redist" {
		return nil, usage("--mirror is for --from redist, not for %s", f.from)
	}
	var out []source.Source
	for _, s := range allSources(f, root) {
		if f.from == s.Name() || f.from == "" && s.Name() != "local" {
			out = append(out, s)
		}
	}
	return out, nil
}

// allSources makes every source, in the order of data.SourceNames.
func allSources(f sourceFlags, root string) []source.Source {
	return []source.Source{
		redist.New(redist.Config{Base: redistBase(f), Version: Version}),
		pip.New(pip.Config{Work: filepath.Join(depotHere().Cache, "pip")}),
		apt.New(apt.Config{State: filepath.Join(depotHere().Cache, "apt")}),
		conda.New(conda.Config{}),
		local.New(root, ""),
	}
}

// redistBase is where NVIDIA's archives are: empty leaves it to the source.
func redistBase(f sourceFlags) string { return cmp.Or(f.mirror, os.Getenv("CUPEL_REDIST")) }

// reached is a source that was asked whether it can be used.
type reached struct {
	source.Source
	err error // why not
}

// reachAll asks every source at the same time whether it can be used.
func reachAll(ctx context.Context, all []source.Source, wait func(names []string)) []reached {
	out := make([]reached, len(all))
	for i, s := range all {
		out[i].Source = s
	}
	inRounds(all, wait, func(i int, limit time.Duration) (fine, slow bool) {
		slow, out[i].err = reach(ctx, all[i], limit)
		return out[i].err == nil, slow
	})
	return out
}

// longPatience is for a source that was named alone, and for the slow ones where no other answered: no other one waits,
// and a slow Python is no reason to give up.
const longPatience = 5 * source.Patience

// inRounds asks all sources at the same time. None may take longer than the patience for one; when none is fine, those
// that were merely slow are asked once more, with more patience, and wait is told their names.
func inRounds(all []source.Source, wait func(names []string), ask func(i int, limit time.Duration) (fine, slow bool)) {
	limit := source.Patience
	if len(all) == 1 {
		limit = longPatience
	}
	fine, slow := make([]bool, len(all)), make([]bool, len(all))
	var first, second sync.WaitGroup
	for i := range all {
		first.Go(func() { fine[i], slow[i] = ask(i, limit) })
	}
	first.Wait()
	var names []string
	for i, s := range all {
		if slow[i] {
			names = append(names, s.Name())
		}
	}
	if len(names) == 0 || slices.Contains(fine, true) || limit == longPatience {
		return
	}
	wait(names)
	for i := range all {
		if slow[i] {
			second.Go(func() { ask(i, longPatience) })
		}
	}
	second.Wait()
}

// waitingFor says which sources are given more time.
func waitingFor(cmd *cobra.Command) func(names []string) {
	return func(names []string) {
		fmt.Fprintf(cmd.ErrOrStderr(), "no source answered within %s: waiting up to %s for %s\n", render.Duration(source.Patience), render.Duration(longPatience), strings.Join(names, ", "))
	}
}

// reach does not wait for a source that forgets its context. slow: it was given up because its time ran out.
func reach(ctx context.Context, s source.Source, limit time.Duration) (slow bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Reach(limited) }()
	select {
	case err = <-done:
	case <-limited.Done():
		select {
		case err = <-done: // it may have said why
		case <-time.After(200 * time.Millisecond):
			err = source.Unreachable{Source: s.Name(), Why: "no answer within " + render.Duration(limit)}
		}
	}
	return err != nil && limited.Err() != nil && ctx.Err() == nil, err
}

// refusal is the line about a source that was not taken.
func refusal(name string, err error) render.ToolkitSource {
	var gone source.Unreachable
	if errors.As(err, &gone) {
		if name == "redist" && gone.Next != "" {
			gone.Next += " (--mirror, or the variable CUPEL_REDIST)"
		}
		return render.ToolkitSource{Name: name, Why: gone.Why, Next: gone.Next, Offers: []resolve.Offer{}}
	}
	why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), name+": "), name+" ")
	return render.ToolkitSource{Name: name, Reachable: true, Why: why, Offers: []resolve.Offer{}}
}

// found is a plan and the source it is of.
type found struct {
	source source.Source
	plan   resolve.Plan
	passed []render.ToolkitSource // sources before it, and why not
	errs   []error                // the same as errors
}

// findPlan asks the sources in order and takes the first that has everything. An error that no other source can mend
// (a component that is no word) ends it.
func findPlan(ctx context.Context, all []reached, req resolve.Request) (found, error) {
	var out found
	for _, s := range all {
		err := s.err
		if err == nil {
			if out.plan, err = s.Resolve(ctx, req); err == nil {
				out.source = s.Source
				return out, nil
			}
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		var unknown resolve.UnknownComponent
		if errors.As(err, &unknown) {
			return out, usageError{unknown}
		}
		out.passed = append(out.passed, refusal(s.Name(), err))
		out.errs = append(out.errs, err)
	}
	return out, nil
}
