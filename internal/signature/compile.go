package signature

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"cupel/internal/literal"
	"cupel/internal/pattern"
)

// Set is signatures made ready for a log: every pattern with the literals of which one must stand on a line
// before its expression is tried.
type Set struct {
	Patterns []*Compiled
	Literals []string // each once
	Wanted   [][]int  // the patterns that each literal calls for
	Numbered []bool   // of each literal: it calls for patterns of ByCode whose number stands on the line
	ByCode   map[int][]int

	// Loose are a project's patterns without any literal to look for: they are tried on every line that is kept.
	Loose []*Compiled
}

// Compiled is one pattern of one signature. Its expression is compiled when the first line asks for it.
type Compiled struct {
	Signature *Signature
	Pattern   Pattern
	expr      string
	match     *pattern.Pattern
	unless    func() forbids
}

// part is one pattern on its way into a set.
type part struct {
	compiled *Compiled
	literals []string
	err      error
}

// Compile makes a set: rows of a project come before all others.
func Compile(all []*Signature) (*Set, error) {
	set := &Set{ByCode: map[int][]int{}}
	at := map[string]int{}
	place := func(literal string) int {
		if _, ok := at[literal]; !ok {
			at[literal] = len(set.Literals)
			set.Literals = append(set.Literals, literal)
			set.Wanted, set.Numbered = append(set.Wanted, nil), append(set.Numbered, false)
		}
		return at[literal]
	}
	parts := make([][]part, len(all))
	together(len(all), func(i int) {
		for _, p := range all[i].Patterns {
			c, literals, err := compile(all[i], p)
			parts[i] = append(parts[i], part{c, literals, err})
		}
	})
	for n, s := range all {
		for i, p := range parts[n] {
			c, literals, err := p.compiled, p.literals, p.err
			if err != nil {
				return nil, fmt.Errorf("signature %s, pattern %d: %w", s.ID, i+1, err)
			}
			if len(literals) == 0 {
				set.Loose = append(set.Loose, c)
				continue
			}
			for _, l := range literals {
				n := place(l)
				set.Wanted[n] = append(set.Wanted[n], len(set.Patterns))
			}
			if c.Pattern.byNumber() {
				set.ByCode[c.Pattern.Code] = append(set.ByCode[c.Pattern.Code], len(set.Patterns))
			}
			set.Patterns = append(set.Patterns, c)
		}
	}
	if len(set.ByCode) > 0 {
		literals, ok := literalsOf(numbersExpr())
		if !ok {
			return nil, fmt.Errorf("the numbers of CUDA errors have no literals")
		}
		for _, l := range literals {
			set.Numbered[place(l)] = true
		}
	}
	return set, nil
}

func compile(s *Signature, p Pattern) (*Compiled, []string, error) {
	expr, err := p.Expr()
	if err != nil {
		return nil, nil, err
	}
	literals, ok := literalsOf(p.calling(expr))
	if !ok && s.Project {
		literals = nil
	} else if !ok {
		return nil, nil, fmt.Errorf("%q has no literal of %d characters or more that every match holds", expr, literal.Shortest)
	}
	if p.Code != 0 {
		p.Unless = strings.Trim(p.Unless+"|"+codeUnless, "|")
	}
	c := &Compiled{Signature: s, Pattern: p, expr: expr, match: pattern.New(expr)}
	c.unless = sync.OnceValue(func() forbids { return newForbids(p.Unless) })
	return c, literals, nil
}

// Expr is the pattern as a regular expression.
func (p Pattern) Expr() (string, error) {
	switch {
	case p.Literal != "":
		return regexp.QuoteMeta(p.Literal), nil
	case p.Regex != "":
		return p.Regex, nil
	case p.Code != 0:
		return codeExpr(p.Code)
	}
	return "", fmt.Errorf("a pattern needs literal, regex or code")
}

// byNumber says that the pattern's numbers are looked up: no literal of theirs calls for it.
func (p Pattern) byNumber() bool {
	return p.Code != 0 && p.Literal == "" && p.Regex == "" && p.Lines <= 1
}

// calling is the part of the pattern's expression whose literals call for it.
func (p Pattern) calling(expr string) string {
	if p.byNumber() {
		return wordsExpr(p.Code)
	}
	return expr
}

// Match tries the pattern on a text and gives its captures; ok is false where it does not match.
func (c *Compiled) Match(text string) (captures map[string]string, ok bool) {
	found := c.match.FindStringSubmatch(text)
	if found == nil || c.unless().match(text) {
		return nil, false
	}
	captures = map[string]string{}
	for i, name := range c.match.SubexpNames() {
		if name != "" && found[i] != "" {
			captures[name] = found[i]
		}
	}
	return captures, true
}
