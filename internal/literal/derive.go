package literal

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// Shortest is the length below which a literal tells too little to look for.
const Shortest = 5

// Derive names literals of which at least one stands in every text that the expression matches, with ASCII
// letters in lower case. ok is false when there are no such, or only ones that are too short. (Without regard to
// case, k and s also match the Kelvin sign and the long s: those are no letters of a log.)
func Derive(expr string) (literals []string, ok bool) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, false
	}
	re = re.Simplify()
	for _, most := range []int{few, many} {
		d := &deriver{most: most, exact: map[*syntax.Regexp][]string{}}
		if literals = least(d.need(re)); shortest(literals) >= Shortest {
			return literals, true
		}
	}
	return literals, false
}

// How many spellings of one stretch of text are worth while: few, and many where few do not do.
const (
	few  = 16
	many = 64
)

// deriver finds the literals of one expression.
type deriver struct {
	most  int
	exact map[*syntax.Regexp][]string // what exactly gave
}

// least leaves out members that hold another one: where they stand, that stands too.
func least(set []string) []string {
	var out []string
	for i, s := range set {
		if !slices.ContainsFunc(set[:i], func(o string) bool { return strings.Contains(s, o) }) &&
			!slices.ContainsFunc(set[i+1:], func(o string) bool { return o != s && strings.Contains(s, o) }) {
			out = append(out, s)
		}
	}
	return out
}

// need is the best set of literals for a node: the set whose weakest member tells most.
func (d *deriver) need(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{longest(re)}
	case syntax.OpCapture, syntax.OpPlus:
		return d.need(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return d.need(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		var most strength
		for _, set := range d.runs(re.Sub) {
			if m := measure(set); m.above(most) {
				best, most = set, m
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			set := d.need(sub)
			if len(set) == 0 {
				return nil
			}
			all = append(all, set...)
		}
		return all
	}
	return nil
}

// rare is a number of characters that hardly ever stand somewhere by chance: more of them filter no better, and
// fewer members do.
const rare = 9

// strength is how well a set filters.
type strength struct {
	usable  bool // no member is too short
	rare    int  // characters of its weakest member that are not in common words
	members int
	length  int // of its shortest member
}

func measure(set []string) strength {
	if len(set) == 0 {
		return strength{}
	}
	n := shortest(set)
	return strength{n >= Shortest, min(rare, weakest(set)), len(set), n}
}

func (s strength) above(t strength) bool {
	switch {
	case s.usable != t.usable:
		return s.usable
	case s.rare != t.rare:
		return s.rare > t.rare
	case s.members != t.members:
		return s.members < t.members
	}
	return s.length > t.length
}

// common are words that stand on many lines of a build that goes well.
var common = []string{"warning", "error", "include", "compile", "missing", "expected", "failed", "cannot", "could not", "library", "object", "found", "version", "build", "install", "target", "/usr/", "/lib", "file"}

// weakest is how many characters of a set's weakest member are not in common words.
func weakest(set []string) int {
	least := 1 << 20
	for _, s := range set {
		n := len(s)
		for _, w := range common {
			if n < rare {
				break
			}
			n -= len(w) * strings.Count(s, w)
		}
		least = min(least, n)
	}
	return least
}

func shortest(set []string) int {
	if len(set) == 0 {
		return 0
	}
	n := len(set[0])
	for _, s := range set {
		n = min(n, len(s))
	}
	return n
}
