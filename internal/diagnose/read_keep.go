package diagnose

import (
	"bytes"

	"cupel/internal/logtext"
)

const (
	headSize   = 1 << 20 // kept from the start of a log,
	aroundSize = 1 << 20 // around matches,
	tailSize   = 1 << 20 // and from its end
	lineCost   = 24      // of a kept line besides its text
	mostKept   = 32      // matches of one signature,
	mostEqual  = 3       // and of one text
	textSize   = 2 << 20 // of all matches: when there is more of it,
	fewKept    = 3       // fewer of one signature are kept
)

// keeper takes the blocks in order, counts lines, and keeps what is worth keeping.
type keeper struct {
	scan   *scan
	seen   *Seen
	tally  []tally // of each signature
	recent []*held
	next   spot // behind the last block
	last   byte // of it
	wanted int  // pieces of the next block that belong to a match before
	head   int  // what is left of each budget
	around int
	texts  int
}

// tally is what was counted of a signature.
type tally struct {
	total int
	equal map[string]int
	last  int // its last kept match
	kept  int
}

func newKeeper(s *scan) *keeper {
	return &keeper{scan: s, seen: &Seen{}, tally: make([]tally, len(s.full)), next: spot{line: 1}, last: '\n', head: headSize, around: aroundSize, texts: textSize}
}

// take adds one block; free gets blocks that are no longer needed.
func (k *keeper) take(b *block, free func(*block)) {
	base := k.next
	h := &held{block: b, at: b.from, place: base}
	k.skipTorn(h)
	k.recent = append(k.recent, h)
	k.keep(h, b.from, b.to, &k.head)
	if k.wanted > 0 {
		end, missing := h.forward(b.from, k.wanted-1)
		k.keep(h, b.from, end, &k.around)
		k.wanted = missing
	}
	for _, m := range b.matches {
		if k.count(m, base) {
			k.surround(m.at)
		}
	}
	k.next = base.then(b.span)
	if b.to > b.from {
		k.last = b.text[b.to-1]
	}
	k.drop(free)
}

// skipTorn goes over the rest of a piece whose start is kept.
func (k *keeper) skipTorn(h *held) {
	if n := len(k.recent); n == 0 || k.last == '\n' || k.last == '\r' || k.recent[n-1].at < k.recent[n-1].to {
		return
	}
	s := walk{text: h.text, at: h.at, to: h.to}
	s.next()
	h.place, h.at = h.place.over(h.text[h.at:s.at]), s.at
}

// drop gives blocks back that are not at the end of the log any more. One of which nothing is left after cleaning
// still holds what was read.
func (k *keeper) drop(free func(*block)) {
	size := 0
	for i := len(k.recent) - 1; i > 0; i-- {
		b := k.recent[i].block
		if size += max(len(b.text), len(b.raw)/4); size <= tailSize {
			continue
		}
		for _, old := range k.recent[:i-1] {
			free(old.block)
		}
		k.recent = append(k.recent[:0], k.recent[i-1:]...)
		return
	}
}

// count adds a match to its signature's tally; ok says that it was kept and not only counted.
func (k *keeper) count(m placed, base spot) (ok bool) {
	n := k.scan.group[m.pattern]
	t := &k.tally[n]
	at, last := base.then(m.place), base.then(m.last).line
	most := mostKept
	if k.texts <= 0 {
		most = fewKept
	}
	if t.kept > 0 && (t.total >= mostCounted || t.kept >= most || t.equal[m.text] >= mostEqual) {
		old := &k.seen.Matches[t.last]
		old.Last = max(old.Last, last)
		old.Count += min(m.count, mostCounted-t.total)
		k.add(n, m.count)
		return false
	}
	if t.equal == nil {
		t.equal = map[string]int{}
	}
	t.kept++
	t.equal[m.text]++
	t.last = len(k.seen.Matches)
	k.texts -= len(m.text)
	s := k.scan.set.Patterns[m.pattern].Signature
	k.seen.Matches = append(k.seen.Matches, Match{Signature: s, Line: at.line, Piece: at.piece, Text: m.text, Captures: m.captures, Count: min(m.count, mostCounted-t.total), Last: last})
	k.add(n, m.count)
	return true
}

// add counts matches of a signature. When they are enough, the workers are told, with the number of a block that
// none of them has yet: so the answer does not depend on their speed.
func (k *keeper) add(n, matches int) {
	t := &k.tally[n]
	if t.total = min(mostCounted, t.total+matches); t.total == mostCounted && k.scan.full[n].Load() == 0 {
		k.scan.full[n].Store(int64(k.recent[len(k.recent)-1].number + ahead))
	}
}

// surround keeps what stands around a place of the newest block.
func (k *keeper) surround(at int) {
	last := len(k.recent) - 1
	h := k.recent[last]
	from, missing := h.back(at, aboveLines)
	if missing > 0 && h.at == h.from && last > 0 {
		prev := k.recent[last-1]
		start, _ := prev.back(prev.to, missing)
		k.keep(prev, start, prev.to, &k.around)
	}
	end, missing := h.forward(at, nearLines)
	k.keep(h, from, end, &k.around)
	k.wanted = max(k.wanted, missing)
}

// keep adds the pieces of a block between two places, but those that are kept already.
func (k *keeper) keep(h *held, from, to int, budget *int) {
	if *budget <= 0 || to <= h.at {
		return
	}
	if from > h.at {
		h.place, h.at = h.place.over(h.text[h.at:from]), from
	}
	for s := (walk{text: h.text, at: h.at, to: h.to}); h.at < to && *budget > 0; {
		start, end := s.next()
		piece := h.text[start:end]
		if len(piece) > logtext.Longest {
			piece, k.seen.Log.Cut = piece[:logtext.Longest], true
		}
		text := logtext.Clean(string(piece))
		*budget -= len(text) + lineCost
		k.seen.Log.Add(h.place.line, h.place.piece, text)
		h.place, h.at = h.place.over(h.text[h.at:s.at]), s.at
	}
}

// finish keeps the end of the log.
func (k *keeper) finish() *Seen {
	log := &k.seen.Log
	log.Lines = k.next.line - 1
	if k.last != '\n' {
		log.Lines++
	}
	k.keepTail()
	whole := 0
	for _, p := range log.Parts {
		whole = p.Number(len(p.Text) - 1)
	}
	log.Cut = log.Cut || len(log.Parts) > 1 || whole < log.Lines
	return k.seen
}

// keepTail keeps the last lines: as many as the budget has room for.
func (k *keeper) keepTail() {
	left := tailSize
	start := len(k.recent)
	for start > 0 && left > 0 {
		start--
		left -= cost(k.recent[start].body())
	}
	for i := start; i < len(k.recent); i++ {
		h := k.recent[i]
		s := walk{text: h.text, at: h.from, to: h.to}
		for i == start && left < 0 && s.at < h.to { // the first lines of the first block are too many
			from, _ := s.next()
			left += cost(h.text[from:s.at])
		}
		all := 1 << 30
		k.keep(h, s.at, h.to, &all)
	}
}

// cost is what keeping a text takes.
func cost(text []byte) int {
	return len(text) + lineCost*(bytes.Count(text, []byte{'\n'})+bytes.Count(text, []byte{'\r'}))
}
