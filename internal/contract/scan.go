package contract

import (
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// deepest is how many tables and lists may lie in one another; the format needs six. most is how many keys and items
// there may be: the TOML reader compares each key with all others of its table.
const (
	deepest = 16
	most    = 20_000
)

// scanner walks the expressions of the file once and notes where each key stands. What the values are is read
// by the TOML reader itself: this only follows the same names.
type scanner struct {
	*source
	parser unstable.Parser
	table  string         // the open table
	depth  int            // of the open table
	count  map[string]int // of [[tables]]
	stop   *problem
	last   int // offset of the last key met: lists have none of their own
}

// scan fills the places, as far as the text is TOML. It stops at what no contract has.
func (s *source) scan() *problem {
	sc := &scanner{source: s, count: map[string]int{}}
	sc.parser.Reset(s.data)
	for sc.stop == nil && sc.parser.NextExpression() {
		sc.expression(sc.parser.Expression())
	}
	return sc.stop
}

func (sc *scanner) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.KeyValue:
		sc.keyValue(sc.table, sc.depth, n)
	case unstable.Table, unstable.ArrayTable:
		sc.header(n, n.Kind == unstable.ArrayTable)
	}
}

// header opens a table. A part that names a list of tables means its last one.
func (sc *scanner) header(n *unstable.Node, list bool) {
	path := ""
	sc.depth = 0
	var last *unstable.Node
	for it := n.Key(); it.Next(); {
		last = it.Node()
		path = join(path, string(last.Data))
		if sc.tooDeep(&sc.depth, last) {
			return
		}
		if end := it.IsLast(); !end {
			sc.imply(path, last)
			if sc.count[path] > 0 {
				path = item(path, sc.count[path]-1)
			}
		}
	}
	if list {
		sc.imply(path, last)
		sc.count[path]++
		path = item(path, sc.count[path]-1)
	}
	sc.add(path, place{key: begin(last), keyEnd: end(last), val: begin(last), valEnd: end(last), header: true})
	sc.table = path
}

func (sc *scanner) keyValue(table string, depth int, n *unstable.Node) {
	path := table
	var last *unstable.Node
	for it := n.Key(); it.Next(); {
		if last != nil {
			sc.imply(path, last)
		}
		last = it.Node()
		path = join(path, string(last.Data))
		if sc.tooDeep(&depth, last) {
			return
		}
	}
	p := place{key: begin(last), keyEnd: end(last), valEnd: int(n.Raw.Offset + n.Raw.Length)}
	p.val = sc.valueStart(n.Value(), p)
	sc.add(path, p)
	sc.value(path, depth, n.Value())
}

// valueStart is right behind the equals sign for lists, for which the parser does not tell.
func (sc *scanner) valueStart(v *unstable.Node, p place) int {
	if v.Raw.Length > 0 {
		return begin(v)
	}
	i := p.keyEnd
	for i < p.valEnd && sc.data[i] != '=' {
		i++
	}
	for i++; i < p.valEnd && (sc.data[i] == ' ' || sc.data[i] == '\t'); i++ {
	}
	return min(i, p.valEnd)
}

// value goes on into lists and inline tables.
func (sc *scanner) value(path string, depth int, v *unstable.Node) {
	i := 0
	for it := v.Children(); (v.Kind == unstable.Array || v.Kind == unstable.InlineTable) && it.Next() && sc.stop == nil; i++ {
		child := it.Node()
		if v.Kind == unstable.InlineTable {
			sc.keyValue(path, depth, child)
			continue
		}
		d := depth
		if sc.tooDeep(&d, child) {
			return
		}
		if child.Raw.Length > 0 {
			sc.add(item(path, i), place{key: begin(child), keyEnd: end(child), val: begin(child), valEnd: sc.close(child)})
		}
		sc.value(item(path, i), d, child)
	}
}

// close is where a value ends. Of an inline table the parser tells only where it begins.
func (sc *scanner) close(n *unstable.Node) int {
	i := end(n)
	if n.Kind != unstable.InlineTable {
		return i
	}
	for it := n.Children(); it.Next(); {
		i = end(it.Node())
	}
	for comment := false; i < len(sc.data) && (comment || sc.data[i] != '}'); i++ {
		comment = (comment || sc.data[i] == '#') && sc.data[i] != '\n'
	}
	return min(i+1, len(sc.data))
}

func (sc *scanner) tooDeep(depth *int, n *unstable.Node) bool {
	*depth++
	if n.Raw.Length > 0 {
		sc.last = begin(n)
	}
	if *depth > deepest {
		sc.stop = &problem{id: "contract-syntax", from: sc.last, to: sc.last + 1, what: fmt.Sprintf("tables and lists lie more than %d deep in one another", deepest),
			why: "no key of a contract lies that deep", next: note("see docs/formats/contract.md for the tables there are")}
	}
	return *depth > deepest
}

// imply notes a table that is only named on the way.
func (sc *scanner) imply(path string, n *unstable.Node) {
	if _, ok := sc.places[path]; !ok {
		sc.add(path, place{key: begin(n), keyEnd: end(n), val: begin(n), valEnd: end(n), implied: true})
	}
}

// add notes a place and tells when the key was given before.
func (sc *scanner) add(path string, p place) {
	old, there := sc.places[path]
	if there && !old.implied && !p.implied {
		if len(sc.twice) == shown {
			return
		}
		sc.twice = append(sc.twice, problem{id: "contract-duplicate-key", from: p.key, to: p.keyEnd,
			what: fmt.Sprintf("%s is given twice", path),
			why:  fmt.Sprintf("it stands at %s already, and only one of them can hold", sc.pos(old.key)),
			next: note("remove one of the two, or put what they say into one")})
		return
	}
	if len(sc.order) == most {
		sc.stop = &problem{id: "contract-too-large", from: p.key, to: p.keyEnd, what: fmt.Sprintf("the contract has more than %d keys and items", most),
			why: "no project needs more", next: note("give the contract itself: a short text with cupel = %d first", Format)}
		return
	}
	if !there {
		sc.order = append(sc.order, path)
	}
	sc.places[path] = p
}

func begin(n *unstable.Node) int { return int(n.Raw.Offset) }
func end(n *unstable.Node) int   { return int(n.Raw.Offset + n.Raw.Length) }
