// Package rule judges a machine: each rule is one check with a stable id that turns facts into findings. It is
// pure: it reads facts and tables, never the machine. A rule that needs to know more gets a new fact.
package rule

import (
	"slices"
	"sort"

	"cupel/internal/choice"
	"cupel/internal/consumer"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/ospath"
)

// Input is everything rules may look at.
type Input struct {
	Machine fact.Machine
	Project fact.Project
	Active  choice.Pick
	Chosen  choice.Pick
	Picks   []consumer.Pick
	NeedGPU bool   // --need gpu, or a contract that needs one
	Flags   string // what was said on the command line to find the toolkit, for commands in next: --python …

	HasContract bool // the project has a cupel.toml

	// ChosenOnly: only the chosen toolkit is a subject. A contract decides which one builds the project; what is
	// wrong with another that happens to be on PATH is then no error.
	ChosenOnly bool
}

// Paths is the path style of the machine that is judged.
func (in *Input) Paths() ospath.Style { return in.Machine.System.Paths() }

// Rule is one check. CausedBy names rules whose finding silences this one's: the root cause is shown, its
// consequences are counted.
type Rule struct {
	ID       string
	About    string // what it touches (AboutDriver …); that of its group unless the row says another
	Severity finding.Severity
	Title    string
	Label    string   // the taxonomy's label, where it is another word than the id
	On       []string // platforms; empty: all
	CausedBy []string
	Check    func(in *Input) []finding.Finding
}

// Judge runs every rule and returns the findings in shown order, silenced ones with CausedBy set.
func Judge(in *Input) []finding.Finding {
	var out []finding.Finding
	parents := map[string][]string{}
	for _, r := range all() {
		if len(r.On) > 0 && !slices.Contains(r.On, in.Machine.System.Platform) {
			continue
		}
		for _, f := range r.Check(in) {
			out = append(out, complete(f, r))
		}
		parents[r.ID] = r.CausedBy
	}
	for i := range out {
		out[i].CausedBy = causeOf(out[i], parents[out[i].ID], out)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Severity.Rank() < out[j].Severity.Rank() })
	return out
}

func complete(f finding.Finding, r Rule) finding.Finding {
	f.ID = r.ID
	if f.Severity == "" {
		f.Severity = r.Severity
	}
	if f.Label == "" {
		f.Label = r.Label
	}
	return f
}

// causeOf finds the finding that silences f: of a rule named as its cause, and not about another subject.
func causeOf(f finding.Finding, parents []string, all []finding.Finding) string {
	for _, id := range parents {
		for _, p := range all {
			if p.ID == id && (p.Subject == "" || f.Subject == "" || p.Subject == f.Subject) {
				return id
			}
		}
	}
	return ""
}

func one(f finding.Finding) []finding.Finding { return []finding.Finding{f} }

func command(cmd, note string) finding.Step { return finding.Step{Command: cmd, Note: note} }

func advice(note string) finding.Step { return finding.Step{Note: note} }

func evidence(source, text string) finding.Evidence {
	return finding.Evidence{Source: source, Text: text}
}
