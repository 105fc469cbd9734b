package verify

import (
	"cmp"

	"cupel/internal/choice"
	"cupel/internal/consumer"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/gpu"
	"cupel/internal/ospath"
	"cupel/internal/rule"
	"cupel/internal/version"
)

// Judge makes every check of the table in its order, then those of the doctor that touch what the contract uses.
func Judge(in Input) Answer {
	j := newJudge(in)
	for _, row := range table {
		for _, name := range row.named(j) {
			j.out = append(j.out, j.check(row, name))
		}
	}
	if !in.NoRules && !j.elsewhere() {
		j.doctor()
	}
	j.compare()
	return j.answer()
}

// IDs lists the ids that can occur for this contract, in the order of the answer.
func IDs(in Input) []string {
	j := newJudge(in)
	var ids []string
	for _, row := range table {
		for _, name := range row.named(j) {
			ids = append(ids, row.idOf(name))
		}
	}
	for _, r := range rule.All() {
		if j.uses(r) {
			ids = append(ids, r.ID)
		}
	}
	if in.Contract.Reference.Snapshot != "" {
		ids = append(ids, refID)
	}
	for _, c := range in.Contract.Configs {
		if in.Platform.Wanted(c.On, c.ExcludeOn) {
			ids = append(ids, ConfigID(c))
		}
	}
	return ids
}

// judge is one pass over the table: what was asked, what is chosen, and what came of the checks so far.
type judge struct {
	Input
	req    contract.Requirements
	active choice.Pick
	chosen choice.Pick
	t      *fact.Toolkit // the chosen one; nil: none
	rel    version.V     // its release; zero: not told
	path   ospath.Style

	targets    []gpu.Arch
	targetsKey string

	band     Band
	compared *Compared
	out      []Check
	titles   map[string]string
	values   map[string]string // see Values; filled when first asked for
	sets     map[string]string // what cupel env sets; filled when first asked for
	unset    string            // the check of the first variable that cupel env would set
	wish     map[string]wish   // variables of the contract; filled when first asked for
}

func newJudge(in Input) *judge {
	j := &judge{Input: in, req: in.Contract.For(in.Platform), path: in.Machine.System.Paths(), titles: map[string]string{}, band: NoToolkit}
	if j.Choice.Env == "" {
		j.Choice.Env = in.Machine.Env["CUPEL_TOOLKIT"]
	}
	if r := j.req.Toolkit.Recommended; r != nil && j.Choice.Recommended == "" {
		j.Choice.Recommended = r.Version.String()
	}
	j.active, j.chosen = choice.Toolkit(in.Machine, j.Choice)
	if j.t = j.chosen.Toolkit; j.t != nil {
		j.rel = choice.Release(*j.t)
	}
	j.targets, j.targetsKey = j.req.Targets(j.rel)
	return j
}

// check makes one check, unless one that must have passed before did not.
func (j *judge) check(row row, name string) Check {
	c := Check{Finding: finding.Finding{ID: row.idOf(name), What: row.titleOf(name)}, Status: Pass}
	j.titles[c.ID] = c.What
	if after, why := j.blocked(row); after != "" {
		c.Status, c.After, c.Why = Skipped, after, why
	} else {
		row.make(j, name, &c)
	}
	c.Severity = severities[c.Status]
	if c.Where == "" && c.Key != "" {
		c.Where = j.at(c.Key)
	}
	return c
}

var severities = map[Status]finding.Severity{Fail: finding.Error, Warn: finding.Warning, Pass: finding.Info, Skipped: finding.Info, ExpectedFail: finding.Info}

// blocked names the check that had to pass and did not: the first of a chain. One that was not asked for blocks
// nothing.
func (j *judge) blocked(r row) (after, why string) {
	if !r.files && j.elsewhere() {
		return platformID, platformID + " failed"
	}
	for _, id := range r.needs {
		switch c := j.made(id); {
		case c == nil:
		case c.Status == Fail:
			return id, id + " failed"
		case c.Status == Skipped:
			return cmp.Or(c.After, id), c.Why
		}
	}
	return "", ""
}

// elsewhere: the project is not built on this platform.
func (j *judge) elsewhere() bool {
	c := j.made(platformID)
	return c != nil && c.Status == Fail
}

func (j *judge) made(id string) *Check {
	for i := range j.out {
		if j.out[i].ID == id {
			return &j.out[i]
		}
	}
	return nil
}

func (j *judge) at(key string) string { return place(j.Contract.At(key)) }

// rules is the doctor's view of the machine, with the toolkit that the contract chose.
func (j *judge) rules(picks bool) *rule.Input {
	in := &rule.Input{Machine: j.Machine, Project: j.Project, Active: j.active, Chosen: j.chosen, NeedGPU: j.needsGPU(), Flags: j.Flags, ChosenOnly: true}
	if picks {
		in.Picks = consumer.All(consumer.FromMachine(j.Machine), rule.Versions(j.Machine, j.Project))
	}
	return in
}
