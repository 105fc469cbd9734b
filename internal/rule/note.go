package rule

import (
	"fmt"
	"slices"

	"cupel/internal/fact"
	"cupel/internal/finding"
)

var noteRules = []Rule{
	{ID: "unreadable", Severity: finding.Warning, Title: "something could not be read", Check: unreadable},
}

// unreadable tells what the probe could not read: unreadable is not fine.
func unreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range slices.Concat(in.Machine.Troubles, in.Project.Troubles) {
		out = append(out, trouble(t))
	}
	return out
}

func trouble(t fact.Trouble) finding.Finding {
	return finding.Finding{
		What:     fmt.Sprintf("%s could not be read", t.About),
		Where:    t.Source,
		Why:      t.Why,
		Next:     []finding.Step{advice("make it readable or mend it; until then what it says is not known here")},
		Evidence: []finding.Evidence{evidence(t.Source, t.Why)},
	}
}
