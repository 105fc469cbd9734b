package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// checker holds a run to its rules, from the events and from within the steps; all of it happens in one goroutine at a time
// because each entry is a step's own or the run's.
type checker struct {
	t       *testing.T
	steps   []Step
	limits  Limits
	running map[int]int // step → threads, by the events
	state   map[int]State
	outcome map[int]Outcome
	widest  int
	failed  bool // a hard failure was told
}

func (c *checker) tell(e Event) {
	s := c.steps[e.Step]
	if old, seen := c.state[e.Step]; seen && (e.State != Ended || old != Started) && old != Waiting {
		c.t.Errorf("%s: state %d after %d", s.Name, e.State, old)
	}
	switch c.state[e.Step] = e.State; e.State {
	case Started:
		c.mayStart(e)
		c.running[e.Step] = e.Threads
	case Ended:
		delete(c.running, e.Step)
		c.outcome[e.Step] = e.Outcome
		c.failed = c.failed || e.Outcome.Err != nil && !e.Outcome.Soft
	case Left:
		if e.Outcome.Err == nil {
			c.t.Errorf("%s was left without a reason", s.Name)
		}
	case Waiting:
		if e.Waits != "memory" {
			c.t.Errorf("%s waits for %q", s.Name, e.Waits)
		}
	}
	c.within()
}

func (c *checker) mayStart(e Event) {
	s := c.steps[e.Step]
	for _, n := range s.Needs {
		if o, ended := c.outcome[n]; !ended || o.Err != nil && !o.Soft {
			c.t.Errorf("%s started before %s ended well", s.Name, c.steps[n].Name)
		}
	}
	if c.failed && !c.limits.KeepGoing {
		c.t.Errorf("%s started after a failure", s.Name)
	}
	if e.Threads < 1 || e.Threads > s.threads() {
		c.t.Errorf("%s got %d threads of %d", s.Name, e.Threads, s.Threads)
	}
}

func (c *checker) within() {
	threads, memory := 0, int64(0)
	for i, n := range c.running {
		threads += n
		memory += c.limits.peak(&c.steps[i]) * int64(n)
	}
	c.widest = max(c.widest, threads)
	most := c.limits.Jobs
	if c.limits.Crowd {
		most *= 2
	}
	if threads > most || len(c.running) > c.limits.Jobs {
		c.t.Errorf("%d steps run with %d threads, the limits are %d and %d", len(c.running), threads, c.limits.Jobs, most)
	}
	if c.limits.Memory > 0 && memory > c.limits.Memory && threads > 1 {
		c.t.Errorf("%d bytes in %d threads, the limit is %d", memory, threads, c.limits.Memory)
	}
}

// finish: every step has one end, and a step is left for a reason only.
func (c *checker) finish() {
	if len(c.running) > 0 {
		c.t.Errorf("still running: %v", c.running)
	}
	for i, s := range c.steps {
		left := c.state[i] == Left
		if !left && c.state[i] != Ended || left && !c.failed {
			c.t.Errorf("%s: state %d", s.Name, c.state[i])
		}
		if left && c.limits.KeepGoing && !c.leans(i) {
			c.t.Errorf("%s was left though nothing it needs failed", s.Name)
		}
	}
}

func (c *checker) leans(i int) bool {
	for _, n := range c.steps[i].Needs {
		if o := c.outcome[n]; c.state[n] == Left || o.Err != nil && !o.Soft {
			return true
		}
	}
	return false
}

// check runs steps on a virtual clock; it returns how long that took there.
func check(t *testing.T, steps []Step, limits Limits) (c *checker, took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		c = &checker{t: t, steps: steps, limits: limits, running: map[int]int{}, state: map[int]State{}, outcome: map[int]Outcome{}}
		begin := time.Now()
		if err := Run(t.Context(), steps, limits, c.tell); err != nil {
			t.Error(err)
		}
		took = time.Since(begin)
		c.finish()
	})
	return c, took
}

func sleep(d time.Duration) func(context.Context, int) Outcome {
	return func(context.Context, int) Outcome { time.Sleep(d); return Outcome{} }
}

// behaviour is what a step of a random graph does.
func behaviour(rng *rand.Rand, d time.Duration) func(context.Context, int) Outcome {
	kind := rng.IntN(40)
	return func(context.Context, int) Outcome {
		time.Sleep(d)
		switch kind {
		case 0:
			return Outcome{Err: errors.New("no")}
		case 1:
			return Outcome{Err: errors.New("no matter"), Soft: true}
		case 2:
			panic("at the disco")
		case 3:
			runtime.Goexit()
		}
		return Outcome{}
	}
}

func TestRandomGraphs(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 8))
		n := rng.IntN(60)
		steps := make([]Step, n)
		sure := rng.IntN(2) == 0
		for i := range steps {
			d := time.Duration(rng.IntN(50)) * time.Millisecond
			steps[i] = Step{Name: fmt.Sprint("s", i), Expect: time.Duration(rng.IntN(50)) * time.Millisecond,
				Sure: sure, Peak: rng.Int64N(5), Threads: rng.IntN(5), Run: behaviour(rng, d)}
			for range rng.IntN(4) * min(i, 1) {
				steps[i].Needs = append(steps[i].Needs, rng.IntN(i))
			}
		}
		limits := Limits{Jobs: 1 + rng.IntN(8), Memory: rng.Int64N(12) - 1, Guess: rng.Int64N(3), KeepGoing: rng.IntN(2) == 0, Crowd: rng.IntN(2) == 0}
		if limits.Memory == 0 {
			limits.Memory = -1
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { check(t, steps, limits) })
	}
}

