package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// run is one run under way. One goroutine, that of Run's caller, holds all of it; steps only send how they ended.
type run struct {
	ctx    context.Context
	steps  []Step
	plan   *plan
	limits Limits
	tell   func(Event)

	ready   *queue
	settled []bool // started or left
	passed  []int  // by rank: how often a step that is too large for the free memory was overtaken
	running int
	busy    int   // threads of the running steps, but for more
	more    int   // those that no job stands for
	used    int64 // bytes that the running steps are taken to need
	stop    error // nothing is started any more, and why
	waits   wait  // what was told last
	ended   chan ended
	tokens  tokens
	wide    []int // by step: threads that were foreseen; nil: nothing was
}

type wait struct {
	step int
	why  string
}

type ended struct {
	start
	outcome Outcome
}

// start is a step that is about to run or runs, and what it was given.
type start struct {
	step, threads int
	more          int // of the threads
}

func newRun(ctx context.Context, steps []Step, p *plan, limits Limits, tell func(Event)) *run {
	r := &run{ctx: ctx, steps: steps, plan: p, limits: limits, tell: tell,
		ready: newQueue(len(steps)), settled: make([]bool, len(steps)), passed: make([]int, len(steps)),
		ended:  make(chan ended, min(limits.Jobs, len(steps))),
		tokens: newTokens(ctx, limits.Server),
		wide:   foresee(steps, p.order, limits),
	}
	for i, n := range p.needs {
		if n == 0 {
			r.enqueue(i)
		}
	}
	return r
}

func (r *run) enqueue(step int) {
	r.ready.put(r.plan.rank[step], r.limits.peak(&r.steps[step]))
}

// all starts what can be started and waits for something to change, until nothing runs.
func (r *run) all() error {
	defer r.tokens.close()
	cancelled := r.ctx.Done()
	for {
		if err := r.ctx.Err(); err != nil && r.running+r.ready.length > 0 {
			r.stop = err
		}
		r.startMore()
		r.tokens.keep(r.busy)
		if r.running == 0 {
			break
		}
		select {
		case e := <-r.ended:
			r.end(e)
			for len(r.ended) > 0 { // what ended together is judged together
				r.end(<-r.ended)
			}
		case g := <-r.tokens.granted:
			r.tokens.take(g)
		case <-cancelled:
			cancelled = nil
		}
	}
	return r.leaveRest()
}

// end takes a step's answer. A stopped run still counts what was running.
func (r *run) end(e ended) {
	s := &r.steps[e.step]
	r.running--
	r.busy -= e.threads - e.more
	r.more -= e.more
	r.used -= r.limits.peak(s) * int64(e.threads)
	r.tell(Event{Step: e.step, State: Ended, At: time.Now(), Threads: e.threads, Outcome: e.outcome})
	if e.outcome.Err != nil && !e.outcome.Soft {
		if !r.limits.KeepGoing && r.stop == nil {
			r.stop = &NotRun{Failed: e.step, Name: s.Name}
		}
		r.leaveUsers(e.step)
		return
	}
	for _, u := range r.plan.users[e.step] {
		if r.plan.needs[u]--; r.plan.needs[u] == 0 && !r.settled[u] {
			r.enqueue(u)
		}
	}
}

// NotRun is the error of a step that was left because another one failed.
type NotRun struct {
	Failed int // that step
	Name   string
	Needed bool // the step needs it, perhaps through others; false: the run stopped at the first failure
}

func (n *NotRun) Error() string {
	if n.Needed {
		return fmt.Sprintf("it needs %s, which failed", n.Name)
	}
	return fmt.Sprintf("the build stopped when %s failed", n.Name)
}

// leaveUsers gives up everything that needs a failed step.
func (r *run) leaveUsers(failed int) {
	because := &NotRun{Failed: failed, Name: r.steps[failed].Name, Needed: true}
	todo := []int{failed}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range r.plan.users[last] {
			if !r.settled[u] {
				r.leave(u, because)
				todo = append(todo, u)
			}
		}
	}
}

func (r *run) leave(step int, why error) {
	r.settled[step] = true
	r.tell(Event{Step: step, State: Left, At: time.Now(), Outcome: Outcome{Err: why}})
}

// leaveRest tells what was never started because the run was stopped, and returns the context's error when that was why.
func (r *run) leaveRest() error {
	for i := range r.steps {
		if !r.settled[i] {
			r.leave(i, r.stop)
		}
	}
	if _, failed := r.stop.(*NotRun); failed {
		return nil
	}
	return r.stop
}

// do runs one step. Whatever it does, it gets an outcome: a step that took the whole run down would lose the others'.
func (s *Step) do(ctx context.Context, threads int, answer func(Outcome)) {
	var o Outcome
	whole := false
	defer func() {
		if p := recover(); p != nil {
			o = Outcome{Err: fmt.Errorf("run %s: panic: %v\n%s", s.Name, p, debug.Stack())}
		} else if !whole {
			o = Outcome{Err: fmt.Errorf("run %s: it ended without an answer", s.Name)}
		}
		answer(o)
	}()
	if s.Run != nil {
		o = s.Run(ctx, threads)
	}
	whole = true
}
