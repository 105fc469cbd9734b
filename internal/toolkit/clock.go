package toolkit

import (
	"sync"
	"time"
)

// clock measures phases that several goroutines work on: from the first beginning to the last end.
type clock struct {
	mu          sync.Mutex
	first, last map[string]time.Time
}

func newClock() *clock { return &clock{first: map[string]time.Time{}, last: map[string]time.Time{}} }

func (c *clock) start(phase string) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.first[phase]; !ok {
		c.first[phase] = time.Now()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.last[phase] = time.Now()
	}
}

func (c *clock) all() map[string]time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]time.Duration{}
	for phase, end := range c.last {
		out[phase] = end.Sub(c.first[phase])
	}
	return out
}
