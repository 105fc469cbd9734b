package remedy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/verify"
)

// finish turns what is left at the goal into steps of its own: components, variables, edits, and what the doctor
// advises. A check for which there is no step ends the node. The doctor is asked last: that takes the longest.
func (s *search) finish(n *node, rest []verify.Check) bool {
	if open := s.settle(n, rest); len(open) > 0 {
		return s.blame(open[0])
	}
	return s.followsFromSteps(n, s.settle(n, s.stubborn(n)))
}

// settle adds a step for each check and gives back those that have none.
func (s *search) settle(n *node, rest []verify.Check) []verify.Check {
	var open []verify.Check
	for _, c := range rest {
		e, ok := s.remedy(n, c)
		switch {
		case !ok:
			open = append(open, c)
		case e != nil:
			n.extra(*e, c.ID)
		}
	}
	return open
}

// extra is a step that belongs to no part of the search.
type extra struct {
	Step
	offer *offer              // what it takes from the table; nil: nothing
	apply func(*verify.Input) // what it brings; nil: not made up
}

// extra adds a step, or the check to one that is there already.
func (n *node) extra(e extra, id string) {
	i := slices.IndexFunc(n.extras, func(x extra) bool { return x.ID == e.ID })
	if i < 0 {
		n.extras = append(n.extras, e)
		return
	}
	n.extras[i].Fixes = append(n.extras[i].Fixes, id)
}

// followsFromSteps: a rule of the doctor's that fires beside others and has no way out of its own (the driver does
// not answer) is taken to follow from them. On its own it ends the node.
func (s *search) followsFromSteps(n *node, open []verify.Check) bool {
	for _, c := range open {
		if len(n.extras) == 0 || settledBy(c.ID) != "advice" {
			return s.blame(c)
		}
		last := &n.extras[len(n.extras)-1]
		last.Fixes = append(last.Fixes, c.ID)
	}
	return true
}

// stubborn are failures of the doctor's rules that are there now and still there on the hypothetical machine. New
// ones do not count: the machine is made up only as far as the contract's own checks look.
func (s *search) stubborn(n *node) []verify.Check {
	isRule := func(c verify.Check) bool { return settledBy(c.ID) == "advice" }
	if n.in.NoRules || !slices.ContainsFunc(s.now, isRule) {
		return nil
	}
	in := n.in
	if s.use(n) != nil {
		in.Machine.Env = inShell(in.Machine.Env, environment(n))
	}
	var out []verify.Check
	before := s.judge(in)
	for _, c := range failing(verify.Judge(in), in.Strict) {
		same := func(x verify.Check) bool { return x.ID == c.ID && x.Subject == c.Subject }
		if isRule(c) && slices.ContainsFunc(s.now, same) && !slices.ContainsFunc(before, same) {
			out = append(out, c)
		}
	}
	return out
}

// inShell is an environment after cupel env. Lists of folders stay: what is in front of them is no rule's trouble.
func inShell(env map[string]string, set []environ.Var) map[string]string {
	env = maps.Clone(env)
	for _, v := range set {
		if v.Kind == environ.Assign && env != nil {
			env[v.Name] = v.Value
		}
	}
	return env
}

// environment is what cupel env would set for the goal.
func environment(n *node) []environ.Var {
	t := toolkitOf(n.in)
	if t == nil {
		return nil
	}
	req := n.in.Contract.For(n.in.Platform)
	return environ.For(n.in.Machine, *t, environ.Options{Compiler: compilerNamed(n.in), Contract: &req, Root: n.in.Project.Root}).Vars
}

func compilerNamed(in verify.Input) *fact.Compiler {
	for i, c := range in.Machine.Compilers {
		if in.Host != "" && (c.Command == in.Host || c.Path == in.Host) {
			return &in.Machine.Compilers[i]
		}
	}
	return nil
}

// remedy is the step that settles one check; nil when the environment of the last step does.
func (s *search) remedy(n *node, c verify.Check) (e *extra, ok bool) {
	switch settledBy(c.ID) {
	case "env":
		return variable(c, environment(n))
	case "component":
		if e := s.component(n.in, c); e != nil {
			return e, true
		}
	}
	return advised(c)
}

// variable is set by cupel env, or by hand when that does not know it.
func variable(c verify.Check, set []environ.Var) (*extra, bool) {
	if c.ID == "toolkit-active" {
		return nil, true
	}
	for _, v := range set {
		if c.ID == "env-"+contract.Slug(v.Name) {
			return nil, true
		}
	}
	return advised(c)
}

// advised does what the finding itself says next. Questions to cupel change nothing, so they are no step.
func advised(c verify.Check) (*extra, bool) {
	var lines, notes []string
	for _, next := range c.Next {
		if changes(next) {
			lines = append(lines, next.Command)
		}
		if next.Note != "" && (changes(next) || next.Command == "") {
			notes = append(notes, next.Note)
		}
	}
	if len(lines)+len(notes) == 0 {
		return nil, false
	}
	if len(lines) > 0 {
		lines, notes = lines[:1], notes[:min(1, len(notes))] // further ones are other ways
	}
	return byHand(c, lines, strings.Join(notes, "; ")), true
}

// changes says that a command does something. One whose output goes into a file does.
func changes(next finding.Step) bool {
	looks := func(pattern string) bool {
		start, any := strings.CutSuffix(pattern, "*")
		return next.Command == pattern || any && strings.HasPrefix(next.Command, start)
	}
	return next.Command != "" && (strings.Contains(next.Command, " > ") || !slices.ContainsFunc(data.AllRemedies().Looks, looks))
}

// byHand is a step that a person does, with root when the command says so.
func byHand(c verify.Check, lines []string, note string) *extra {
	step := &extra{Step: Step{ID: "fix-" + c.ID, Title: fmt.Sprintf("settle %s: %s", c.ID, c.What), Commands: lines, Note: note, Who: You, Fixes: []string{c.ID}, Why: c.Why, Cost: Cost{Steps: 1}}}
	all := strings.Join(lines, "\n")
	switch {
	case strings.Contains(all, "reboot"):
		step.Who, step.Cost.Root, step.Cost.Reboot = Reboot, true, true
	case strings.Contains(all, "sudo "):
		step.Who, step.Cost.Root = Root, true
	}
	return step
}
