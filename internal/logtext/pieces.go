package logtext

import "bytes"

// Pieces calls f with each piece of a text and how many line ends stand before it. A line feed, a carriage
// return and both together end a piece; only line feeds count. Nothing follows the last end.
func Pieces(text []byte, f func(ends int, piece []byte) bool) {
	for ends := 0; len(text) > 0; {
		n := bytes.IndexByte(text, '\n')
		line, rest := text, text[len(text):]
		if n >= 0 {
			line, rest = text[:n], text[n+1:]
		}
		line = bytes.TrimSuffix(line, []byte{'\r'})
		for {
			piece, more, ok := bytes.Cut(line, []byte{'\r'})
			if !f(ends, piece) {
				return
			}
			if !ok {
				break
			}
			line = more
		}
		text = rest
		ends++
	}
}

// Longest is how much of a line is kept.
const Longest = 8 << 10

// Long is the length above which a line is not looked at as a whole: one of a megabyte is a log of its own.
const Long = 2 << 10

// Around gives the piece of a text that holds a place: from its start to its end, each at most reach away.
func Around(text []byte, at, reach int) (from, to int) {
	from, to = at, min(len(text), at+reach)
	for least := max(0, at-reach); from > least && !ends(text[from-1]); {
		from--
	}
	for _, end := range []byte{'\n', '\r'} {
		if n := bytes.IndexByte(text[at:to], end); n >= 0 {
			to = at + n
		}
	}
	return from, to
}

func ends(c byte) bool { return c == '\n' || c == '\r' }

// Before gives the piece that ends before the one that starts at from, of a long one its end; ok is false at the
// start of the text.
func Before(text []byte, from int) (start, end int, ok bool) {
	if from == 0 || !ends(text[from-1]) {
		return 0, 0, false
	}
	end = from - 1
	if text[end] == '\n' && end > 0 && text[end-1] == '\r' {
		end--
	}
	start, _ = Around(text, end, Long)
	return start, end, true
}

// After gives the piece that follows the one that ends at to, of a long one its start; ok is false at the end of
// the text.
func After(text []byte, to int) (start, end int, ok bool) {
	if to >= len(text) || !ends(text[to]) {
		return 0, 0, false
	}
	start = to + 1
	if text[to] == '\r' && start < len(text) && text[start] == '\n' {
		start++
	}
	_, end = Around(text, start, Long)
	return start, end, start < len(text)
}
