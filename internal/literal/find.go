package literal

import "encoding/binary"

// Find calls hit for each place where a text stands whose telling part begins in p[from:to], with that part's
// place and the number of the text. What stands before from and after to is looked at too, so a text that
// reaches over an end is found.
func (s *Set) Find(p []byte, from, to int, hit func(at, text int)) {
	i := from
	last := min(to, len(p)-gram+1) // one past the last place to look up
	for ; i+4 < last && i+8 <= len(p); i += 6 {
		v := binary.LittleEndian.Uint64(p[i:]) | fold<<32 | fold
		a := s.table[uint32(v)*0x9e3779b1>>(32-tableLog)&(1<<tableLog-1)]
		b := s.table[uint32(v>>16)*0x9e3779b1>>(32-tableLog)&(1<<tableLog-1)]
		c := s.table[uint32(v>>32)*0x9e3779b1>>(32-tableLog)&(1<<tableLog-1)]
		if a|b|c == 0 {
			continue
		}
		s.check(p, i, a, hit)
		s.check(p, i+2, b, hit)
		s.check(p, i+4, c, hit)
	}
	for ; i < last; i += step {
		s.check(p, i, s.table[hash(binary.LittleEndian.Uint32(p[i:]))], hit)
	}
}

// check compares the texts of one table entry at a place.
func (s *Set) check(p []byte, at int, first uint16, hit func(at, text int)) {
	if first == 0 {
		return
	}
	for n := int(first); ; n++ {
		e := s.entries[n]
		if t := &s.texts[e.text]; t.stands(p, at, int(e.offset)) {
			hit(at, int(e.text))
		}
		if e.last {
			return
		}
	}
}

// stands says whether the text is in p, its byte at offset at the place at.
func (t *text) stands(p []byte, at, offset int) bool {
	if t.wraps {
		return t.ahead(p, at, offset) && t.behind(p, at, offset)
	}
	start := at - offset
	if start < 0 || start+len(t.lower) > len(p) {
		return false
	}
	for i, c := range p[start : start+len(t.lower)] {
		if lower[c] != t.lower[i] {
			return false
		}
	}
	return true
}

// ahead compares from the offset on. At a blank of the text the line may end: what follows stands on the next
// one, behind a prefix that is not known here.
func (t *text) ahead(p []byte, at, offset int) bool {
	for i := offset; i < len(t.lower); i++ {
		if at < len(p) && lower[p[at]] == t.lower[i] {
			at++
			continue
		}
		return (t.lower[i] == ' ' || (i > offset && t.lower[i-1] == ' ')) && atEnd(p, at)
	}
	return true
}

// indent is how far from the start of its line a word can stand that was carried over to it.
const indent = 96

// behind compares what stands before the offset: a word near the start of a line may have the words before it
// on the line above.
func (t *text) behind(p []byte, at, offset int) bool {
	for i := offset - 1; i >= 0; i-- {
		at--
		if at >= 0 && lower[p[at]] == t.lower[i] {
			continue
		}
		return (t.lower[i] == ' ' || (i+1 < offset && t.lower[i+1] == ' ')) && nearStart(p, at)
	}
	return true
}

func atEnd(p []byte, at int) bool {
	for ; at < len(p); at++ {
		switch p[at] {
		case ' ', '\t':
		case '\r', '\n':
			return true
		default:
			return false
		}
	}
	return true
}

func nearStart(p []byte, at int) bool {
	for n := 0; n < indent; n++ {
		if at < 0 || p[at] == '\n' || p[at] == '\r' {
			return true
		}
		at--
	}
	return false
}