// TestMakespan: longest first is near the best that any order could give.
func TestMakespan(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 4))
		jobs := 1 + rng.IntN(8)
		var total, longest time.Duration
		steps := make([]Step, jobs*(3+rng.IntN(8)))
		for i := range steps {
			// Few files hold most of the time, as in sets of kernels.
			d := time.Duration(20*rng.ExpFloat64()+1) * time.Millisecond
			total, longest = total+d, max(longest, d)
			steps[i] = Step{Name: fmt.Sprint("k", i), Expect: d, Run: sleep(d)}
		}
		last := Step{Name: "link", Run: sleep(0)}
		for i := range steps {
			last.Needs = append(last.Needs, i)
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			_, took := check(t, append(steps, last), Limits{Jobs: jobs, Memory: -1})
			if bound := max(longest, total/time.Duration(jobs)); took > bound*4/3 {
				t.Errorf("%d steps with %d jobs took %v, the bound is %v", len(steps), jobs, took, bound)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	fail := func(context.Context, int) Outcome { return Outcome{Err: errors.New("broken")} }
	soft := func(context.Context, int) Outcome { return Outcome{Err: errors.New("optional"), Soft: true} }
	crash := func(context.Context, int) Outcome { var m map[int]int; m[1] = 1; return Outcome{} }
	gone := func(context.Context, int) Outcome { runtime.Goexit(); return Outcome{} }
	for _, tt := range []struct {
		name string
		run  func(context.Context, int) Outcome
		keep bool
		want string // of: the step, its user, the user's user, one beside it, one later
	}{
		{"stop", fail, false, "a: broken; b: it needs a, which failed; c: it needs a, which failed; d: ok; e: the build stopped when a failed"},
		{"keep going", fail, true, "a: broken; b: it needs a, which failed; c: it needs a, which failed; d: ok; e: ok"},
		{"soft", soft, false, "a: optional; b: ok; c: ok; d: ok; e: ok"},
		{"panic", crash, true, "a: run a: panic: assignment to entry in nil map; b: it needs a, which failed; c: it needs a, which failed; d: ok; e: ok"},
		{"goroutine ended", gone, true, "a: run a: it ended without an answer; b: it needs a, which failed; c: it needs a, which failed; d: ok; e: ok"},
		{"nothing to do", nil, false, "a: ok; b: ok; c: ok; d: ok; e: ok"},
	} {
		synctest.Test(t, func(t *testing.T) {
			steps := []Step{{Name: "a", Expect: 9, Run: tt.run}, {Name: "b", Needs: []int{0}}, {Name: "c", Needs: []int{1}},
				{Name: "d", Expect: 30, Run: sleep(time.Second)}, {Name: "e", Needs: []int{3}}}
			got := make([]string, len(steps))
			err := Run(t.Context(), steps, Limits{Jobs: 2, Memory: -1, KeepGoing: tt.keep}, func(e Event) {
				if e.State == Ended || e.State == Left {
					got[e.Step] = steps[e.Step].Name + ": ok"
					if e.Outcome.Err != nil {
						first, _, _ := strings.Cut(e.Outcome.Err.Error(), "\n")
						got[e.Step] = steps[e.Step].Name + ": " + first
					}
				}
			})
			if all := strings.Join(got, "; "); all != tt.want || err != nil {
				t.Errorf("%s: %s, %v\nwant %s", tt.name, all, err, tt.want)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := 0
		wait := func(ctx context.Context, _ int) Outcome {
			<-ctx.Done()
			time.Sleep(time.Second) // what it takes to clean up
			ended++
			return Outcome{Err: ctx.Err()}
		}
		var left []string
		steps := []Step{{Name: "a", Run: wait}, {Name: "b", Needs: []int{0}}, {Name: "c"}, {Name: "d", Needs: []int{2}}}
		go func() { time.Sleep(time.Minute); cancel() }()
		err := Run(ctx, steps, Limits{Jobs: 1, Memory: -1}, func(e Event) {
			if e.State == Left {
				left = append(left, steps[e.Step].Name+": "+e.Outcome.Err.Error())
			}
		})
		if want := "[b: it needs a, which failed c: context canceled d: context canceled]"; !errors.Is(err, context.Canceled) || fmt.Sprint(left) != want || ended != 1 {
			t.Errorf("%v, left %v, %d ended; want canceled, %s, 1", err, left, ended, want)
		}
		if err := Run(ctx, steps[2:3], Limits{Jobs: 1, Memory: -1}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a run that begins cancelled: %v", err)
		}
	})
}

// TestCancelledAtTheEnd: a context that ends after everything did takes nothing back.
func TestCancelledAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := Run(ctx, []Step{{Name: "a"}}, Limits{}, func(e Event) {
		if e.State == Ended {
			cancel()
		}
	})
	if err != nil {
		t.Error(err)
	}
}
