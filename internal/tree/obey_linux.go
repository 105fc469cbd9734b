package tree

import (
	"encoding/json"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/child"
)

const (
	// settle is how long a signal is waited for that cupel had already: the kernel sends one to all of a group in one go,
	// but on a busy machine this process may run late.
	settle = 250 * time.Millisecond
	// together: this process may as well have had it earlier.
	together = time.Second
)

// obey does what cupel says. When cupel is gone, everything below ends.
func (s *supervisor) obey() {
	for {
		text, err := s.lines.ReadBytes('\n')
		if err != nil {
			s.kill()
			return
		}
		var o order
		switch {
		case json.Unmarshal(text, &o) != nil:
		case o.Kill:
			go s.kill()
		case o.End:
			signalAll(unix.SIGTERM)
			signalAll(unix.SIGCONT) // one that is stopped hears nothing else
			time.AfterFunc(patience, s.kill)
		case o.Signal != 0:
			go s.pass(o.Signal)
		}
	}
}

func (s *supervisor) kill() {
	s.forced.Store(true)
	child.EndTree()
}

// pass hands on a signal that was sent to cupel alone. This process is in cupel's group: when it got the signal as well,
// then the whole group did, by Ctrl-C on the terminal or by kill -GROUP, and the command too. (Nothing else tells the two
// apart: Go does not show who sent a signal, and Ctrl-C comes to groups whose standard input is no terminal.) Those below
// that left the group stay untouched then, as without cupel.
func (s *supervisor) pass(sig unix.Signal) {
	for now := time.Now(); time.Since(now) < settle; time.Sleep(5 * time.Millisecond) {
		if s.own.since(sig, now.Add(-together)) {
			return
		}
	}
	signalAll(sig)
}

// arrivals are the signals that this process got itself. One that nobody else got is dropped: it was meant for the
// parent of the command, which has its own ways.
type arrivals struct {
	mu   sync.Mutex
	last map[os.Signal]time.Time
}

func (a *arrivals) note(signals <-chan os.Signal) {
	for sig := range signals {
		a.mu.Lock()
		if a.last == nil {
			a.last = map[os.Signal]time.Time{}
		}
		a.last[sig] = time.Now()
		a.mu.Unlock()
	}
}

func (a *arrivals) since(sig os.Signal, when time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.last[sig]
	return ok && at.After(when)
}
