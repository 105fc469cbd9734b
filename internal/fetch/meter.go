package fetch

import (
	"sync"
	"time"

	"cupel/internal/progress"
)

// meter tells how far a file is, not more often than anybody can see.
type meter struct {
	mu    sync.Mutex
	r     Request
	done  int64
	total int64
	last  time.Time
}

func newMeter(r Request, total int64) *meter { return &meter{r: r, total: total} }

const blink = 50 * time.Millisecond

func (m *meter) add(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
	now := time.Now()
	if now.Sub(m.last) < blink || m.done == 0 && m.total == 0 { // an event without numbers would be a line of text
		return
	}
	m.last = now
	m.r.Report.Send(progress.Event{Phase: progress.Fetch, Item: m.r.Item, Done: m.done, Total: m.total})
}

// set is for a start in the middle, or from the beginning again.
func (m *meter) set(done, total int64) {
	m.mu.Lock()
	m.done, m.total, m.last = done, total, time.Time{}
	m.mu.Unlock()
	m.add(0)
}
