package engine

import (
	"math"
	"math/bits"
)

// queue holds the steps that can start now, by rank. A binary tree over the ranks keeps the smallest need of memory below
// each node, so the first in order that fits into what is free is found without a search through those that do not.
type queue struct {
	tree   []int64 // tree[1] is the root; the leaves begin at half; empty leaf: nobody
	half   int
	length int
}

const nobody = math.MaxInt64

func newQueue(n int) *queue {
	half := 1 << bits.Len(uint(max(n, 1)-1))
	q := &queue{tree: make([]int64, 2*half), half: half}
	for i := range q.tree {
		q.tree[i] = nobody
	}
	return q
}

// put adds the step of that rank; need is below nobody.
func (q *queue) put(rank int, need int64) {
	q.length++
	q.set(rank, min(need, nobody-1))
}

func (q *queue) drop(rank int) {
	q.length--
	q.set(rank, nobody)
}

func (q *queue) set(rank int, need int64) {
	at := q.half + rank
	q.tree[at] = need
	for at > 1 {
		at /= 2
		q.tree[at] = min(q.tree[2*at], q.tree[2*at+1])
	}
}

// first is the lowest rank whose need is at most free; -1: there is none.
func (q *queue) first(free int64) int {
	free = min(free, nobody-1)
	if q.tree[1] > free {
		return -1
	}
	at := 1
	for at < q.half {
		at *= 2
		if q.tree[at] > free {
			at++
		}
	}
	return at - q.half
}

// top is the lowest rank of all; -1: nothing can start.
func (q *queue) top() int { return q.first(nobody) }
