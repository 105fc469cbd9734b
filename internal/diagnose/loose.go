package diagnose

import "cupel/internal/signature"

// looseMost is how many matches of a project's own pattern are kept.
const looseMost = 32

// tryLoose tries the patterns that no literal calls for, on the lines that are kept.
func (s *Seen) tryLoose(all []*signature.Compiled) {
	for _, c := range all {
		n := 0
		s.Log.EachPiece(func(line, piece int, text string) bool {
			if captures, ok := c.Match(text); ok {
				s.Matches = append(s.Matches, Match{Signature: c.Signature, Line: line, Piece: piece, Text: text, Captures: captures, Count: 1, Last: line})
				n++
			}
			return n < looseMost
		})
	}
}
