package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"cupel/internal/call"
	"cupel/internal/fact"
	"cupel/internal/record"
)

// kept is a recorded call with its run and the environment of it.
type kept struct {
	id   string // RUN.NUMBER
	run  call.Run
	call call.Call
	base call.Env // of the run
	had  call.Env // of the call
}

// recordedCall reads the call that a person names.
func recordedCall(ctx context.Context, name string) (kept, error) {
	store, err := runStore()
	if err != nil {
		return kept{}, err
	}
	run, number, err := callNamed(ctx, store, name)
	if err != nil {
		return kept{}, fmt.Errorf("find call %s: %w", name, err)
	}
	k := kept{id: fmt.Sprintf("%s.%d", run.Run.ID, number), run: run.Run}
	if k.call, err = run.Read(number); err != nil {
		return kept{}, fmt.Errorf("read call %s: %w", k.id, err)
	}
	if k.base, err = run.Env(); err != nil {
		return kept{}, fmt.Errorf("read the environment of run %s: %w", run.Run.ID, err)
	}
	k.had = k.base.With(k.call.Begin.Env)
	if k.run.OS != "" && k.run.OS != runtime.GOOS {
		return kept{}, fmt.Errorf("call %s was recorded on %s: it means nothing on %s", k.id, k.run.OS, runtime.GOOS)
	}
	return k, nil
}

// callNamed tells which call is meant by RUN.N, last.N, N (of the newest run), RUN or last (the first failing one).
func callNamed(ctx context.Context, s record.Store, name string) (record.Saved, int, error) {
	name = ofNewest(ctx, s, name) // a number may begin the ID of a run too
	id, number, err := record.Split(name)
	if err != nil {
		return record.Saved{}, 0, usageError{err}
	}
	run, err := s.Find(ctx, id)
	if err == nil && number == 0 {
		number, err = firstFailing(ctx, run)
	}
	var unknown record.Unknown
	if errors.As(err, &unknown) {
		err = fmt.Errorf("%w (cupel runs lists them)", err)
	}
	return run, number, err
}

func hasCall(ctx context.Context, run record.Saved, number int) bool {
	calls, err := run.Calls(ctx)
	return err == nil && number <= len(calls)
}

// firstFailing is the call to look at when a run alone is named: the root cause that exec told, else the first that failed.
func firstFailing(ctx context.Context, run record.Saved) (int, error) {
	a, err := judgeRun(ctx, run, fact.Project{}, workspace{}, nil)
	switch {
	case err == nil && len(a.Failing) > 0 && !a.ToldFirst():
		if _, number, err := record.Split(a.Failing[0].ID); err == nil {
			return number, nil
		}
	case err == nil && a.Failed():
		return 0, fmt.Errorf("run %s failed of something else than a compiler call; name the call that is meant: cupel runs show %s lists them", run.Run.ID, run.Run.ID)
	}
	calls, err := run.Calls(ctx)
	if err != nil {
		return 0, err
	}
	for _, c := range calls {
		if c.Failed() {
			return c.Number, nil
		}
	}
	switch len(calls) {
	case 0:
		return 0, fmt.Errorf("run %s recorded no compiler call", run.Run.ID)
	case 1:
		return 0, fmt.Errorf("the one call of run %s did not fail; name it: %s.1", run.Run.ID, run.Run.ID)
	}
	return 0, fmt.Errorf("none of the %d calls of run %s failed; name one: %s.1", len(calls), run.Run.ID, run.Run.ID)
}
