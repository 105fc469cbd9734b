package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"cupel/internal/call"
	"cupel/internal/render"
)

// mostRuns bounds a search that a call whose end changes by chance would make endless.
const mostRuns = 200

// search runs a call in environments between two.
type search struct {
	limit time.Duration // of one run; 0: none
	run   func(ctx context.Context, env map[string]string) (ended string, err error)
	runs  int
}

// between finds a smallest set of variables that, taken from here into the recorded environment, makes the call end as it
// does here.
func (s *search) between(ctx context.Context, recorded, here map[string]string) (render.EnvBisect, error) {
	a := render.EnvBisect{}
	var err error
	if a.Recorded, err = s.once(ctx, recorded); err != nil {
		return a, err
	}
	if a.Here, err = s.once(ctx, here); err != nil {
		return a, err
	}
	if a.Recorded != a.Here {
		all := changedNames(recorded, here)
		found, err := s.reduce(all, func(names []string) (bool, error) {
			ended, err := s.once(ctx, mixed(recorded, here, names))
			return ended != a.Recorded, err
		})
		if err != nil {
			return a, err
		}
		for _, name := range found {
			d, _ := compareVariable(name, singleVariable(recorded, name), singleVariable(here, name))
			a.Variables = append(a.Variables, d)
		}
	}
	a.Runs = s.runs
	return a, nil
}

// singleVariable is one variable of an environment as it may be shown.
func singleVariable(env map[string]string, name string) call.Env {
	value, ok := env[name]
	if !ok {
		return call.Env{}
	}
	return call.Keep([]string{name + "=" + value})
}

func (s *search) once(ctx context.Context, env map[string]string) (string, error) {
	if s.runs++; s.runs > mostRuns {
		return "", fmt.Errorf("the call was run %d times and no smallest set of variables was found: does it end differently by chance?", mostRuns)
	}
	within, cancel := ctx, context.CancelFunc(func() {})
	if s.limit > 0 {
		within, cancel = context.WithTimeout(ctx, s.limit)
	}
	defer cancel()
	ended, err := s.run(within, env)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Sprintf("not ended after %s", s.limit), nil
	}
	if ctx.Err() != nil {
		return "", errInterrupted
	}
	return ended, err
}

// reduce is delta debugging: halves, then their complements, then smaller pieces, as long as something can be left out.
func (s *search) reduce(names []string, differs func([]string) (bool, error)) ([]string, error) {
	for pieces := 2; len(names) > 1; {
		smaller, err := s.smaller(names, min(pieces, len(names)), differs)
		switch {
		case err != nil:
			return nil, err
		case smaller != nil:
			names, pieces = smaller, max(2, pieces-1)
		case pieces >= len(names):
			return names, nil
		default:
			pieces *= 2
		}
	}
	return names, nil
}

// smaller is a piece of names, or names without a piece, that still makes the difference; nil: there is none.
func (s *search) smaller(names []string, pieces int, differs func([]string) (bool, error)) ([]string, error) {
	size := (len(names) + pieces - 1) / pieces
	for part := range slices.Chunk(names, size) {
		if ok, err := differs(part); ok || err != nil {
			return slices.Clone(part), err
		}
	}
	if pieces == 2 {
		return nil, nil // the complement of a half is the other half
	}
	for from := 0; from < len(names); from += size {
		rest := slices.Delete(slices.Clone(names), from, min(from+size, len(names)))
		if ok, err := differs(rest); ok || err != nil {
			return rest, err
		}
	}
	return nil, nil
}

// changedNames are the variables that two environments do not have alike.
func changedNames(a, b map[string]string) []string {
	var out []string
	for name, value := range a {
		if other, ok := b[name]; !ok || other != value {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// mixed is an environment with some variables as another has them.
func mixed(env, other map[string]string, names []string) map[string]string {
	out := maps.Clone(env)
	for _, name := range names {
		if value, ok := other[name]; ok {
			out[name] = value
		} else {
			delete(out, name)
		}
	}
	return out
}
