package engine

import "time"

// startMore starts, in order, what processors, memory and tokens have room for. Threads are given out at the end: only when
// everything that is ready has one are there spare ones.
func (r *run) startMore() {
	var batch []start
	why := ""
	for r.stop == nil && r.ready.length > 0 && r.busy < r.limits.Jobs {
		rank := r.next()
		if rank < 0 {
			why = "memory"
			break
		}
		if !r.tokens.enough(r.busy + 1) {
			why = "tokens"
			break
		}
		batch = append(batch, r.admit(rank))
	}
	r.tokens.wanted = why == "tokens"
	if why == "" { // memory is for who waits for it
		r.join(batch)
	}
	if r.ready.length == 0 {
		r.widen(batch)
	}
	for _, s := range batch {
		r.launch(s)
	}
	r.tellWait(why)
}

// next is the rank of the step to start: the first in order, or, while that one is too large for the free memory, the first
// that fits. Nobody is overtaken more often than there are jobs; then everything behind it waits until it fits. At the
// latest it does when nothing runs: a step alone may be larger than the limit.
func (r *run) next() int {
	top := r.ready.top()
	if r.limits.Memory <= 0 || r.running == 0 {
		return top
	}
	fits := r.ready.first(r.limits.Memory - r.used)
	if fits != top && r.passed[top] >= r.limits.Jobs {
		return -1
	}
	return fits
}

func (r *run) admit(rank int) start {
	if top := r.ready.top(); top != rank {
		r.passed[top]++
	}
	step := r.plan.order[rank]
	r.ready.drop(rank)
	r.settled[step] = true
	r.running++
	r.busy++
	r.used += r.limits.peak(&r.steps[step])
	return start{step: step, threads: 1}
}

// widen gives the processors that nothing waits for to the steps about to start, in turn, the longest first.
func (r *run) widen(batch []start) {
	for given := true; given; {
		given = false
		for i := range batch {
			s := &r.steps[batch[i].step]
			peak := r.limits.peak(s)
			if batch[i].threads >= s.threads() || r.busy+r.more >= r.limits.Jobs || !r.fits(peak) || !r.tokens.spare(r.busy+1) {
				continue
			}
			batch[i].threads++
			r.busy++
			r.used += peak
			given = true
		}
	}
}

// join gives steps the threads that were foreseen for them, as far as there is memory.
func (r *run) join(batch []start) {
	for i := range batch {
		peak := r.limits.peak(&r.steps[batch[i].step])
		for r.wide != nil && batch[i].threads < r.wide[batch[i].step] && r.fits(peak) {
			batch[i].threads++
			batch[i].more++
			r.more++
			r.used += peak
		}
	}
}

func (r *run) fits(peak int64) bool { return r.limits.Memory <= 0 || peak <= r.limits.Memory-r.used }

func (r *run) launch(s start) {
	step := &r.steps[s.step]
	r.tell(Event{Step: s.step, State: Started, At: time.Now(), Threads: s.threads})
	go step.do(r.ctx, s.threads, func(o Outcome) { r.ended <- ended{s, o} })
}

// tellWait tells a change of what holds the next step up while processors are free.
func (r *run) tellWait(why string) {
	now := wait{-1, why}
	if why != "" {
		now.step = r.plan.order[r.ready.top()]
	}
	if now != r.waits && why != "" {
		r.tell(Event{Step: now.step, State: Waiting, At: time.Now(), Waits: why})
	}
	r.waits = now
}
