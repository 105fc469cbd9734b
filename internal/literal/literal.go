// Package literal finds many fixed texts in a stream of bytes at once, whatever their case. It is the filter in
// front of regular expressions: a line without one of their literals is never looked at again. It reads bytes
// it is given and knows nothing of what they mean.
package literal

import "encoding/binary"

// A text of Shortest bytes or more holds, at one of two neighbouring places, four bytes that start at an even
// distance from the start of the search. So every second place of the searched bytes is looked up in one table
// by its four bytes (folded to lower case and hashed). Each text is entered with the two places of it that are
// rarest in a sample of what is searched: on ordinary lines the table stays silent, and what it names is compared
// in full.

const (
	gram     = 4
	step     = 2
	window   = gram + step - 1
	fold     = 0x20202020
	tableLog = 16
)

// Set is a set of texts to look for. It is safe for use by several goroutines.
type Set struct {
	texts   []text
	table   *[1 << tableLog]uint16 // of a hash: where its entries begin, 0 for none
	entries []entry
}

type text struct {
	lower string
	wraps bool
}

// entry says that a text has these four bytes at an offset. The entries of one hash stand together, the last
// is marked.
type entry struct {
	text   uint32
	offset uint16
	last   bool
}

// New makes a set of texts, which are compared without regard to the case of ASCII letters; a text shorter than
// Shortest is never found. Where wraps says so, a blank of the text may be a line end in what is searched. The
// sample, which may be nil, makes the search faster and changes nothing else.
func New(texts []string, wraps func(text int) bool, sample *Sample) *Set {
	s := &Set{table: new([1 << tableLog]uint16)}
	seen := sample.counts()
	cells := map[uint32][]entry{}
	for i, t := range texts {
		lower := Lower(t)
		s.texts = append(s.texts, text{lower, wraps != nil && wraps(i)})
		if len(lower) < window {
			continue
		}
		at := rarest(lower, s.texts[i].wraps, seen)
		for _, offset := range []int{at, at + 1} {
			cell := hash(load(lower, offset))
			cells[cell] = append(cells[cell], entry{text: uint32(i), offset: uint16(offset)})
			seen[cell]++ // so that texts which begin alike do not all meet in one place
		}
	}
	s.entries = append(s.entries, entry{}) // place 0 stands for none
	for cell, entries := range cells {
		if len(s.entries) > 1<<16-1-len(entries) {
			panic("literal: too many texts")
		}
		entries[len(entries)-1].last = true
		s.table[cell] = uint16(len(s.entries))
		s.entries = append(s.entries, entries...)
	}
	return s
}

func load(s string, at int) uint32 {
	return binary.LittleEndian.Uint32([]byte(s[at : at+gram]))
}

func hash(gram uint32) uint32 { return (gram | fold) * 0x9e3779b1 >> (32 - tableLog) }

// Sample says what is common in the text that will be searched.
type Sample struct {
	seen [1 << tableLog]uint32
}

// Add counts a piece of text.
func (s *Sample) Add(text []byte) {
	for i := 0; i+gram <= len(text); i++ {
		s.seen[hash(binary.LittleEndian.Uint32(text[i:]))]++
	}
}

// counts is a copy, in which New counts on.
func (s *Sample) counts() []uint32 {
	out := make([]uint32, 1<<tableLog)
	if s != nil {
		copy(out, s.seen[:])
	}
	return out
}

// rarest is the place in a text whose two neighbouring hashes are seen least. Of a text that wraps it is in its
// longest word, so that the line on which it is found does not hang on the sample.
func rarest(lower string, wraps bool, seen []uint32) int {
	from, to := 0, len(lower)
	if wraps {
		from, to = longestWord(lower)
	}
	best, least := from, ^uint32(0)
	for at := from; at+window <= to && at < 1<<16-1; at++ {
		if n := seen[hash(load(lower, at))] + seen[hash(load(lower, at+1))]; n < least {
			best, least = at, n
		}
	}
	return best
}

// longestWord is the place of the first of the longest words; of a text of short words, all of it.
func longestWord(lower string) (from, to int) {
	if from, to = word(lower); to-from < window {
		return 0, len(lower)
	}
	return from, to
}

// word is the place of the first of the longest words.
func word(lower string) (from, to int) {
	start := 0
	for i := 0; i <= len(lower); i++ {
		if i < len(lower) && !blank(lower[i]) {
			continue
		}
		if i-start > to-from {
			from, to = start, i
		}
		start = i + 1
	}
	return from, to
}

func blank(c byte) bool { return c == ' ' || (c >= '\t' && c <= '\r') }

var lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()
