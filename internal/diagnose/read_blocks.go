package diagnose

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"

	"cupel/internal/literal"
	"cupel/internal/logtext"
)

const (
	blockSize = 256 << 10
	margin    = 32 << 10 // of what stands before and after a block: a pattern over several lines reaches over its ends
	workers   = 4        // at most; more read no faster than a pipe gives
)

// block is a stretch of a log, whole lines where they are not too long: text[from:to], with some text on both
// sides of it.
type block struct {
	raw      []byte // as it was read
	text     []byte // without terminal sequences: raw, where it has none
	stripped []byte // the buffer for it
	from, to int
	texts    *literal.Set
	number   int  // from 0
	span     spot // its end, counted from its start
	matches  []placed
	done     chan struct{}
}

func (b *block) body() []byte { return b.text[b.from:b.to] }

// blocks cuts a log into blocks.
type blocks struct {
	size   int
	margin int
	bytes  int64
	err    error
	pool   chan *block
}

// scanned gives the blocks of a log in order. Each is searched when its channel done is closed.
func (s *blocks) scanned(r io.Reader, scan *scan) <-chan *block {
	n := max(1, min(workers, runtime.GOMAXPROCS(0)))
	s.pool = make(chan *block, 4*n)
	work, order := make(chan *block, n), make(chan *block, 2*n)
	for range n {
		go func() {
			try := scan.worker()
			for b := range work {
				try.block(b)
				close(b.done)
			}
		}()
	}
	go func() {
		defer close(order)
		defer close(work)
		s.cut(logtext.Decode(&counted{r, &s.bytes}), func(b *block) {
			scan.prepare(b)
			b.done = make(chan struct{})
			order <- b
			work <- b
		})
	}()
	return order
}

// free takes a block back that nobody reads any more.
func (s *blocks) free(b *block) {
	select {
	case s.pool <- b:
	default:
	}
}

func (s *blocks) fresh() *block {
	select {
	case b := <-s.pool:
		b.raw, b.matches = b.raw[:0], b.matches[:0]
		return b
	default:
		return &block{raw: make([]byte, 0, s.size+3*s.margin)}
	}
}

// cut reads to the end and calls give with each block.
func (s *blocks) cut(r io.Reader, give func(*block)) {
	b := s.fresh()
	for {
		end := s.fill(r, b)
		b.to = len(b.raw)
		if !end {
			b.to = b.from + lineEnd(b.raw[b.from:b.from+s.size])
		}
		if s.err != nil || b.to == b.from {
			return
		}
		if end {
			give(b)
			return
		}
		next := s.fresh()
		start := max(0, b.to-s.margin)
		next.raw = append(next.raw, b.raw[start:]...)
		next.from = b.to - start
		b.raw = b.raw[:min(len(b.raw), b.to+s.margin)]
		give(b)
		b = next
	}
}

// fill reads until the block has its size and a margin after it; end says that there is no more.
func (s *blocks) fill(r io.Reader, b *block) (end bool) {
	want := b.from + s.size + s.margin
	b.raw = slices.Grow(b.raw, max(0, want-len(b.raw)))
	for len(b.raw) < want {
		n, err := r.Read(b.raw[len(b.raw):want])
		b.raw = b.raw[:len(b.raw)+n]
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			s.err = err
			return true
		}
	}
	return false
}

// lineEnd is where to cut a text: after its last line, or where none ends, after a carriage return, or before a
// terminal sequence near its end, which would be torn.
func lineEnd(text []byte) int {
	if n := bytes.LastIndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	if n := bytes.LastIndexByte(text[:len(text)-1], '\r'); n >= 0 { // behind the last byte may stand its line feed
		return n + 1
	}
	near := max(1, len(text)-64)
	if n := bytes.LastIndexByte(text[near:], 0x1b); n >= 0 {
		return near + n
	}
	return len(text)
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n *int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}
