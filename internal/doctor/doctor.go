// Package doctor puts the answer of `cupel doctor` together: facts in, choice, consumers and findings out. It
// is pure: the machine was gathered before, and render shows the answer after.
package doctor

import (
	"cupel/internal/choice"
	"cupel/internal/consumer"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/rule"
)

// Format is the version of the JSON answer.
const Format = "cupel.doctor/1"

// Answer is everything the doctor says. Its JSON form holds the machine's snapshot under machine.
type Answer struct {
	Format    string            `json:"format"`
	Cupel     string            `json:"cupel"`
	Findings  []finding.Finding `json:"findings"`
	Machine   fact.Machine      `json:"machine"`
	Project   *fact.Project     `json:"project,omitempty"`
	Active    choice.Pick       `json:"active"`
	Chosen    choice.Pick       `json:"chosen"`
	Consumers []consumer.Pick   `json:"consumers,omitempty"`
	Processes int               `json:"processes"` // started by the probe
}

// Options are what a person asked besides the facts.
type Options struct {
	Version   string
	Choice    choice.Options
	NeedGPU   bool
	Consumers bool
	Contract  bool   // the folder has a cupel.toml
	Flags     string // how the toolkit was found, for the commands findings name
}

// Judge answers for a machine and a project.
func Judge(m fact.Machine, p fact.Project, opt Options) Answer {
	a := Answer{Format: Format, Cupel: opt.Version, Machine: m}
	if p.Root != "" {
		a.Project = &p
	}
	if opt.Choice.Env == "" {
		opt.Choice.Env = m.Env["CUPEL_TOOLKIT"]
	}
	a.Active, a.Chosen = choice.Toolkit(a.Machine, opt.Choice)
	picks := consumer.All(consumer.FromMachine(m), rule.Versions(m, p))
	a.Findings = rule.Judge(&rule.Input{Machine: a.Machine, Project: p, Active: a.Active, Chosen: a.Chosen, Picks: picks, NeedGPU: opt.NeedGPU, HasContract: opt.Contract, Flags: opt.Flags})
	if a.Findings == nil {
		a.Findings = []finding.Finding{}
	}
	if opt.Consumers {
		a.Consumers = picks
	}
	return a
}
