package diagnose

import (
	"hash/maphash"
	"maps"
	"slices"

	"cupel/internal/logtext"
)

const (
	// Of a long line, what stands this far around a literal is looked at.
	windowBefore = 256
	windowAfter  = 768
	// mostTries is how often a pattern is tried on the long lines of a block, and mostFound how many matches of a
	// signature in them are enough: where everything stands on one line, everything is called for everywhere.
	mostTries = 8
	mostFound = 4
	// From this block on one of four of them is left.
	laterBlock = 16
)

// worker searches blocks, one after the other.
type worker struct {
	*scan
	views []view // of the piece at hand, by a pattern's lines
	tried []int  // of each pattern: the number of the piece it was tried on last
	piece int    // pieces so far

	// The piece at hand, or a window in it.
	from, to int
	until    int // up to here literals belong to it
	long     bool
	place    spot
	counted  int // to where place is counted

	// Of the block at hand.
	found   [][]int // of each signature: its matches
	inLong  []int   // of each signature: matches in long lines
	tries   []int   // of each pattern: on long lines
	late    []int   // of each pattern: where its literal stood last, when no more of it are counted
	settled int     // matches that are in their order

	// Lines repeat: what a pattern was tried on in vain is remembered by its hash.
	seed maphash.Seed
	vain [1 << vainLog]uint64
}

const vainLog = 12

func (s *scan) worker() *worker {
	lines, signatures, patterns := 1, len(s.full), len(s.set.Patterns)
	for _, p := range s.set.Patterns {
		lines = max(lines, p.Pattern.Lines)
	}
	return &worker{scan: s, views: make([]view, lines+1), tried: make([]int, patterns), tries: make([]int, patterns), late: make([]int, patterns),
		found: make([][]int, signatures), inLong: make([]int, signatures), seed: maphash.MakeSeed()}
}

// block finds what matches in a block.
func (w *worker) block(b *block) {
	w.strip(b)
	b.span = spot{}.over(b.body())
	w.until, w.place, w.counted, w.settled = 0, spot{}, b.from, 0
	for i := range w.found {
		w.found[i] = w.found[i][:0]
	}
	clear(w.inLong)
	clear(w.tries)
	clear(w.late)
	b.texts.Find(b.text, b.from, b.to, func(at, text int) {
		if at >= w.until {
			w.settle(b)
			w.enter(b, at)
		}
		for _, p := range w.set.Wanted[text] {
			w.call(b, p, at)
		}
		if w.set.Numbered[text] {
			w.callCodes(b, at)
		}
	})
	w.settle(b)
	w.tryLate(b)
}

// enter makes the piece around a place the one at hand.
func (w *worker) enter(b *block, at int) {
	w.piece++
	for i := range w.views {
		w.views[i].made, w.views[i].text = false, ""
	}
	w.place, w.counted = w.place.over(b.text[w.counted:at]), at
	w.from, w.to = logtext.Around(b.text, at, logtext.Long+1)
	w.until, w.long = w.to, w.to-w.from > logtext.Long
	if w.long {
		w.from, w.to = max(w.from, at-windowBefore), min(w.to, at+windowAfter)
		w.until = min(w.to, at+windowAfter-windowBefore)
	}
}

// call tries a pattern whose literal was found in the piece at hand, once.
func (w *worker) call(b *block, pattern, at int) {
	if w.tried[pattern] == w.piece {
		return
	}
	w.tried[pattern] = w.piece
	n := w.group[pattern]
	if full := w.full[n].Load(); full > 0 && int64(b.number) >= full {
		w.late[pattern] = at + 1
		return
	}
	if w.long && w.inLong[n] >= enough(b, mostFound) {
		return
	}
	w.try(b, pattern, at)
}

// enough is a bound for a block: where a log goes on with long lines, they say the same again.
func enough(b *block, most int) int {
	if b.number >= laterBlock {
		return most / 4
	}
	return most
}

// A number of an error stands not farther than this before and after what calls for it.
const (
	codeBefore = 64
	codeAfter  = 256
)

// callCodes calls the patterns of CUDA errors whose number stands near a place.
func (w *worker) callCodes(b *block, at int) {
	text := b.text[max(w.from, at-codeBefore):min(w.to, at+codeAfter)]
	for i := 1; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		start, code := i, 0
		for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			code = min(code*10+int(text[i]-'0'), 1<<20)
		}
		if text[start] != '0' && leadsIn(text[start-1]) {
			for _, p := range w.set.ByCode[code] {
				w.call(b, p, at)
			}
		}
	}
}

// leadsIn says that a character can stand before the number of an error.
func leadsIn(c byte) bool {
	switch c {
	case ' ', ':', '=', '(', '#', '[':
		return true
	}
	return false
}

// try matches a pattern on the piece at hand and what the pattern wants around it.
func (w *worker) try(b *block, pattern, at int) {
	c := w.set.Patterns[pattern]
	v := w.view(b, c.Pattern.Lines)
	key := v.hash + uint64(pattern+1)*0x9e3779b97f4a7c15
	vain := &w.vain[key>>(64-vainLog)]
	if *vain == key {
		return
	}
	*vain = key
	if !w.guard[pattern]().Lets(v.lower) {
		return
	}
	if w.long {
		if w.tries[pattern] >= enough(b, mostTries) {
			return
		}
		w.tries[pattern]++
	}
	text := v.cleaned(b, c.Pattern.Lines)
	captures, ok := c.Match(text)
	if !ok {
		return
	}
	*vain = 0
	b.matches = append(b.matches, placed{pattern: pattern, place: w.place, at: at, text: text, captures: captures, count: 1, last: w.place})
}

// settle puts the matches of the piece at hand in their order, and those that the keeper will not keep into the one
// before them.
func (w *worker) settle(b *block) {
	fresh := b.matches[w.settled:]
	if len(fresh) == 0 {
		return
	}
	slices.SortStableFunc(fresh, func(x, y placed) int { return x.pattern - y.pattern })
	b.matches = b.matches[:w.settled]
	for _, m := range fresh {
		n := w.group[m.pattern]
		if w.long {
			if w.again(b, m) {
				continue
			}
			w.inLong[n]++
		}
		found, equal := w.found[n], 0
		for _, i := range found {
			if b.matches[i].text == m.text {
				equal++
			}
		}
		if len(found) >= mostKept || equal >= mostEqual {
			last := &b.matches[found[len(found)-1]]
			last.count++
			last.last = m.place
			continue
		}
		w.found[n] = append(found, len(b.matches))
		b.matches = append(b.matches, m)
	}
	w.settled = len(b.matches)
}

// again says that the window before has the same match: windows overlap.
func (w *worker) again(b *block, m placed) bool {
	found := w.found[w.group[m.pattern]]
	if len(found) == 0 {
		return false
	}
	last := &b.matches[found[len(found)-1]]
	return last.place == m.place && m.at-last.at < windowBefore+windowAfter && maps.Equal(last.captures, m.captures)
}

// tryLate looks for the last match of signatures that are not counted any more: how a log ends depends on it.
func (w *worker) tryLate(b *block) {
	for p, at := range w.late {
		if at == 0 {
			continue
		}
		w.place, w.counted = spot{}, b.from
		w.enter(b, at-1)
		w.try(b, p, at-1)
	}
}
