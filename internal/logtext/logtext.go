// Package logtext turns the bytes of a log into lines a pattern can be tried on: UTF-16 becomes UTF-8, colours
// and the time stamps of CI systems go away, a progress bar's carriage returns end a line. It knows nothing of
// what a line means.
package logtext

import "sort"

// Lines is a stretch of a log: First is the number of its first line, counted from 1 as an editor does. Where
// carriage returns divide a line, its pieces stand one after the other and Numbers has the number of each.
type Lines struct {
	First   int
	Piece   int // of the first line: how many of its pieces stand before this stretch
	Text    []string
	Numbers []int // nil: First, First+1, …
}

// Number is the number of the line at a place.
func (l *Lines) Number(at int) int {
	if l.Numbers != nil {
		return l.Numbers[at]
	}
	return l.First + at
}

// add puts a line at the end; its number is the last one or the next.
func (l *Lines) add(number int, text string) {
	if l.Numbers == nil && number != l.First+len(l.Text) {
		for at := range l.Text {
			l.Numbers = append(l.Numbers, l.First+at)
		}
	}
	if l.Numbers != nil {
		l.Numbers = append(l.Numbers, number)
	}
	l.Text = append(l.Text, text)
}

// find gives the places of a line's pieces, and which piece of the line the first of them is.
func (l *Lines) find(line int) (from, to, piece int) {
	n := len(l.Text)
	from = sort.Search(n, func(at int) bool { return l.Number(at) >= line })
	to = from + sort.Search(n-from, func(at int) bool { return l.Number(from+at) > line })
	if line == l.First {
		piece = l.Piece
	}
	return from, to, piece
}

// Log is what is kept of a log: all of it, or of a long one its head, its tail and what stands around matches,
// in order.
type Log struct {
	Parts []Lines
	Lines int   // in the whole log
	Bytes int64 // read
	Cut   bool  // not all of it is kept

	last, piece int // the place of the last line that was added
}

// Add keeps one more line, or a piece of one. Places never go down.
func (l *Log) Add(line, piece int, text string) {
	follows := line == l.last && piece == l.piece+1 || line == l.last+1 && piece == 0
	l.last, l.piece = line, piece
	if n := len(l.Parts); n > 0 && follows {
		l.Parts[n-1].add(line, text)
		return
	}
	l.Parts = append(l.Parts, Lines{First: line, Piece: piece, Text: []string{text}})
}

// Last stands for the last kept piece of a line.
const Last = -1

// Around gives the kept lines from some before to some after a piece of a line, and the number of the first. Pieces
// count as lines.
func (l *Log) Around(line, piece, before, after int) (first int, lines []string) {
	for i := len(l.Parts) - 1; i >= 0; i-- {
		p := &l.Parts[i]
		from, to, start := p.find(line)
		at := from + piece - start
		if piece == Last {
			at = to - 1
		}
		if at < from || at >= to {
			continue
		}
		from, to = max(0, at-before), min(len(p.Text), at+1+after)
		return p.Number(from), p.Text[from:to]
	}
	return line, nil
}

// Each calls f with every kept line until it says no.
func (l *Log) Each(f func(line int, text string) bool) {
	l.EachPiece(func(line, _ int, text string) bool { return f(line, text) })
}

// EachPiece calls f with every kept piece of a line, counted from 0 in its line, until it says no.
func (l *Log) EachPiece(f func(line, piece int, text string) bool) {
	for i := range l.Parts {
		p := &l.Parts[i]
		piece := p.Piece
		for at, t := range p.Text {
			switch {
			case at == 0:
			case p.Number(at) == p.Number(at-1):
				piece++
			default:
				piece = 0
			}
			if !f(p.Number(at), piece, t) {
				return
			}
		}
	}
}
