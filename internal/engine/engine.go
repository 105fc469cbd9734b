// Package engine runs steps that need each other: the longest first, as many at once as processors, memory and the job
// server allow. It knows nothing of compilers: a step is a function.
package engine

import (
	"context"
	"runtime"
	"time"

	"cupel/internal/jobserver"
)

// Step is one thing to do. Its place in the list is its number.
type Step struct {
	Name    string
	Needs   []int         // steps that must have ended well before
	Expect  time.Duration // how long it takes in one thread, learned or guessed; it only decides the order and who gets threads
	Sure    bool          // that was learned
	Peak    int64         // bytes that each of its threads needs at its most; 0: not known
	Threads int           // as many as it can use; 1 or 0: one
	Run     func(ctx context.Context, threads int) Outcome
}

// Outcome is what became of a step.
type Outcome struct {
	Err  error // not nil: what needs it is not run
	Soft bool  // it failed, and what needs it runs all the same
}

// Limits bound a run.
type Limits struct {
	Jobs      int   // steps at once, and threads but for a crowd; 0: as many as the processors that this process may use
	Memory    int64 // bytes; 0: what the machine and its control group have free; below 0: no limit
	Guess     int64 // bytes that a step whose peak is not known is taken to need
	KeepGoing bool  // after a failure everything that can be run is
	Server    *jobserver.Client
	// Crowd: more threads than jobs may share the processors where all is done sooner by that. It is for as many jobs as there
	// are processors. A job server does not know such threads: with one there are none.
	Crowd bool
}

// Event is told while a run goes on; calls do not overlap.
type Event struct {
	Step    int
	State   State
	At      time.Time
	Threads int
	Outcome Outcome // of Left, Err says why it was
	Waits   string  // memory, tokens: why nothing more is started though processors are free; empty otherwise
}

// State is where a step is.
type State uint8

const (
	Started State = iota
	Ended
	Left    // never run: something before it failed, or the run was stopped
	Waiting // next in order, and held up by what Waits says; told once, then it is Started or Left
)

// Run runs all steps and returns when none runs any more. The error is the context's, or that the steps need each other in a
// circle.
func Run(ctx context.Context, steps []Step, limits Limits, tell func(Event)) error {
	p, err := planOf(steps)
	if err != nil {
		return err
	}
	if tell == nil {
		tell = func(Event) {}
	}
	r := newRun(ctx, steps, p, limits.filled(), tell)
	return r.all()
}

// filled puts what the machine has in place of what was not said.
func (l Limits) filled() Limits {
	if l.Jobs <= 0 {
		// Unlike NumCPU, which follows the affinity alone, GOMAXPROCS knows the processor quota of the control group too
		// (since Go 1.25), and a person can set it.
		l.Jobs = runtime.GOMAXPROCS(0)
	}
	if l.Memory == 0 {
		l.Memory = freeMemory()
	}
	return l
}

func (s *Step) threads() int { return max(1, s.Threads) }

func (s *Step) expect() time.Duration { return max(0, s.Expect) }

func (l *Limits) peak(s *Step) int64 {
	if s.Peak > 0 {
		return s.Peak
	}
	return max(0, l.Guess)
}
