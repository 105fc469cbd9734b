package diagnose

import (
	"slices"
	"sync"
	"sync/atomic"

	"cupel/internal/literal"
	"cupel/internal/signature"
)

const (
	// mostCounted is how many matches of one signature are counted: a log with a million equal errors costs no more.
	mostCounted = MostCounted
	// ahead is how many blocks after the one that is judged may be under way.
	ahead = 2*workers + 2
)

// scan is what the workers share.
type scan struct {
	set   *signature.Set
	group []int                   // of each pattern: its signature's number
	guard []func() *literal.Guard // of each pattern
	full  []atomic.Int64          // of each signature: the block from which on no more are counted, 0 for none

	// These are the reader's alone.
	texts  *literal.Set
	sample literal.Sample
	blocks int // so far
	renew  int // the block with which the filter is made again
}

// placed is a match in a block.
type placed struct {
	pattern  int
	place    spot // counted from the start of the block
	at       int  // its place in the block's text
	text     string
	captures map[string]string
	count    int  // matches that it stands for
	last     spot // of the last of them
}

func newScan(set *signature.Set) *scan {
	s := &scan{set: set}
	number := map[*signature.Signature]int{}
	for _, p := range set.Patterns {
		n, ok := number[p.Signature]
		if !ok {
			n = len(number)
			number[p.Signature] = n
		}
		s.group = append(s.group, n)
		s.guard = append(s.guard, sync.OnceValue(func() *literal.Guard {
			expr, _ := p.Pattern.Expr() // it was compiled
			return literal.NewGuard(expr, p.Pattern.Lines > 1)
		}))
	}
	s.full = make([]atomic.Int64, len(number))
	return s
}

const (
	sampled = 16 << 10 // of each block goes into the sample,
	sampler = 512      // up to this block
)

// prepare gives a block the filter. It is made from a sample of the first block, and again from later ones: a log
// starts with other words than it goes on with.
func (s *scan) prepare(b *block) {
	if s.blocks <= sampler {
		s.sample.Add(b.raw[b.from:min(len(b.raw), b.from+sampled)])
	}
	if s.blocks == s.renew {
		s.texts = literal.New(s.set.Literals, func(text int) bool {
			return slices.ContainsFunc(s.set.Wanted[text], func(p int) bool { return s.set.Patterns[p].Pattern.Lines > 1 })
		}, &s.sample)
		s.renew = 8 * max(1, s.renew)
	}
	b.number, b.texts = s.blocks, s.texts
	s.blocks++
}
