package engine

import (
	"cmp"
	"slices"
)

// foresee is how many threads each step that needs no other is to get when its turn comes, where more of them than jobs are allowed
// to share the processors: nil when nothing is gained, or times are only guessed. The step that would end last gets one more, until there are
// as many of these as processors; of all tries the one that ends first counts, so it is never worse than one thread for each.
func foresee(steps []Step, order []int, limits Limits) []int {
	if !limits.Crowd || limits.Server != nil || limits.Jobs < 2 {
		return nil
	}
	var s schedule
	s.processors = limits.Jobs
	for _, i := range order {
		switch {
		case len(steps[i].Needs) > 0: // what needs others links them, and is short
		case !steps[i].Sure:
			return nil
		default:
			s.calls = append(s.calls, foreseen{step: i, took: float64(steps[i].expect()), parts: steps[i].threads(), threads: 1})
		}
	}
	return s.best(len(steps))
}

// schedule is a run as it is foreseen: calls in their order, as many at once as there are processors, which all threads that
// run share alike.
type schedule struct {
	processors int
	calls      []foreseen
}

// foreseen is a call that does its parts one after the other in each of its threads.
type foreseen struct {
	step, parts, threads int
	took                 float64 // in one thread
}

func (c foreseen) part() float64 { return c.took / float64(c.parts) }

// gain is by how much threads must pay: times are not known better.
const gain = 0.99

func (s *schedule) best(steps int) []int {
	end, last := s.run()
	full := s.total() / float64(s.processors) // all processors busy to the end
	var threads []int
	for range s.processors { // more than twice as many threads as processors help nobody
		if last < 0 || full >= end*gain || s.calls[last].threads >= min(s.calls[last].parts, s.processors) {
			break
		}
		s.calls[last].threads++
		var now float64
		if now, last = s.run(); now < end*gain {
			end, threads = now, s.threads()
		}
	}
	if threads == nil {
		return nil
	}
	wide := make([]int, steps)
	for i, c := range s.calls {
		wide[c.step] = threads[i]
	}
	return wide
}

func (s *schedule) total() (sum float64) {
	for _, c := range s.calls {
		sum += c.took
	}
	return sum
}

func (s *schedule) threads() []int {
	list := make([]int, len(s.calls))
	for i, c := range s.calls {
		list[i] = c.threads
	}
	return list
}

// lane is one thread of a running call.
type lane struct {
	call int
	left float64 // of its part
}

// run tells when all is done, and which call ends last; -1: there is none.
func (s *schedule) run() (now float64, last int) {
	var lanes []lane
	running, next, last := 0, 0, -1
	waiting := make([]int, len(s.calls)) // parts that no thread has begun
	open := make([]int, len(s.calls))    // threads that still run
	for {
		for ; running < s.processors && next < len(s.calls); next++ {
			c := s.calls[next]
			running++
			open[next] = min(c.threads, c.parts)
			waiting[next] = c.parts - open[next]
			for range open[next] {
				lanes = append(lanes, lane{next, c.part()})
			}
		}
		if len(lanes) == 0 {
			return now, last
		}
		step := slices.MinFunc(lanes, func(a, b lane) int { return cmp.Compare(a.left, b.left) }).left
		now += step * max(1, float64(len(lanes))/float64(s.processors))
		kept := lanes[:0]
		for _, l := range lanes {
			l.left -= step
			if l.left <= 0 && waiting[l.call] > 0 {
				waiting[l.call]--
				l.left = s.calls[l.call].part()
			}
			if l.left > 0 {
				kept = append(kept, l)
				continue
			}
			if open[l.call]--; open[l.call] == 0 {
				running--
				last = l.call
			}
		}
		lanes = kept
	}
}
