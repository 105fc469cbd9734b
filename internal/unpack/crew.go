package unpack

import (
	"cmp"
	"io"
	"io/fs"
	"path"
	"slices"
	"sync"
	"sync/atomic"
)

// large files are jobs of their own, and are read ahead of being written.
const large = 4 << 20

// piece is one file of an archive whose entries can be opened in any order.
type piece struct {
	entry, to string
	mode      fs.FileMode
	size      int64 // as the archive says
	open      func() (io.ReadCloser, error)
}

// crew writes pieces side by side: large ones first, so that the last to end is a small one; small ones by folder.
func (s *sink) crew(pieces []piece) error {
	pieces, doubles := s.doubles(pieces)
	jobs := split(pieces)
	var next atomic.Int64
	var bad firstError
	var all sync.WaitGroup
	for range min(s.workers, len(jobs)) {
		all.Go(func() {
			h := s.newHand()
			defer h.close()
			for i := next.Add(1) - 1; i < int64(len(jobs)) && !bad.is(); i = next.Add(1) - 1 {
				bad.set(h.pieces(jobs[i]))
			}
		})
	}
	all.Wait()
	if bad.is() {
		return bad.err
	}
	h := s.newHand()
	defer h.close()
	return h.pieces(doubles) // these are compared with what was written
}

// doubles parts entries whose place an earlier one has.
func (s *sink) doubles(pieces []piece) (first, again []piece) {
	seen := map[string]bool{}
	for _, p := range pieces {
		if k := s.key(p.to); seen[k] {
			again = append(again, p)
		} else {
			seen[k] = true
			first = append(first, p)
		}
	}
	return first, again
}

// split makes jobs.
func split(pieces []piece) [][]piece {
	var jobs [][]piece
	folders := map[string][]piece{}
	for _, p := range pieces {
		if p.size >= large {
			jobs = append(jobs, []piece{p})
		} else {
			folders[path.Dir(p.to)] = append(folders[path.Dir(p.to)], p)
		}
	}
	for _, group := range folders {
		jobs = append(jobs, group)
	}
	slices.SortFunc(jobs, func(a, b []piece) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a[0].to, b[0].to))
	})
	return jobs
}

func weight(job []piece) (n int64) {
	for _, p := range job {
		n += p.size
	}
	return n
}

func (h *hand) pieces(job []piece) error {
	for _, p := range job {
		if err := h.s.stop(); err != nil {
			return err
		}
		if err := h.piece(p); err != nil {
			return err
		}
	}
	return nil
}

func (h *hand) piece(p piece) error {
	r, err := p.open()
	if err != nil {
		return named(p.entry, err)
	}
	defer r.Close()
	return h.file(p.entry, p.to, p.mode, r)
}

// firstError keeps the first of several.
type firstError struct {
	once sync.Once
	bad  atomic.Bool
	err  error
}

func (f *firstError) set(err error) {
	if err != nil {
		f.once.Do(func() { f.err = err; f.bad.Store(true) })
	}
}

func (f *firstError) is() bool { return f.bad.Load() }
