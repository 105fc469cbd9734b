package literal

import "bytes"

// Filter says which of many expressions may match a line, without trying any.
type Filter struct {
	guards []*Guard
	long   *Set
	wanted [][]int // of each long literal: expressions
	short  []short
	always []int // expressions without a literal
}

// short is a literal that is too short for a Set.
type short struct {
	text   []byte
	wanted []int
}

// NewFilter makes a filter of expressions. The sample is text like the lines that will be asked about.
func NewFilter(exprs []string, sample *Sample) *Filter {
	f := &Filter{}
	var texts []string
	at, shortAt := map[string]int{}, map[string]int{}
	for i, expr := range exprs {
		g := NewGuard(expr, false)
		f.guards = append(f.guards, g)
		if shortest(g.best) == 0 {
			f.always = append(f.always, i)
			continue
		}
		for _, t := range least(g.best) {
			if len(t) < Shortest {
				if _, ok := shortAt[t]; !ok {
					shortAt[t] = len(f.short)
					f.short = append(f.short, short{text: []byte(t)})
				}
				s := &f.short[shortAt[t]]
				s.wanted = append(s.wanted, i)
				continue
			}
			if _, ok := at[t]; !ok {
				at[t] = len(texts)
				texts = append(texts, t)
				f.wanted = append(f.wanted, nil)
			}
			f.wanted[at[t]] = append(f.wanted[at[t]], i)
		}
	}
	f.long = New(texts, nil, sample)
	return f
}

// Lines asks a filter about lines, one after the other.
type Lines struct {
	f     *Filter
	lower []byte
	seen  []int // of each expression: the line it was called for last
	line  int
	hits  []int
}

// Lines starts with the first line.
func (f *Filter) Lines() *Lines { return &Lines{f: f, seen: make([]int, len(f.guards))} }

// May lists the expressions that may match a line. The list is good until the next call; its order is that of
// their literals in the line.
func (l *Lines) May(text string) []int {
	l.line++
	l.hits = l.hits[:0]
	l.lower = AppendLower(l.lower[:0], text)
	l.f.long.Find(l.lower, 0, len(l.lower), func(_, t int) { l.call(l.f.wanted[t]) })
	for i := range l.f.short {
		if s := &l.f.short[i]; bytes.Contains(l.lower, s.text) {
			l.call(s.wanted)
		}
	}
	l.call(l.f.always)
	return l.hits
}

func (l *Lines) call(exprs []int) {
	for _, e := range exprs {
		if l.seen[e] != l.line {
			l.seen[e] = l.line
			if l.f.guards[e].Lets(l.lower) {
				l.hits = append(l.hits, e)
			}
		}
	}
}
