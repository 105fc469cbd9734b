package remedy

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/rule"
	"cupel/internal/verify"
)

// plan writes a goal down as steps: the compiler before the toolkit, whose installer looks for one, then what is done
// by hand, the driver with its restart after that, and the environment last, because it belongs to the shell that
// builds.
func (s *search) plan(n *node) Route {
	r := Route{Satisfies: len(n.stays) == 0, Compiler: named(n.in)}
	if t := toolkitOf(n.in); t != nil {
		r.Toolkit = choice.Release(*t).String()
		if brought(*t) && s.stock().reached == nil {
			r.Toolkit = choice.Release(*t).Short().String() // which update it will be is not known yet
		}
	}
	done := map[string]bool{}
	for _, p := range []part{partCompiler, partToolkit} {
		r.add(gotten(n.picked[p], done))
	}
	r.together()
	for _, e := range inOrder(n.extras) {
		if e.offer != nil {
			e.Commands = e.offer.commands(done)
			done[e.offer.way.Setup] = true
		}
		r.add(&e.Step)
	}
	r.add(gotten(n.picked[partDriver], done))
	r.add(s.use(n))
	for _, c := range n.stays {
		r.Stays = append(r.Stays, c.ID)
	}
	s.attribute(&r, n)
	r.count()
	return r
}

// together: a compiler that cupel brings comes with the toolkit that it brings. For one that is here it is got by
// cupel up.
func (r *Route) together() {
	at := func(kind string) *Step {
		i := slices.IndexFunc(r.Steps, func(x Step) bool { return x.Does != nil && x.Does.Kind == kind })
		if i < 0 {
			return nil
		}
		return &r.Steps[i]
	}
	compiler, toolkit := at(DoCompiler), at(DoInstall)
	if compiler == nil || toolkit == nil {
		return
	}
	compiler.Commands, compiler.Note = nil, "it comes with the toolkit: --with-host-compiler"
	for i, c := range toolkit.Commands {
		toolkit.Commands[i] = c + " --with-host-compiler"
	}
}

func (r *Route) add(step *Step) {
	if step != nil {
		r.Steps = append(r.Steps, *step)
	}
}

// gotten is the step that gets what an option needs. done holds what earlier steps have set up.
func gotten(o option, done map[string]bool) *Step {
	if o.offer == nil {
		return nil
	}
	f := o.offer
	step := &Step{ID: f.way.ID, Title: f.title, Commands: f.commands(done), Note: f.note, Who: f.way.Who, Source: f.way.Source, Does: f.does}
	step.Cost = Cost{Root: f.way.Who == Root || f.way.Who == Reboot, Reboot: f.way.Who == Reboot, Steps: 1}
	if !ofHost(*f) {
		step.Cost.Installs, step.Cost.DownloadMB, step.Cost.SizeUnknown = 1, f.way.DownloadMB, f.way.DownloadMB == 0
	}
	for _, a := range o.alts {
		step.Alternatives = append(step.Alternatives, a.alternative(done))
	}
	if done != nil && f.way.Setup != "" {
		done[f.way.Setup] = true
	}
	return step
}

// use is the step that makes a shell use what was picked; nil when nothing was.
func (s *search) use(n *node) *Step {
	picked := slices.ContainsFunc(n.picked, func(o option) bool { return o.use })
	if !picked && !slices.ContainsFunc(s.now, func(c verify.Check) bool { return settledBy(c.ID) == "env" }) {
		return nil
	}
	t := toolkitOf(n.in)
	if t == nil {
		return nil
	}
	title := fmt.Sprintf("use %s in %s", choice.Name(*t), t.Root)
	if brought(*t) {
		title = fmt.Sprintf("use the CUDA %s that cupel installs", choice.Release(*t).Short())
	}
	if name := named(n.in); name != "" {
		title += " with " + name
	}
	commands := append(s.insist(n), s.envCommand(n))
	does := &Action{Kind: DoUse, Toolkit: t.Root, Compiler: named(n.in)}
	if brought(*t) && s.stock().reached == nil {
		does.Toolkit = ""
	}
	return &Step{ID: "env", Title: title + " in the shell that builds", Commands: commands, Who: Cupel, Why: "every kind of build finds them then", Cost: Cost{Steps: 1}, Does: does}
}

// envCommand is cupel env for the toolkit and the compiler that were picked.
func (s *search) envCommand(n *node) string {
	words := []string{"cupel env", n.in.Flags}
	if n.picked[partToolkit].use || s.in.Choice.Flag != "" {
		words = []string{"cupel env", withoutToolkit(n.in.Flags), "--toolkit " + toolkitName(n)}
	}
	if name := named(n.in); name != "" {
		words = append(words, "--host-compiler "+quote(n.in, name))
	}
	line := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
	if n.in.Machine.System.Paths().Windows() {
		return line + " --format powershell | Out-String | Invoke-Expression"
	}
	return `eval "$(` + line + `)"`
}

// withoutToolkit takes out what was said on the command line: the toolkit of the plan is named in its place.
func withoutToolkit(flags string) string {
	before, after, _ := strings.Cut(flags, "--toolkit ")
	_, rest, more := strings.Cut(after, " --")
	if more {
		before += "--" + rest
	}
	return strings.TrimSpace(before)
}

