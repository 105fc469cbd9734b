package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
)

// EnvDiff is the answer of replay --diff-env (cupel.replay/1): what the environment of a recorded call and that of a shell
// do not have in common, what matters to CUDA builds first.
type EnvDiff struct {
	Format      string            `json:"format"`
	Cupel       string            `json:"cupel"`
	Findings    []finding.Finding `json:"findings"`
	Call        string            `json:"call"` // RUN.NUMBER
	Command     string            `json:"command"`
	Dir         string            `json:"dir"`
	Differences []VarDiff         `json:"differences"`
	Same        int               `json:"same"`              // variables with one value
	Unknown     []string          `json:"unknown,omitempty"` // secrets that both have: the recorded value was not kept
}

// VarDiff is one variable that is not the same.
type VarDiff struct {
	Name         string   `json:"name"`
	Where        string   `json:"where"` // recorded, here: it is set there alone; both
	Recorded     string   `json:"recorded,omitempty"`
	Here         string   `json:"here,omitempty"`
	Hidden       bool     `json:"hidden,omitempty"`  // a secret: no value is told
	Matters      bool     `json:"matters,omitempty"` // a tool of CUDA builds reads it
	Meaning      string   `json:"meaning,omitempty"`
	Readers      []string `json:"readers,omitempty"`
	OnlyRecorded []string `json:"only_recorded,omitempty"` // of a list of folders
	OnlyHere     []string `json:"only_here,omitempty"`
	Order        bool     `json:"order,omitempty"` // the folders that both have stand in another order
}

// EnvDiff writes it for people.
func (s Style) EnvDiff(a EnvDiff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "environment of %s (recorded) and of this shell (here)\n", a.Call)
	first, rest := a.parts()
	if len(first)+len(rest) == 0 {
		b.WriteString("\nnothing differs\n")
	}
	if len(first) > 0 {
		b.WriteString("\n" + s.paint(bold, "differs, and tools of CUDA builds read it:") + "\n")
		for _, d := range first {
			b.WriteString(s.varDiff(d))
		}
	}
	if len(rest) > 0 {
		b.WriteString("\n" + s.paint(bold, "differs besides:") + "\n")
		b.WriteString(strings.Join(table(shortDiffs(rest)), "\n") + "\n")
	}
	b.WriteString("\n" + a.closing() + "\n")
	return b.String()
}

// shortDiffs are the variables that matter less, a line each; --json has their values whole.
func shortDiffs(list []VarDiff) [][]string {
	rows := [][]string{{"  ", "RECORDED", "HERE"}}
	for _, d := range list {
		sides := map[string][]string{}
		for _, l := range d.lines() {
			sides[l[0]] = append(sides[l[0]], l[1])
		}
		recorded := append(sides["recorded:"], sides["order:"]...)
		rows = append(rows, []string{"  " + d.Name, cut(strings.Join(recorded, " ")), cut(strings.Join(sides["here:"], " "))})
	}
	return rows
}

func (a EnvDiff) parts() (matters, others []VarDiff) {
	for _, d := range a.Differences {
		if d.Matters {
			matters = append(matters, d)
		} else {
			others = append(others, d)
		}
	}
	return matters, others
}

func (a EnvDiff) closing() string {
	same := "no variable is the same"
	if a.Same > 0 {
		same = count(a.Same, "variable") + map[bool]string{true: " is the same", false: " are the same"}[a.Same == 1]
	}
	if len(a.Unknown) > 0 {
		same += "; secrets that both have, whose recorded values were not kept: " + clean(strings.Join(a.Unknown, ", "))
	}
	return same
}

func (s Style) varDiff(d VarDiff) string {
	var b strings.Builder
	head := "  " + s.paint(bold, clean(d.Name))
	if len(d.Readers) > 0 && d.Matters {
		head += "  read by " + clean(strings.Join(d.Readers, ", "))
	}
	b.WriteString(head + "\n")
	for _, l := range d.lines() {
		fmt.Fprintf(&b, "    %-9s %s\n", l[0], clean(l[1]))
	}
	return b.String()
}

// lines are the sides of a difference: a word and what is there.
func (d VarDiff) lines() [][2]string {
	value := func(v string, set bool) string {
		switch {
		case !set:
			return "not set"
		case d.Hidden:
			return "set (a secret: not told)"
		case v == "":
			return "set, empty"
		}
		return v
	}
	if len(d.OnlyRecorded)+len(d.OnlyHere) > 0 || d.Order {
		return d.folders()
	}
	return [][2]string{{"recorded:", value(d.Recorded, d.Where != "here")}, {"here:", value(d.Here, d.Where != "recorded")}}
}

func (d VarDiff) folders() [][2]string {
	var out [][2]string
	for _, dir := range d.OnlyRecorded {
		out = append(out, [2]string{"recorded:", dir})
	}
	for _, dir := range d.OnlyHere {
		out = append(out, [2]string{"here:", dir})
	}
	if d.Order {
		out = append(out, [2]string{"order:", "the folders that both have stand in another order"})
	}
	return out
}

// EnvDiffMarkdown is the same for an issue.
func EnvDiffMarkdown(a EnvDiff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Environment of call %s (recorded) and of a shell (here)\n\n", a.Call)
	if len(a.Differences) > 0 {
		b.WriteString("| variable | recorded | here | read by |\n|---|---|---|---|\n")
	}
	for _, d := range a.Differences {
		sides := map[string][]string{}
		for _, l := range d.lines() {
			sides[l[0]] = append(sides[l[0]], "`"+codeCell(l[1])+"`")
		}
		recorded := append(sides["recorded:"], sides["order:"]...)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", codeCell(d.Name), strings.Join(recorded, "<br>"), strings.Join(sides["here:"], "<br>"), codeCell(strings.Join(d.Readers, ", ")))
	}
	fmt.Fprintf(&b, "\n%s\n", a.closing())
	return b.String()
}

// codeCell keeps a value from ending its cell or its code.
func codeCell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(clean(text), "|", `\|`), "`", "'")
}

// EnvBisect is the answer of replay --bisect-env (cupel.replay/1).
type EnvBisect struct {
	Format    string            `json:"format"`
	Cupel     string            `json:"cupel"`
	Findings  []finding.Finding `json:"findings"`
	Call      string            `json:"call"`
	Recorded  string            `json:"recorded"`            // how it ends in the recorded environment
	Here      string            `json:"here"`                // and in this shell's
	Variables []VarDiff         `json:"variables,omitempty"` // a smallest set that makes the difference
	Runs      int               `json:"runs"`
}

// EnvBisect writes it for people.
func (s Style) EnvBisect(a EnvBisect) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in its recorded environment: %s; in this shell's: %s (%s)\n", a.Call, clean(a.Recorded), clean(a.Here), count(a.Runs, "run"))
	switch len(a.Variables) {
	case 0:
		b.WriteString("the environment makes no difference\n")
		return b.String()
	case 1:
		b.WriteString("\n" + s.paint(bold, "this variable makes the difference:") + "\n")
	default:
		b.WriteString("\n" + s.paint(bold, "these variables together make the difference:") + "\n")
	}
	for _, d := range a.Variables {
		b.WriteString(s.varDiff(d))
	}
	return b.String()
}
