package verify

import "cupel/internal/contract"

// ConfigID is the id of the check that a config makes when it was run.
func ConfigID(cfg contract.Config) string { return "config-" + contract.Slug(cfg.Name) }

// Add puts the check of a config that was run at the end of the answer.
func (a *Answer) Add(c Check) {
	a.Findings = append(a.Findings, c)
	a.Passed = Passed(a.Findings, a.Strict)
}
