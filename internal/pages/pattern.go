package pages

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// extended writes an RE2 pattern as an extended regular expression that grep, sed and .NET read alike, and says
// which group holds the value (0: the whole match). ok is false for what they do not share: lazy repeats, case
// folding, word boundaries, letters beyond ASCII.
func extended(pattern string) (ere string, group int, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", 0, false
	}
	w := &ereWriter{}
	w.write(re)
	return w.String(), w.first, !w.bad && w.Len() > 0
}

type ereWriter struct {
	strings.Builder
	groups int // parentheses opened so far
	first  int // the number of the first one that captures in the pattern
	bad    bool
}

// open counts a parenthesis: there are no others in an extended expression than those that capture.
func (w *ereWriter) open() int {
	w.groups++
	w.WriteByte('(')
	return w.groups
}

func (w *ereWriter) write(re *syntax.Regexp) {
	if re.Flags&(syntax.FoldCase) != 0 && re.Op == syntax.OpLiteral {
		w.bad = true
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.letter(r)
		}
	case syntax.OpCharClass:
		w.class(re.Rune)
	case syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		w.WriteByte('.')
	case syntax.OpBeginText, syntax.OpBeginLine:
		w.WriteByte('^')
	case syntax.OpEndText, syntax.OpEndLine:
		w.WriteByte('$')
	case syntax.OpCapture:
		n := w.open()
		if re.Cap == 1 {
			w.first = n
		}
		w.write(re.Sub[0])
		w.WriteByte(')')
	case syntax.OpConcat:
		for _, s := range re.Sub {
			w.write(s)
		}
	case syntax.OpAlternate:
		w.alternate(re.Sub)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		w.repeat(re)
	default:
		w.bad = true
	}
}

func (w *ereWriter) letter(r rune) {
	switch {
	case r < ' ' || r > '~':
		w.bad = true
	case strings.ContainsRune(`\.+*?()|[]{}^$`, r):
		w.WriteByte('\\')
		w.WriteRune(r)
	default:
		w.WriteRune(r)
	}
}

func (w *ereWriter) alternate(list []*syntax.Regexp) {
	w.open()
	for i, s := range list {
		if i > 0 {
			w.WriteByte('|')
		}
		w.write(s)
	}
	w.WriteByte(')')
}

func (w *ereWriter) repeat(re *syntax.Regexp) {
	if re.Flags&syntax.NonGreedy != 0 {
		w.bad = true
		return
	}
	sub := re.Sub[0]
	single := sub.Op == syntax.OpCharClass || sub.Op == syntax.OpAnyCharNotNL || sub.Op == syntax.OpAnyChar || sub.Op == syntax.OpCapture ||
		sub.Op == syntax.OpLiteral && len(sub.Rune) == 1
	if !single {
		w.open()
	}
	w.write(sub)
	if !single {
		w.WriteByte(')')
	}
	switch re.Op {
	case syntax.OpStar:
		w.WriteByte('*')
	case syntax.OpPlus:
		w.WriteByte('+')
	case syntax.OpQuest:
		w.WriteByte('?')
	default:
		w.WriteString(count(re.Min, re.Max))
	}
}

func count(low, high int) string {
	switch high {
	case -1:
		return fmt.Sprintf("{%d,}", low)
	case low:
		return fmt.Sprintf("{%d}", low)
	}
	return fmt.Sprintf("{%d,%d}", low, high)
}

// class writes the letters of a class that can be printed, its other end cut at ASCII: a class that leaves letters
// out ([^"]) reaches far beyond it, and then the complement is written.
func (w *ereWriter) class(ranges []rune) {
	if len(ranges) == 0 {
		w.bad = true
		return
	}
	negated := ranges[len(ranges)-1] == 0x10FFFF
	if negated {
		ranges = complement(ranges)
	}
	w.WriteByte('[')
	if negated {
		w.WriteByte('^')
	}
	w.WriteString(members(ranges, &w.bad))
	w.WriteByte(']')
}

func complement(ranges []rune) []rune {
	var out []rune
	next := rune(0)
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] > next {
			out = append(out, next, ranges[i]-1)
		}
		next = ranges[i+1] + 1
	}
	return out
}

// members lists a class. POSIX has no escape in it, .NET takes \ and [ for one: a class with \ is left out, ] stands
// first, ^ and - last. White space beyond blank is told apart by nobody on one line.
func members(ranges []rune, bad *bool) string {
	var plain strings.Builder
	front, back := "", ""
	for i := 0; i < len(ranges); i += 2 {
		low, high := ranges[i], ranges[i+1]
		if high < ' ' {
			if high >= '\t' && low <= '\t' {
				plain.WriteByte('\t')
			}
			continue
		}
		if low < ' ' || high > '~' || low <= '\\' && high >= '\\' || low <= '[' && high >= '[' {
			*bad = true
			return ""
		}
		if high-low > 2 && !(low <= ']' && high >= ']') && !(low <= '^' && high >= '^') && !(low <= '-' && high >= '-') {
			plain.WriteRune(low)
			plain.WriteByte('-')
			plain.WriteRune(high)
			continue
		}
		for r := low; r <= high; r++ {
			switch r {
			case ']':
				*bad = true // POSIX wants it first, .NET wants it escaped
			case '^', '-':
				back += string(r)
			default:
				plain.WriteRune(r)
			}
		}
	}
	if plain.Len() == 0 && strings.HasPrefix(back, "^") {
		*bad = true
	}
	if plain.Len() == 0 && back == "" {
		*bad = true
	}
	return front + plain.String() + back
}
