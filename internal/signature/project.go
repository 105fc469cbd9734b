package signature

import (
	"fmt"

	"cupel/internal/contract"
	"cupel/internal/finding"
)

// ProjectLabel is the label of a row of a contract that names none.
const ProjectLabel = "project-known"

// OfProject makes signatures of the rows [[explain]] of a contract. They come before all others.
func OfProject(c *contract.Contract) []*Signature {
	if c == nil {
		return nil
	}
	var out []*Signature
	for i, row := range c.Explain {
		label := string(row.Label)
		if label == "" {
			label = ProjectLabel
		}
		s := &Signature{ID: fmt.Sprintf("project-%d", i+1), Title: row.Cause, Tool: c.File, Role: Cause, Severity: finding.Error, Project: true}
		s.Patterns = []Pattern{{Regex: row.Pattern.String()}}
		s.Causes = []Reason{{Label: label, What: row.Cause, Why: c.File + " of the project names this failure", Fixes: []Fix{{Note: row.Fix}}}}
		if row.Source != "" {
			s.Source = []string{row.Source}
		}
		out = append(out, s)
	}
	return out
}
