// Package jobserver is a client of the job server of make, Ninja and cargo: how many processes a build may run is shared
// with the build that called it. It reads the variables that name the server and opens what they name; it is never a
// server itself.
package jobserver

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Client asks for tokens. The first one belongs to this process already. A token that this process holds when it is killed
// by force is lost to the whole build: no server can tell. So whoever ends early calls Close.
type Client struct {
	name  string // as the variable gives it
	pool  pool
	asks  chan struct{} // holds one: the place of the one who asks
	life  context.Context
	end   context.CancelFunc
	mu    sync.Mutex
	held  map[*token]bool
	ended bool
}

// pool is where the tokens lie: a FIFO or a semaphore.
type pool interface {
	// wait returns one token, or an error when the context ends first.
	wait(ctx context.Context) (byte, error)
	// try takes a token that lies there, and does not wait.
	try() (byte, bool)
	// give puts back the same one: make gives different bytes different meanings.
	give(byte) error
	close() error
}

type token struct{ mark byte }

// ErrClosed says that the client was closed before or while a token was asked for.
var ErrClosed = errors.New("the job server's client is closed")

// Found opens the job server that the environment names (MAKEFLAGS, MFLAGS, CARGO_MAKEFLAGS: a FIFO, two descriptors, on
// Windows a semaphore). nil: there is none. why says what was named and cannot be used.
func Found(env []string) (c *Client, why string) {
	for _, n := range names(env) {
		p, err := open(n.server)
		if err == nil {
			return newClient(n.server, p), ""
		}
		// The first variable is the nearest caller's: what is wrong with it is what the user can mend.
		if why == "" {
			why = fmt.Sprintf("%s names the job server %s: %v", n.variable, n.server, err)
		}
	}
	return nil, why
}

func newClient(name string, p pool) *Client {
	c := &Client{name: name, pool: p, asks: make(chan struct{}, 1), held: map[*token]bool{}}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Acquire waits for a token; release gives back the very one, and may be called more than once.
func (c *Client) Acquire(ctx context.Context) (release func(), err error) {
	select {
	case c.asks <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.asks }()
	if c.life.Err() != nil { // its handles may be another's by now
		return nil, ErrClosed
	}
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	b, err := c.pool.wait(both)
	switch {
	case err == nil && ctx.Err() != nil: // both at the same moment
		return nil, errors.Join(ctx.Err(), c.pool.give(b))
	case err == nil:
		return c.hold(b)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case c.life.Err() != nil:
		return nil, ErrClosed
	}
	return nil, fmt.Errorf("wait for a token of the job server %s: %w", c.name, err)
}

// Try takes a token when one is free now. It never waits, so it has none while somebody else is in Acquire.
func (c *Client) Try() (release func(), ok bool) {
	select {
	case c.asks <- struct{}{}:
	default:
		return nil, false
	}
	defer func() { <-c.asks }()
	if c.life.Err() != nil {
		return nil, false
	}
	b, ok := c.pool.try()
	if !ok {
		return nil, false
	}
	release, err := c.hold(b)
	return release, err == nil
}

func (c *Client) hold(b byte) (release func(), err error) {
	t := &token{b}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.Err() != nil {
		return nil, errors.Join(ErrClosed, c.pool.give(b))
	}
	c.held[t] = true
	return func() { c.giveBack(t) }, nil
}

// giveBack has no error to tell: a server that takes no token back is gone, and nobody waits for it any more.
func (c *Client) giveBack(t *token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[t] {
		delete(c.held, t)
		_ = c.pool.give(t.mark)
	}
}

// Close gives back all tokens that are still held and ends the use of the server; who waits in Acquire gets ErrClosed.
func (c *Client) Close() error {
	c.end()
	c.asks <- struct{}{} // who asked is out now, and gave back what came to it at the last moment
	defer func() { <-c.asks }()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil
	}
	c.ended = true
	var errs []error
	for t := range c.held {
		errs = append(errs, c.pool.give(t.mark))
	}
	clear(c.held)
	if err := errors.Join(append(errs, c.pool.close())...); err != nil {
		return fmt.Errorf("close the job server %s: %w", c.name, err)
	}
	return nil
}
