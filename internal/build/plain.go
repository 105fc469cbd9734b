package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"cupel/internal/child"
	"cupel/internal/progress"
)

// Plain makes every call of a job, as many at once as there are processors, and remembers nothing.
type Plain struct {
	Jobs int // calls at once; 0: as many as there are processors
}

// Build makes the kernels. The error is the context's when that ended, else what kept everything from being tried.
func (b Plain) Build(ctx context.Context, j Job) (Result, error) {
	calls, notes, err := Calls(j)
	if err != nil {
		return Result{Notes: notes}, fmt.Errorf("plan the build: %w", err)
	}
	r := &run{job: j, left: len(calls), result: Result{Notes: notes, Outputs: []Output{}}, bad: map[string]bool{}}
	for _, c := range calls {
		if err := r.clear(c.Out); err != nil {
			return r.result, fmt.Errorf("make room for %s: %w", c.Out, err)
		}
	}
	for stage := range stages {
		r.stage(ctx, of(calls, stage), b.Jobs)
		if ctx.Err() != nil {
			return r.result, context.Cause(ctx)
		}
	}
	r.list(calls)
	return r.result, nil
}

func of(calls []PlannedCall, stage int) []PlannedCall {
	var out []PlannedCall
	for _, c := range calls {
		if c.Stage == stage {
			out = append(out, c)
		}
	}
	return out
}

// run is one build under way.
type run struct {
	job  Job
	left int

	mu     sync.Mutex
	result Result
	done   int
	bad    map[string]bool // files that could not be made
}

func (r *run) place(out string) string {
	if filepath.IsAbs(out) {
		return out
	}
	return filepath.Join(r.job.Root, out)
}

// clear makes the folder of an output and takes an older one away: a call that fails must not leave it behind, and an
// archiver would add to it.
func (r *run) clear(out string) error {
	if err := os.MkdirAll(filepath.Dir(r.place(out)), 0o755); err != nil {
		return err
	}
	if err := os.Remove(r.place(out)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// stage makes calls that need nothing of each other.
func (r *run) stage(ctx context.Context, calls []PlannedCall, jobs int) {
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	slots := make(chan struct{}, jobs)
	var all sync.WaitGroup
	for _, c := range calls {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			r.call(ctx, c)
			<-slots
		})
	}
	all.Wait()
}

// call makes one call, and keeps what it printed when it failed.
func (r *run) call(ctx context.Context, c PlannedCall) {
	if argv, ok := r.withoutMissing(c); ok {
		c.Argv = argv
	} else {
		r.failed(c, Call{}, false)
		return
	}
	got, err := child.Run(ctx, child.Command{Path: c.Argv[0], Args: c.Argv[1:], Dir: r.job.Root, Env: r.job.Tools.Env})
	if ctx.Err() != nil {
		_ = os.Remove(r.place(c.Out)) // half of a file would be taken for a whole one
		return
	}
	made := Call{Kernel: c.Kernel, Argv: c.Argv, Code: got.Code, Output: got.Stdout + got.Stderr, Optional: c.Optional}
	var failed child.Failed
	if err != nil && !errors.As(err, &failed) {
		made.Output += err.Error() + "\n"
	}
	if _, missing := os.Stat(r.place(c.Out)); err == nil && missing != nil {
		made.Output += "it ended with code 0 and left no " + c.Out + "\n"
		err = missing
	}
	if err != nil {
		_ = os.Remove(r.place(c.Out))
		r.failed(c, made, true)
		return
	}
	r.step(c)
}

// withoutMissing takes optional files out of a call that could not be made; without a file that is needed there is no
// call.
func (r *run) withoutMissing(c PlannedCall) (argv []string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	missing := func(in string) bool { optional, bad := r.bad[in]; return bad && optional }
	for _, in := range c.Inputs {
		if optional, bad := r.bad[in]; bad && !optional {
			return nil, false
		}
	}
	left := slices.DeleteFunc(slices.Clone(c.Inputs), missing)
	if len(c.Inputs) > 0 && len(left) == 0 {
		return nil, false
	}
	return slices.DeleteFunc(slices.Clone(c.Argv), missing), true
}

// failed notes a file that could not be made; said: the call itself failed, and not one before it.
func (r *run) failed(c PlannedCall, made Call, said bool) {
	r.mu.Lock()
	r.bad[c.Out] = c.Optional
	if said {
		r.result.Calls++
		r.result.Failed = append(r.result.Failed, made)
	}
	r.mu.Unlock()
	r.tell(c)
}

func (r *run) step(c PlannedCall) {
	r.mu.Lock()
	r.result.Calls++
	r.mu.Unlock()
	r.tell(c)
}

func (r *run) tell(c PlannedCall) {
	r.mu.Lock()
	r.done++
	done := r.done
	r.mu.Unlock()
	out := c.Out
	if rel, err := filepath.Rel(r.job.Root, r.place(out)); err == nil && filepath.IsLocal(rel) {
		out = filepath.ToSlash(rel)
	}
	r.job.Report.Send(progress.Event{Phase: progress.Build, Item: c.Kernel, Done: int64(done), Total: int64(r.left), Text: out})
}

// list names what was made, in the order of the contract.
func (r *run) list(calls []PlannedCall) {
	for _, c := range calls {
		info, err := os.Stat(r.place(c.Out))
		if _, bad := r.bad[c.Out]; bad || err != nil || !c.Asked {
			continue
		}
		r.result.Outputs = append(r.result.Outputs, Output{Kernel: c.Kernel, Kind: c.Kind, Path: r.place(c.Out), Size: info.Size()})
	}
	slices.SortStableFunc(r.result.Failed, func(a, b Call) int { return slices.Compare(a.Argv, b.Argv) })
}

// OK says that everything that had to be built was.
func (r Result) OK() bool {
	return !slices.ContainsFunc(r.Failed, func(c Call) bool { return !c.Optional })
}
