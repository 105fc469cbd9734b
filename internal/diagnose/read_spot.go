package diagnose

import "bytes"

// spot is where a piece of a log stands: its line, and which piece of the line it is.
type spot struct{ line, piece int }

// over is the place that is reached behind text[from:to].
func (p spot) over(text []byte) spot {
	if n := bytes.LastIndexByte(text, '\n'); n >= 0 {
		p.line += bytes.Count(text, []byte{'\n'})
		p.piece, text = 0, text[n+1:]
	}
	p.piece += bytes.Count(text, []byte{'\r'})
	return p
}

// then is the place that another one, counted from this one, stands for.
func (p spot) then(from spot) spot {
	if from.line == 0 {
		return spot{p.line, p.piece + from.piece}
	}
	return spot{p.line + from.line, from.piece}
}

// walk goes over the pieces of a text, from a place to an end.
type walk struct {
	text   []byte
	at, to int
	feed   int // the next line feed, or to: where no other end comes before, the search for it is long
}

// next gives the piece at hand and goes on to the one behind it.
func (s *walk) next() (start, end int) {
	if s.feed < s.at || s.feed == 0 {
		s.feed = s.to
		if n := bytes.IndexByte(s.text[s.at:s.to], '\n'); n >= 0 {
			s.feed = s.at + n
		}
	}
	start, end = s.at, s.feed
	s.at = min(s.to, s.feed+1)
	if n := bytes.IndexByte(s.text[start:end], '\r'); n >= 0 && start+n+1 < s.feed {
		end = start + n
		s.at = end + 1
	} else if n >= 0 {
		end = start + n
	}
	return start, end
}

// held is a block whose text can still be kept.
type held struct {
	*block
	at    int  // what stands before is kept, or lost for good
	place spot // of it
}

// back goes up to n pieces back from a place, at most to what is kept; missing is how many pieces there are too few.
func (h *held) back(at, n int) (from, missing int) {
	for from = at; ; n-- {
		for from > h.at && h.text[from-1] != '\n' && h.text[from-1] != '\r' {
			from--
		}
		if from <= h.at || n == 0 {
			return max(from, h.at), n
		}
		from--
		if h.text[from] == '\n' && from > h.at && h.text[from-1] == '\r' {
			from--
		}
	}
}

// forward goes to the end of the nth piece behind the one at a place; missing is how many there are too few.
func (h *held) forward(at, n int) (end, missing int) {
	for s := (walk{text: h.text, at: at, to: h.to}); ; n-- {
		if s.next(); s.at >= h.to || n == 0 {
			return s.at, n
		}
	}
}
