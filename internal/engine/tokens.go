package engine

import (
	"context"

	"cupel/internal/jobserver"
)

// tokens are the threads that the job server allows: one belongs to this process, every further one is asked for. At most
// one question is open; it is called off as soon as nothing waits for the answer.
type tokens struct {
	server  *jobserver.Client
	ctx     context.Context
	held    []func() // gives one back
	wanted  bool     // a step waits for one
	granted chan grant
	asked   context.Context    // of the open question
	callOff context.CancelFunc // nil: no question is open
	broken  bool               // the server answered with an error: no more questions
}

type grant struct {
	release func()
	err     error
}

func newTokens(ctx context.Context, server *jobserver.Client) tokens {
	return tokens{server: server, ctx: ctx, granted: make(chan grant)}
}

// spare tells whether so many threads may run, with one token more if it lies ready.
func (t *tokens) spare(threads int) bool {
	if t.server == nil || threads <= 1+len(t.held) {
		return true
	}
	if t.broken || t.callOff != nil {
		return false
	}
	release, ok := t.server.Try()
	if ok {
		t.held = append(t.held, release)
	}
	return ok
}

// enough is spare for a step that waits: without a token, one is asked for.
func (t *tokens) enough(threads int) bool {
	if t.spare(threads) {
		return true
	}
	if !t.broken && t.callOff == nil {
		t.asked, t.callOff = context.WithCancel(t.ctx)
		go func(ctx context.Context) {
			release, err := t.server.Acquire(ctx)
			t.granted <- grant{release, err}
		}(t.asked)
	}
	return false
}

// take ends the open question. Without an answer the run goes on with the tokens it has.
func (t *tokens) take(g grant) {
	if g.err == nil {
		t.held = append(t.held, g.release)
	} else if t.asked.Err() == nil {
		t.broken = true
	}
	t.callOff()
	t.callOff = nil
}

// keep gives back what so many busy threads do not need, and calls off a question that nothing waits for.
func (t *tokens) keep(busy int) {
	for len(t.held) > max(0, busy-1) {
		last := len(t.held) - 1
		t.held[last]()
		t.held = t.held[:last]
	}
	if t.callOff != nil && !t.wanted {
		t.callOff()
	}
}

// close waits for the open question, so that no token comes when nobody is there to give it back.
func (t *tokens) close() {
	t.wanted = false
	if t.callOff != nil {
		t.callOff()
		t.take(<-t.granted)
	}
	t.keep(0)
}
