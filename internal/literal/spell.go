package literal

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// longest is the longest stretch of a literal that is spelled in one way, but for the case of ASCII letters.
func longest(re *syntax.Regexp) string {
	best, start := "", 0
	for i, r := range re.Rune {
		if re.Flags&syntax.FoldCase == 0 || r <= unicode.MaxASCII || unicode.SimpleFold(r) == r {
			continue
		}
		if s := string(re.Rune[start:i]); len(s) > len(best) {
			best = s
		}
		start = i + 1
	}
	if s := string(re.Rune[start:]); len(s) > len(best) {
		best = s
	}
	return Lower(best)
}

// runs finds the sets of a sequence: neighbours that are exact texts are joined, so that "(sm|compute)_90"
// gives whole words and not their parts, also with the first and last texts of what is not exact.
func (d *deriver) runs(subs []*syntax.Regexp) [][]string {
	var out [][]string
	var open []string // the exact texts so far
	for _, sub := range subs {
		exact := d.exactly(sub)
		if exact != nil && (alone(open, exact) || alone(exact, open)) {
			out, open = append(out, open), exact
			continue
		}
		if exact != nil && len(open)*len(exact) <= d.most {
			open = product(open, exact)
			continue
		}
		if start := d.edge(sub, true); start != nil && max(1, len(open))*len(start) <= d.most {
			open = product(open, start)
		}
		out = append(out, open, d.need(sub))
		open = d.edge(sub, false)
	}
	return append(out, open)
}

// alone says that a set filters well enough without its neighbour, which would make many spellings of each text.
func alone(set, neighbour []string) bool {
	return len(set) > 0 && shortest(set) >= rare && len(neighbour) > 3
}

// edge lists exact texts with one of which every match starts, or ends; nil when there are none.
func (d *deriver) edge(re *syntax.Regexp, start bool) []string {
	if exact := d.exactly(re); exact != nil {
		return exact
	}
	switch re.Op {
	case syntax.OpPlus:
		if re.Sub[0].Op == syntax.OpCharClass {
			return nil // mostly blanks: they tell nothing
		}
		return d.edge(re.Sub[0], start)
	case syntax.OpCapture:
		return d.edge(re.Sub[0], start)
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			in := d.edge(sub, start)
			if in == nil || len(out)+len(in) > d.most {
				return nil
			}
			out = append(out, in...)
		}
		return out
	case syntax.OpConcat:
		return d.edgeOf(re.Sub, start)
	}
	return nil
}

// edgeOf joins the texts at one end of a sequence, up to what is not exact.
func (d *deriver) edgeOf(subs []*syntax.Regexp, start bool) []string {
	var out []string
	for i := range subs {
		sub := subs[i]
		if !start {
			sub = subs[len(subs)-1-i]
		}
		in := d.edge(sub, start)
		if in == nil || max(1, len(out))*len(in) > d.most {
			break
		}
		if start {
			out = product(out, in)
		} else {
			out = product(in, out)
		}
		if d.exactly(sub) == nil {
			break
		}
	}
	return out
}

func product(heads, tails []string) []string {
	if len(heads) == 0 {
		return tails
	}
	if len(tails) == 0 {
		return heads
	}
	out := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return out
}

// exactly lists all texts a node can match, nil when they are many.
func (d *deriver) exactly(re *syntax.Regexp) []string {
	texts, ok := d.exact[re]
	if !ok {
		texts = d.spell(re)
		d.exact[re] = texts
	}
	return texts
}

func (d *deriver) spell(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if whole := Lower(string(re.Rune)); longest(re) == whole {
			return []string{whole}
		}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}
	case syntax.OpCapture:
		return d.exactly(re.Sub[0])
	case syntax.OpQuest:
		if in := d.exactly(re.Sub[0]); in != nil && len(in) < d.most {
			return append(slices.Clip(in), "")
		}
	case syntax.OpCharClass:
		return classTexts(re.Rune)
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			in := d.exactly(sub)
			if in == nil || len(out)*len(in) > d.most {
				return nil
			}
			out = product(out, in)
		}
		return out
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			in := d.exactly(sub)
			if in == nil || len(out)+len(in) > d.most {
				return nil
			}
			out = append(out, in...)
		}
		return out
	}
	return nil
}

// classTexts lists a small class of characters, each once in lower case. A line holds no line end.
func classTexts(ranges []rune) []string {
	n := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		n += int(ranges[i+1]-ranges[i]) + 1
	}
	if n > mostInClass {
		return nil
	}
	out := make([]string, 0, n)
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if s := Lower(string(r)); r != '\n' && r != '\r' && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// mostInClass is how many characters of a class are spelled out: ten digits, or six letters in both cases.
const mostInClass = 12
