package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/jobserver"
)

// fifoServer is a job server with n free tokens; free counts them.
func fifoServer(t *testing.T, n int) (c *jobserver.Client, free func() int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	c, why := jobserver.Found([]string{"MAKEFLAGS=--jobserver-auth=fifo:" + path})
	if c == nil {
		t.Fatal(why)
	}
	t.Cleanup(func() { _, _ = c.Close(), f.Close() })
	return c, func() int {
		lie, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ) // FIONREAD by another name
		if err != nil {
			t.Error(err)
		}
		return lie
	}
}

// await waits for something that another goroutine is about to do.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%s: not within 20 s", what)
			return
		}
	}
}

// TestTokensGivenBack: what a long step does not need itself lies in the server while it still runs.
func TestTokensGivenBack(t *testing.T) {
	server, free := fifoServer(t, 2)
	short := make(chan bool)
	last := func(context.Context, int) Outcome {
		if free() != 0 {
			t.Errorf("%d tokens lie unused while three run", free())
		}
		close(short)
		await(t, "both tokens back", func() bool { return free() == 2 })
		return Outcome{}
	}
	wait := func(context.Context, int) Outcome { <-short; return Outcome{} }
	// The one that goes on was started second, so it had not the process's own slot.
	steps := []Step{{Name: "a", Expect: 9, Run: wait}, {Name: "b", Expect: 8, Run: last}, {Name: "c", Expect: 7, Run: wait}}
	starts := 0
	all := make(chan bool)
	steps[1].Run = func(ctx context.Context, n int) Outcome { <-all; return last(ctx, n) }
	err := Run(t.Context(), steps, Limits{Jobs: 8, Memory: -1, Server: server}, func(e Event) {
		if e.State == Started {
			if starts++; starts == 3 {
				close(all)
			}
		}
	})
	if err != nil || free() != 2 {
		t.Errorf("%v, %d tokens at the end, want 2", err, free())
	}
}

// TestFewTokens: without tokens, and without a server that answers, everything still runs, one at a time.
func TestFewTokens(t *testing.T) {
	for _, tt := range []struct {
		name          string
		tokens        int
		closed        bool
		threads, most int
		waits         string
	}{
		{"none", 0, false, 1, 1, "tokens"},
		{"none to widen with", 0, false, 4, 1, "tokens"},
		{"one", 1, false, 1, 2, "tokens"},
		{"closed", 3, true, 1, 1, "tokens"},
		{"enough", 5, false, 1, 4, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server, free := fifoServer(t, tt.tokens)
			if tt.closed {
				_ = server.Close()
			}
			steps := make([]Step, 4)
			for i := range steps {
				steps[i] = Step{Name: fmt.Sprint(i), Threads: tt.threads, Run: sleep(5 * time.Millisecond)}
			}
			now, most, ended, waits := 0, 0, 0, ""
			err := Run(t.Context(), steps, Limits{Jobs: 6, Memory: -1, Server: server}, func(e Event) {
				switch e.State {
				case Started:
					now += e.Threads
				case Ended:
					now -= e.Threads
					ended++
				case Waiting:
					waits = e.Waits
				}
				most = max(most, now)
			})
			if err != nil || ended != 4 || most != tt.most || waits != tt.waits || free() != tt.tokens {
				t.Errorf("%v, %d ended, %d at once, waits %q, %d tokens at the end; want 4, %d, %q, %d", err, ended, most, waits, free(), tt.most, tt.waits, tt.tokens)
			}
		})
	}
}

// TestTokensForThreads: a step that can use several threads gets those for which tokens lie ready.
func TestTokensForThreads(t *testing.T) {
	server, free := fifoServer(t, 2)
	got := 0
	steps := []Step{{Name: "a", Threads: 9, Run: func(_ context.Context, threads int) Outcome { got = threads; return Outcome{} }}}
	if err := Run(t.Context(), steps, Limits{Jobs: 8, Memory: -1, Server: server}, nil); err != nil || got != 3 || free() != 2 {
		t.Errorf("%v, %d threads, %d tokens at the end; want 3 and 2", err, got, free())
	}
}

// TestTokenComesLater: the step that waits starts as soon as another program gives a token back.
func TestTokenComesLater(t *testing.T) {
	server, free := fifoServer(t, 1)
	elsewhere, err := server.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan bool)
	steps := []Step{
		{Name: "a", Expect: 9, Run: func(context.Context, int) Outcome { elsewhere(); <-second; return Outcome{} }},
		{Name: "b", Run: func(context.Context, int) Outcome { close(second); return Outcome{} }}}
	if err := Run(t.Context(), steps, Limits{Jobs: 8, Memory: -1, Server: server}, nil); err != nil || free() != 1 {
		t.Errorf("%v, %d tokens at the end, want 1", err, free())
	}
}

// TestCancelWhileTokensAreAsked: the open question is called off.
func TestCancelWhileTokensAreAsked(t *testing.T) {
	server, free := fifoServer(t, 0)
	ctx, cancel := context.WithCancel(t.Context())
	wait := func(ctx context.Context, _ int) Outcome { <-ctx.Done(); return Outcome{Err: ctx.Err()} }
	left := 0
	err := Run(ctx, []Step{{Name: "a", Run: wait}, {Name: "b", Run: wait}}, Limits{Jobs: 8, Memory: -1, Server: server}, func(e Event) {
		switch e.State {
		case Waiting:
			cancel()
		case Left:
			left++
		}
	})
	if err == nil || left != 1 || free() != 0 {
		t.Errorf("%v, %d left, %d tokens", err, left, free())
	}
}

// TestServerAskedNoMore: a server that answers with an error is left alone, or the run would ask it without end.
func TestServerAskedNoMore(t *testing.T) {
	server, _ := fifoServer(t, 1)
	_ = server.Close()
	tokens := newTokens(t.Context(), server)
	if tokens.enough(2) || tokens.callOff == nil {
		t.Fatal("a closed server was not asked")
	}
	tokens.take(<-tokens.granted)
	if tokens.enough(2) || tokens.callOff != nil {
		t.Error("asked again")
	}
}
