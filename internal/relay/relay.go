// Package relay passes the streams of a child on byte for byte while somebody reads along. It chooses what the child
// writes to so that the child cannot tell the difference: a pseudo terminal in raw mode where this program's own stream
// is a terminal, one pipe for both streams where both lead to the same place, else a pipe each.
package relay

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"cupel/internal/call"
)

// piece is the most that is passed on at once: what a pipe holds on Linux.
const piece = 64 << 10

// Relay stands between a child and this program's own streams.
type Relay struct {
	Stdout, Stderr *os.File // for the child
	Merged         bool     // both are one: what comes is told as call.Stdout, in its order

	keep  func(call.Stream, []byte)
	mu    sync.Mutex // one keep at a time, and none after Wait
	over  bool
	err   error // the first write of ours that was refused
	pumps []*pump
	done  chan struct{} // one for each pump that came to its end
	moved chan struct{} // something was passed on
}

// pump passes one stream on.
type pump struct {
	relay  *Relay
	stream call.Stream
	from   end         // what the child writes comes out here
	to     end         // this program's own stream
	busy   atomic.Bool // a piece is on its way
	ended  atomic.Bool // from is closed
}

// Err is why output was lost, after Wait: this program's own stream took no more (a full disk), though the child may have
// ended well before it could notice. A reader that went away is none: the child meets that itself, or does not care.
func (r *Relay) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Open makes the child's ends for two streams of this program, which may be nil where there are none. keep sees every
// piece after it was passed on (also one that nobody wanted any more); it is called by one goroutine at a time.
func Open(stdout, stderr *os.File, keep func(call.Stream, []byte)) (*Relay, error) {
	r := &Relay{keep: keep, done: make(chan struct{}, 2), moved: make(chan struct{}, 1)}
	var err error
	if r.Stdout, err = r.add(call.Stdout, stdout); err != nil {
		return nil, err
	}
	if same(endOf(stdout), endOf(stderr)) {
		r.Stderr, r.Merged = r.Stdout, true
	} else if r.Stderr, err = r.add(call.Stderr, stderr); err != nil {
		_ = r.Stdout.Close()
		r.pumps[0].from.close()
		return nil, err
	}
	for _, p := range r.pumps {
		go p.run()
	}
	return r, nil
}

// Same: what is written to both streams comes out in one place, in one order.
func Same(stdout, stderr *os.File) bool { return same(endOf(stdout), endOf(stderr)) }

// add makes a pump and gives the child's end.
func (r *Relay) add(s call.Stream, to *os.File) (*os.File, error) {
	p := &pump{relay: r, stream: s, to: endOf(to)}
	child, from, err := open(p.to)
	if err != nil {
		return nil, err
	}
	p.from = from
	r.pumps = append(r.pumps, p)
	return child, nil
}

// Started closes this program's copies of the child's ends: to be called when the child was started, or could not be.
func (r *Relay) Started() {
	_ = r.Stdout.Close()
	if !r.Merged {
		_ = r.Stderr.Close()
	}
}

// Wait passes on what is left after the child ended. What a process that the child left behind still holds open is waited
// for no longer than grace without a byte. (On Windows cl.exe leaves mspdbsrv.exe, which keeps its pipes for minutes.)
func (r *Relay) Wait(grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for left := len(r.pumps); left > 0; {
		select {
		case <-r.done:
			left--
		case <-r.moved:
			timer.Reset(grace)
		case <-timer.C:
			// A slow reader of ours is no leftover: what the child wrote is passed on however long that takes.
			if !r.pending() {
				left = 0
			}
			timer.Reset(grace)
		}
	}
	r.mu.Lock()
	r.over = true
	r.mu.Unlock()
}

// pending: something was written that is not passed on yet.
func (r *Relay) pending() bool {
	for _, p := range r.pumps {
		if p.busy.Load() || !p.ended.Load() && p.from.ready() {
			return true
		}
	}
	return false
}

// deliver writes a piece to this program's own stream and tells it. false: nothing more can be delivered. The child's side
// is closed then, so that its next write fails: the nearest to what it would have met itself. A stream that never was
// there takes everything.
func (p *pump) deliver(b []byte) bool {
	var err error
	if p.to.there() {
		err = p.to.write(b)
	}
	if err != nil && !gone(err) {
		p.relay.lost(p.stream, err)
	}
	p.kept(b)
	return err == nil
}

func (r *Relay) lost(s call.Stream, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = refused(s, err)
	}
}

func refused(s call.Stream, err error) error {
	name := "output"
	if s == call.Stderr {
		name = "error"
	}
	return fmt.Errorf("write standard %s: %w", name, err)
}

// Tell writes to one of this program's own streams as a relay does, without a child. away: its reader went away.
func Tell(s call.Stream, to *os.File, b []byte) (away bool, err error) {
	e := endOf(to)
	if len(b) == 0 || !e.there() {
		return false, nil
	}
	switch err = e.write(b); {
	case err == nil:
		return false, nil
	case gone(err):
		return true, nil
	}
	return false, refused(s, err)
}

// end closes this side: nothing more is passed on.
func (p *pump) end() {
	p.ended.Store(true)
	p.from.close()
	p.relay.done <- struct{}{}
}

// kept tells a piece that was passed on.
func (p *pump) kept(b []byte) {
	r := p.relay
	r.mu.Lock()
	if !r.over {
		r.keep(p.stream, b)
	}
	r.mu.Unlock()
	select {
	case r.moved <- struct{}{}:
	default:
	}
}
