package remedy

import (
	"container/heap"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// part is a side of a machine on which a plan can decide. They are decided in this order, because what a compiler
// or driver must be follows from the toolkit.
type part int

const (
	partToolkit part = iota
	partCompiler
	partDriver
	parts
)

var partOf = map[string]part{"toolkit": partToolkit, "compiler": partCompiler, "driver": partDriver}

// option is one decision on one part.
type option struct {
	key   string // equal keys make equal machines
	cost  weight
	apply func(*verify.Input) // nil: leaves everything as it is
	offer *offer              // what must be got for it; nil: nothing
	alts  []offer
	use   bool // it must be chosen: cupel env
}

// node is a machine on the way: the decisions so far and what they cost.
type node struct {
	picked []option
	cost   weight
	extras []extra // what is left to do by hand, at the goal
	stays  []verify.Check
	in     verify.Input
}

func (n *node) key() string {
	var keys []string
	for _, o := range n.picked {
		keys = append(keys, o.key)
	}
	return strings.Join(keys, "|")
}

// search is one question: from this machine to this contract.
type search struct {
	in      verify.Input
	now     []verify.Check // what fails before anything is done
	blamed  map[string]verify.Check
	options [parts]func(verify.Input) []option

	shelf     *shelf // what cupel can bring; nil: not looked up yet
	userSpace bool

	newestClash version.V // the newest toolkit that the C library keeps out

	bare *contract.Contract // without what is settled at the end: judging it on the way costs time and tells nothing
}

func newSearch(in verify.Input, now []verify.Check) *search {
	bare := *in.Contract
	bare.Env, bare.Arch.Env, bare.Pins = contract.Env{}, nil, nil
	s := &search{in: in, now: now, blamed: map[string]verify.Check{}, bare: &bare}
	s.options = [parts]func(verify.Input) []option{s.toolkits, s.compilers, s.drivers}
	return s
}

// run searches by uniform cost: the first goal is the cheapest. With all it goes on for plans that are better in
// another way.
func (s *search) run(all bool) []*node {
	var goals []*node
	seen := map[string]bool{}
	queue := &frontier{{in: s.in}}
	for queue.Len() > 0 {
		n := heap.Pop(queue).(*node)
		if key := n.key(); seen[key] || worse(n, goals) {
			continue
		} else {
			seen[key] = true
		}
		if !s.alive(n) {
			continue
		}
		if len(n.picked) == int(parts) {
			if goals = append(goals, n); !all {
				return goals
			}
			continue
		}
		for _, o := range s.options[len(n.picked)](n.in) {
			heap.Push(queue, n.with(o))
		}
	}
	return goals
}

func (n *node) with(o option) *node {
	next := &node{picked: append(n.picked[:len(n.picked):len(n.picked)], o), cost: n.cost.plus(o.cost), in: n.in}
	if o.apply != nil {
		o.apply(&next.in)
	}
	return next
}

// worse: a plan that was found is as good on every axis.
func worse(n *node, goals []*node) bool {
	for _, g := range goals {
		if n.cost.dominated(g.cost) {
			return true
		}
	}
	return false
}

// alive judges the machine of a node. It is dead when a check fails that nothing left to decide can change. At
// the goal what remains becomes steps of its own.
func (s *search) alive(n *node) bool {
	done := part(len(n.picked))
	in := n.in
	if done < parts {
		in.Contract = s.bare
	}
	left := s.judge(in)
	ok := true
	var rest []verify.Check
	for _, c := range left {
		switch by := settledBy(c.ID); {
		case by == "nothing":
			ok = s.blame(c)
		case by == "toolkit" || by == "compiler" || by == "driver":
			if partOf[by] < done {
				ok = s.blame(c)
			}
		default:
			rest = append(rest, c)
		}
	}
	if !ok || done < parts {
		return ok && (done > 0 || !s.hopeless(left))
	}
	return s.finish(n, rest)
}

// hopeless sees at the start what the search would find out in the end: a check that only a driver settles, on a
// machine that can be given none.
func (s *search) hopeless(left []verify.Check) bool {
	for _, c := range left {
		for _, row := range data.AllRemedies().Settles {
			if row.By == "driver" && slices.Contains(row.Alone, c.ID) && !drivable(s.in.Machine) {
				return !s.blame(c)
			}
		}
	}
	return false
}

// blame remembers why a machine was given up. It is always false, for the caller's sake.
func (s *search) blame(c verify.Check) bool {
	if _, ok := s.blamed[c.ID]; !ok {
		s.blamed[c.ID] = c
	}
	return false
}

func (s *search) judge(in verify.Input) []verify.Check {
	in.NoRules = true
	return failing(verify.Judge(in), in.Strict)
}

// settledBy says what a check is about, by the table. What stands in no row is a rule of the doctor's.
func settledBy(id string) string {
	for _, row := range data.AllRemedies().Settles {
		if verify.Match(row.Checks, id) {
			return row.By
		}
	}
	return "advice"
}

// frontier is the queue of machines, the cheapest first.
type frontier []*node

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].cost.compare(f[j].cost) < 0 }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(*node)) }
func (f *frontier) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}