// brought: cupel is to bring it. Its source and update, and with them its place, may turn out to be others.
func brought(t fact.Toolkit) bool { return t.Installed != nil && slices.Contains(t.Found, byPlan) }

// named is the host compiler that the build is told to use; one whose place is not known yet becomes the default.
func named(in verify.Input) string {
	if strings.Contains(in.Host, byPlan) {
		return ""
	}
	return in.Host
}

// toolkitName is how the toolkit is asked for: X.Y when cupel finds it and no other one has it, else its root.
func toolkitName(n *node) string {
	in, t := n.in, toolkitOf(n.in)
	short := choice.Release(*t).Short()
	if o := n.picked[partToolkit].offer; o != nil && o.way.Hidden {
		return quote(in, t.Root)
	}
	for _, other := range in.Machine.Toolkits {
		if short.IsZero() || other.Home() != t.Home() && choice.Release(other).Short() == short {
			return quote(in, t.Root)
		}
	}
	return short.String()
}

// quote protects a word with blanks, for sh and PowerShell alike.
func quote(in verify.Input, word string) string {
	if strings.ContainsAny(word, " ()$&;'") {
		return "'" + strings.ReplaceAll(word, "'", map[bool]string{true: "''", false: `'\''`}[in.Machine.System.Paths().Windows()]) + "'"
	}
	return word
}

// insist: where something stronger than PATH asks for another toolkit (the recommended release that is installed
// and does not fit, a lock, CUPEL_TOOLKIT), the variable that is stronger still names the one of the plan.
func (s *search) insist(n *node) []string {
	if !n.picked[partToolkit].use || s.in.Choice.Flag != "" {
		return nil
	}
	t := toolkitOf(n.in)
	free := n.in
	free.Choice = s.in.Choice
	wished := pickOf(free)
	if wished.Toolkit != nil && wished.Toolkit.Home() == t.Home() || wished.By == choice.ByActive || wished.By == choice.ByNewest {
		return nil
	}
	if n.in.Machine.System.Paths().Windows() {
		return []string{"$env:CUPEL_TOOLKIT = '" + strings.Trim(toolkitName(n), "'") + "'"}
	}
	return []string{"export CUPEL_TOOLKIT=" + toolkitName(n)}
}

// attribute says which step settles which check, and why the step is there. A check belongs to the step of its
// own part; where the plan went around it, to the step that chooses.
func (s *search) attribute(r *Route, n *node) {
	owner := map[string]string{}
	for by, p := range partOf {
		if o := n.picked[p].offer; o != nil {
			owner[by] = o.way.ID
		}
	}
	for _, c := range s.now {
		if len(r.Steps) == 0 {
			return
		}
		if slices.Contains(r.Stays, c.ID) || slices.ContainsFunc(r.Steps, func(x Step) bool { return slices.Contains(x.Fixes, c.ID) }) {
			continue
		}
		at := slices.IndexFunc(r.Steps, func(x Step) bool { return x.ID == owner[about(c.ID)] })
		if at < 0 {
			at = r.settler()
		}
		r.Steps[at].Fixes = append(r.Steps[at].Fixes, c.ID)
		if len(r.Steps[at].Fixes) == 1 {
			r.Steps[at].Why = c.What
		}
	}
	for i := range r.Steps {
		s.justify(&r.Steps[i], n)
	}
}

// settler is the step that settles a check for which nothing was got: the one that chooses, else the last.
func (r *Route) settler() int {
	if i := slices.IndexFunc(r.Steps, func(x Step) bool { return x.ID == "env" }); i >= 0 {
		return i
	}
	return len(r.Steps) - 1
}

// about is the part of a machine that a check speaks of; of the doctor's rules their own word.
func about(id string) string {
	by := settledBy(id)
	if by != "advice" {
		return by
	}
	for _, r := range rule.All() {
		if r.ID == id {
			return r.About
		}
	}
	return by
}

// justify says what a step is for that settles nothing of today: what would fail without it.
func (s *search) justify(step *Step, n *node) {
	if len(step.Fixes) > 0 {
		return
	}
	step.Fixes = []string{}
	for p := range parts {
		if o := n.picked[p]; o.offer == nil || o.offer.way.ID != step.ID {
			continue
		}
		without := &node{in: s.in}
		for q, o := range n.picked {
			if part(q) == p {
				o = option{}
			}
			without = without.with(o)
		}
		for _, c := range s.judge(without.in) {
			if of, ok := partOf[settledBy(c.ID)]; ok && of == p && step.Why == "" {
				step.Why = "without it: " + c.What
			}
		}
	}
}

func (r *Route) count() {
	for _, x := range r.Steps {
		c := &r.Cost
		c.Root, c.Reboot, c.SizeUnknown = c.Root || x.Cost.Root, c.Reboot || x.Cost.Reboot, c.SizeUnknown || x.Cost.SizeUnknown
		c.Installs += x.Cost.Installs
		c.DownloadMB += x.Cost.DownloadMB
		c.Steps++
	}
}
