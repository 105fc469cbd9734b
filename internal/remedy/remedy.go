// Package remedy finds the cheapest way from a machine to a project's contract. It is a search: an action turns a
// machine into a hypothetical one and has a cost, and the goal is that verify finds nothing wrong with what came
// out. Actions come from the machine itself (what is installed) and from data/remedies.toml (what can be got). It
// is pure and carries nothing out.
package remedy

import (
	"cmp"
	"slices"

	"cupel/internal/contract"
	"cupel/internal/resolve"
	"cupel/internal/verify"
)

// Format is the version of the JSON answer.
const Format = "cupel.plan/1"

// Input is what is to be met, where, and whether one plan is enough.
type Input struct {
	Verify verify.Input
	All    bool // every plan that is better than the others in some way

	// What the sources of toolkits answered, when they were asked: those that can be reached, and what they have. Nil
	// Sources: they were not, and the tables speak for them.
	Sources []string
	Offers  []resolve.Offer

	// UserSpace: what cupel can do itself comes before what a person must do as root, for a command that carries out.
	UserSpace bool
}

// Answer is everything plan says. Findings are the checks that fail now.
type Answer struct {
	Format   string         `json:"format"`
	Cupel    string         `json:"cupel"`
	Findings []verify.Check `json:"findings"`
	Contract string         `json:"contract"`
	Project  string         `json:"project"`
	Platform string         `json:"platform"`
	Already  bool           `json:"already"` // nothing is to be done
	Plans    []Route        `json:"plans"`
	Conflict []Clash        `json:"conflict,omitempty"`
	Facts    []Fact         `json:"facts,omitempty"` // what of the machine the conflict is about
	Next     []string       `json:"next,omitempty"`  // what can be done where there is no plan
}

// Route is an ordered list of steps. One that does not satisfy the contract does all that can be done.
type Route struct {
	Steps     []Step   `json:"steps"`
	Cost      Cost     `json:"cost"`
	Satisfies bool     `json:"satisfies"`
	Toolkit   string   `json:"toolkit,omitempty"`  // the release it ends with
	Compiler  string   `json:"compiler,omitempty"` // the host compiler, where it is not the default
	Stays     []string `json:"stays,omitempty"`    // checks that still fail
	TradeOff  string   `json:"trade_off,omitempty"`
}

// Who must do a step.
const (
	Cupel  = "cupel"
	You    = "you"
	Root   = "root"   // an administrator on Windows
	Reboot = "reboot" // root, and a restart
)

// Step is one thing to do. Its commands are run in order.
type Step struct {
	ID           string        `json:"id"`
	Title        string        `json:"title"`
	Commands     []string      `json:"commands,omitempty"`
	Note         string        `json:"note,omitempty"`
	Who          string        `json:"who"`
	Cost         Cost          `json:"cost"`
	Fixes        []string      `json:"fixes"`
	Alternatives []Alternative `json:"alternatives,omitempty"` // instead of this step: exactly one is taken
	Why          string        `json:"why,omitempty"`
	Source       []string      `json:"source,omitempty"`
	Does         *Action       `json:"does,omitempty"` // nil: cupel cannot carry it out
}

// Alternative is another way to the effect of a step.
type Alternative struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Commands []string `json:"commands,omitempty"`
	Note     string   `json:"note,omitempty"`
	Who      string   `json:"who"`
	Source   []string `json:"source,omitempty"`
}

// Cost is what a person weighs. DownloadMB is about right; SizeUnknown says that something of unknown size is
// loaded too.
type Cost struct {
	Root        bool `json:"root"`
	Reboot      bool `json:"reboot"`
	Installs    int  `json:"installs"`
	DownloadMB  int  `json:"download_mb"`
	SizeUnknown bool `json:"size_unknown,omitempty"`
	Steps       int  `json:"steps"`
}

// Clash is one line of a contract that cannot be met together with the others of its set. A set is as small as it
// can be: the machine can be brought to meet it without any one of its lines.
type Clash struct {
	Set   int    `json:"set"` // from 1
	Key   string `json:"key"`
	Where string `json:"where"`
	Text  string `json:"text"`
}

// Fact is what of the machine stands against those lines.
type Fact struct {
	Check string `json:"check,omitempty"` // the check that says so
	Text  string `json:"text"`
}

// Plan finds the cheapest route from the machine to the contract, or why there is none.
func Plan(in Input) Answer {
	in.Verify.Only, in.Verify.FailFast = nil, false
	now := verify.Judge(in.Verify)
	a := Answer{
		Format: Format, Cupel: in.Verify.Version, Contract: now.Contract, Project: now.Project, Platform: now.Platform,
		Findings: failing(now, in.Verify.Strict), Plans: []Route{},
	}
	if a.Already = len(a.Findings) == 0; a.Already {
		return a
	}
	if i := slices.IndexFunc(a.Findings, func(c verify.Check) bool { return c.ID == "platform" }); i >= 0 {
		elsewhere(&a, in.Verify.Contract, a.Findings[i])
		return a
	}
	s := newSearch(in.Verify, a.Findings)
	if in.Sources != nil {
		s.shelf = &shelf{offers: withoutPreviews(in.Offers), reached: in.Sources}
	}
	s.userSpace = in.UserSpace
	goals := s.run(in.All)
	if len(goals) == 0 {
		s.conflict(&a)
		return a
	}
	for _, g := range front(goals) {
		a.Plans = append(a.Plans, s.plan(g))
	}
	if !in.All {
		a.Plans = a.Plans[:1]
	}
	tradeOffs(a.Plans)
	return a
}

// elsewhere: no step makes another platform of a machine, so nothing else is worth doing here.
func elsewhere(a *Answer, c *contract.Contract, check verify.Check) {
	for _, l := range c.Lines() {
		if speaksOf(check.Key, l.Key) {
			a.Conflict = append(a.Conflict, Clash{Set: 1, Key: l.Key, Where: l.Pos.String(), Text: l.Text})
		}
	}
	a.Facts = []Fact{{Check: check.ID, Text: check.What}}
	for _, next := range check.Next {
		a.Next = append(a.Next, cmp.Or(next.Command, next.Note))
	}
}

// failing lists the checks that stand in the way, consequences of others left out.
func failing(a verify.Answer, strict bool) []verify.Check {
	out := []verify.Check{}
	for _, c := range a.Findings {
		if c.CausedBy == "" && (c.Status == verify.Fail || strict && c.Status == verify.Warn) {
			out = append(out, c)
		}
	}
	return out
}
