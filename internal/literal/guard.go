package literal

import (
	"bytes"
	"regexp/syntax"
	"slices"
)

// Guard says cheaply that an expression cannot match a text: every one of its clauses must hold.
type Guard struct {
	clauses []clause
	best    []string // of which one must stand in a text, as Derive finds them, however short
}

// clause holds where one of its texts stands, or one of its branches lets the text through.
type clause struct {
	texts    [][]byte
	branches []*Guard
}

// NewGuard makes the guard of an expression. One without literals lets everything through. With words, a literal
// may be torn at its blanks: only its longest word is looked for.
func NewGuard(expr string, words bool) *Guard {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return &Guard{}
	}
	re = re.Simplify()
	d := &deriver{most: few, exact: map[*syntax.Regexp][]string{}}
	g := &Guard{best: d.need(re)}
	g.add(d, re, words)
	return g
}

// add puts the clauses of a node.
func (g *Guard) add(d *deriver, re *syntax.Regexp, words bool) {
	for re.Op == syntax.OpCapture || re.Op == syntax.OpPlus {
		re = re.Sub[0]
	}
	switch re.Op {
	case syntax.OpConcat:
		for _, set := range d.runs(re.Sub) {
			g.put(set, words)
		}
		for _, sub := range re.Sub {
			if sub.Op != syntax.OpLiteral && d.exactly(sub) == nil {
				g.add(d, sub, words)
			}
		}
	case syntax.OpAlternate:
		var c clause
		for _, sub := range re.Sub {
			branch := &Guard{}
			branch.add(d, sub, words)
			if len(branch.clauses) == 0 {
				return
			}
			c.branches = append(c.branches, branch)
		}
		g.clauses = append(g.clauses, c)
	default:
		g.put(d.need(re), words)
	}
}

// put adds a set of which one literal must stand in the text.
func (g *Guard) put(set []string, words bool) {
	if shortest(set) == 0 {
		return
	}
	var c clause
	for _, s := range set {
		if words {
			from, to := word(s)
			s = s[from:to]
		}
		if s == "" {
			return
		}
		c.texts = append(c.texts, []byte(s))
	}
	g.clauses = append(g.clauses, c)
}

// Lets says that a text may match. It must be in lower case, as Lower or AppendLower make it.
func (g *Guard) Lets(lower []byte) bool {
	for i := range g.clauses {
		if !g.clauses[i].holds(lower) {
			return false
		}
	}
	return true
}

func (c *clause) holds(lower []byte) bool {
	for _, t := range c.texts {
		if bytes.Contains(lower, t) {
			return true
		}
	}
	for _, b := range c.branches {
		if b.Lets(lower) {
			return true
		}
	}
	return false
}

// AppendLower appends a text with its ASCII letters in lower case.
func AppendLower[T string | []byte](dst []byte, text T) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(text))[:n+len(text)]
	for i := range len(text) {
		dst[n+i] = lower[text[i]]
	}
	return dst
}

// Lower folds ASCII letters and leaves all other bytes.
func Lower(s string) string {
	for i := range len(s) {
		if lower[s[i]] != s[i] {
			return string(AppendLower(make([]byte, 0, len(s)), s))
		}
	}
	return s
}
