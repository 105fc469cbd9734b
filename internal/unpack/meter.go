package unpack

import (
	"sync/atomic"
	"time"

	"cupel/internal/progress"
)

// between is the least time from one report to the next: a person sees no more.
const between = 100 * time.Millisecond

// meter tells how far the work is: in bytes written where the sum is known before, else in bytes of the archive read.
type meter struct {
	o       Options
	done    atomic.Int64
	total   atomic.Int64
	archive atomic.Bool // done counts bytes of the archive
	last    atomic.Int64
}

func newMeter(o Options) *meter { return &meter{o: o} }

// start says what done is measured against.
func (m *meter) start(total int64, ofArchive bool) {
	m.total.Store(total)
	m.archive.Store(ofArchive)
}

// wrote counts bytes that reached a file.
func (m *meter) wrote(n int) {
	if !m.archive.Load() {
		m.tell(m.done.Add(int64(n)))
	}
}

// reached is how far into the archive the reader is.
func (m *meter) reached(at int64) {
	for {
		was := m.done.Load()
		if at <= was {
			return
		}
		if m.done.CompareAndSwap(was, at) {
			m.tell(at)
			return
		}
	}
}

func (m *meter) tell(done int64) {
	if m.o.Report == nil {
		return
	}
	now, last := time.Now().UnixNano(), m.last.Load()
	if now-last < int64(between) || !m.last.CompareAndSwap(last, now) {
		return
	}
	m.send(min(done, m.total.Load()))
}

// end reports the whole.
func (m *meter) end() {
	if m.total.Load() == 0 {
		m.total.Store(m.done.Load())
	}
	m.send(m.total.Load())
}

func (m *meter) send(done int64) {
	m.o.Report.Send(progress.Event{Phase: progress.Unpack, Item: m.o.Item, Done: done, Total: m.total.Load()})
}
