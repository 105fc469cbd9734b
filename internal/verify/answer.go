package verify

import (
	"slices"

	"cupel/internal/choice"
	"cupel/internal/finding"
)

// answer puts the checks together: those asked for, stopped at the first failure when that was asked, and the
// verdict over them. A check that is the consequence of another counts for nothing.
func (j *judge) answer() Answer {
	a := Answer{Format: Format, Cupel: j.Version, Findings: []Check{}, Contract: j.Contract.File, Project: j.Contract.Project.Name,
		Platform: platformText(j.Platform), Band: j.band, Chosen: j.chosen, Strict: j.Strict, Reference: j.compared}
	if j.t != nil {
		a.Toolkit = choice.Name(*j.t)
	}
	for _, c := range j.out {
		if Match(j.Only, c.ID) {
			a.Findings = append(a.Findings, c)
		}
	}
	j.unsilence(a.Findings)
	if j.FailFast {
		j.stop(a.Findings)
	}
	if i := slices.IndexFunc(a.Findings, func(c Check) bool { return c.ID == refID }); i < 0 || a.Findings[i].Status == Skipped {
		a.Reference = nil
	}
	a.Passed = Passed(a.Findings, j.Strict)
	return a
}

// unsilence: a check whose cause was not asked for speaks for itself, unless that one passed and knows better.
func (j *judge) unsilence(all []Check) {
	for i, c := range all {
		shown := slices.ContainsFunc(all, func(o Check) bool { return o.ID == c.CausedBy })
		if cause := j.made(c.CausedBy); !shown && cause != nil && cause.Status != Pass {
			all[i].CausedBy = ""
		}
	}
}

// stop leaves nothing of the checks after the first failure but their names.
func (j *judge) stop(all []Check) {
	first := ""
	for i, c := range all {
		switch {
		case first != "":
			all[i] = Check{Finding: finding.Finding{ID: c.ID, Severity: finding.Info, What: j.titles[c.ID], Where: c.Where, CausedBy: c.CausedBy,
				Why: "stopped at the first failure"}, Status: Skipped, Key: c.Key, Expected: c.Expected, After: first}
		case c.Status == Fail && c.CausedBy == "":
			first = c.ID
		}
	}
}

// Passed is the verdict over checks: none failed, and when strict none warned. Configs that were run belong in it.
func Passed(all []Check, strict bool) bool {
	for _, c := range all {
		if c.CausedBy == "" && (c.Status == Fail || strict && c.Status == Warn) {
			return false
		}
	}
	return true
}
