package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// plan is what is known before anything runs.
type plan struct {
	users [][]int // who needs a step
	needs []int   // how many a step waits for; counted down while the run goes on
	order []int   // step numbers by the time from their start to the end of the whole: the longest first
	rank  []int   // place of a step in order
}

func planOf(steps []Step) (*plan, error) {
	p := &plan{users: make([][]int, len(steps)), needs: make([]int, len(steps)), rank: make([]int, len(steps))}
	for i := range steps {
		for _, n := range steps[i].Needs {
			if n < 0 || n >= len(steps) {
				return nil, fmt.Errorf("plan the steps: %s needs step %d of %d", steps[i].Name, n, len(steps))
			}
			p.users[n] = append(p.users[n], i)
			p.needs[i]++
		}
	}
	sorted := p.sorted()
	if len(sorted) < len(steps) {
		return nil, fmt.Errorf("plan the steps: they need each other in a circle: %s", circle(steps, sorted))
	}
	p.rankBy(steps, sorted)
	return p, nil
}

// sorted lists the steps so that each comes after what it needs; those in a circle and behind one are missing.
func (p *plan) sorted() []int {
	left := slices.Clone(p.needs)
	list := make([]int, 0, len(left))
	for i, n := range left {
		if n == 0 {
			list = append(list, i)
		}
	}
	for at := 0; at < len(list); at++ {
		for _, u := range p.users[list[at]] {
			if left[u]--; left[u] == 0 {
				list = append(list, u)
			}
		}
	}
	return list
}

// rankBy orders by the longest path to the end: what is on the critical path is never kept waiting by what is not.
func (p *plan) rankBy(steps []Step, sorted []int) {
	path := make([]time.Duration, len(steps))
	for _, i := range slices.Backward(sorted) {
		for _, u := range p.users[i] {
			path[i] = max(path[i], path[u])
		}
		path[i] += steps[i].expect()
	}
	p.order = sorted
	slices.SortFunc(p.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(path[b], path[a]), cmp.Compare(a, b))
	})
	for at, i := range p.order {
		p.rank[i] = at
	}
}

// circle names the steps of one circle. Every step that could not be sorted needs another such step, so a walk along them
// comes back to where it was.
func circle(steps []Step, sorted []int) string {
	free := make([]bool, len(steps))
	for _, i := range sorted {
		free[i] = true
	}
	seen := map[int]int{} // step → its place in the walk
	var walk []string
	for at := slices.Index(free, false); ; {
		if from, again := seen[at]; again {
			return strings.Join(append(walk[from:], steps[at].Name), " needs ")
		}
		seen[at] = len(walk)
		walk = append(walk, steps[at].Name)
		at = steps[at].Needs[slices.IndexFunc(steps[at].Needs, func(n int) bool { return !free[n] })]
	}
}
