package jobserver

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// newServer is made by each system's file: a server with n free tokens, the value that names it, and how many are free now.
// (func newServer(t *testing.T, n int) (value string, free func() int))

func client(t *testing.T, value string) *Client {
	t.Helper()
	c, why := Found([]string{"MAKEFLAGS= -j9 " + value})
	if c == nil {
		t.Fatalf("no client for %s: %s", value, why)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestAcquireAndRelease(t *testing.T) {
	value, free := newServer(t, 2)
	c := client(t, value)
	a, errA := c.Acquire(t.Context())
	b, errB := c.Acquire(t.Context())
	if errA != nil || errB != nil || free() != 0 {
		t.Fatalf("%v, %v, %d free; want two tokens and none free", errA, errB, free())
	}
	if _, ok := c.Try(); ok {
		t.Error("a third token was found")
	}
	a()
	a()
	if free() != 1 {
		t.Errorf("%d free after one was given back twice, want 1", free())
	}
	again, ok := c.Try()
	if !ok || free() != 0 {
		t.Fatalf("a free token was not found: %v, %d free", ok, free())
	}
	again()
	b()
	if free() != 2 {
		t.Errorf("%d free at the end, want 2", free())
	}
}

// TestCalledOff: a wait that is cancelled takes nothing, whenever that happens.
func TestCalledOff(t *testing.T) {
	value, free := newServer(t, 1)
	c := client(t, value)
	hold, err := c.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			release, err := c.Acquire(ctx)
			if err == nil {
				release()
			}
			done <- err
		}()
		if i%2 == 0 { // the token comes at the same moment
			go hold()
		}
		go cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if hold, err = c.Acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	hold()
	if free() != 1 {
		t.Errorf("%d free at the end, want 1", free())
	}
}

func TestClose(t *testing.T) {
	value, free := newServer(t, 1)
	c := client(t, value)
	release, err := c.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error)
	go func() { _, err := c.Acquire(context.Background()); waiting <- err }()
	time.Sleep(10 * time.Millisecond) // most often it waits by now; the answer is the same
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Errorf("who waited got %v", err)
	}
	release() // of a token that Close gave back
	if _, err := c.Acquire(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, ok := c.Try(); ok || c.Close() != nil || free() != 1 {
		t.Errorf("after Close: token %v, %d free, want 1", ok, free())
	}
}

// TestManyAtOnce: two clients of one server, eight who ask.
func TestManyAtOnce(t *testing.T) {
	const tokens = 3
	value, free := newServer(t, tokens)
	clients := []*Client{client(t, value), client(t, value)}
	var now, most atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 50 {
				release, err := clients[i%2].Acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				n := now.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				time.Sleep(time.Microsecond)
				now.Add(-1)
				release()
			}
		})
	}
	all.Wait()
	if most.Load() > tokens || free() != tokens {
		t.Errorf("%d at once, %d free at the end, want %d", most.Load(), free(), tokens)
	}
}

// late is a pool whose token comes at the moment in which the wait is called off.
type late struct {
	cancel func()
	back   []byte
}

func (l *late) wait(context.Context) (byte, error) { l.cancel(); return 'x', nil }
func (l *late) try() (byte, bool)                  { return 'x', true }
func (l *late) give(b byte) error                  { l.back = append(l.back, b); return nil }
func (l *late) close() error                       { return nil }

func TestTokenAtTheLastMoment(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := &late{cancel: cancel}
	c := newClient("late", l)
	if _, err := c.Acquire(ctx); !errors.Is(err, context.Canceled) || string(l.back) != "x" {
		t.Errorf("cancelled: %v, given back %q", err, l.back)
	}
	l.cancel = c.end // Close came first
	if _, err := c.Acquire(t.Context()); !errors.Is(err, ErrClosed) || string(l.back) != "xx" {
		t.Errorf("closed: %v, given back %q", err, l.back)
	}
}
