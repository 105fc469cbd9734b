package render

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/build"
	"cupel/internal/remedy"
	"cupel/internal/verify"
)

// Up is the answer of cupel up (cupel.up/1). Findings are the checks after everything was done, and what stopped it.
type Up struct {
	Format   string          `json:"format"`
	Cupel    string          `json:"cupel"`
	Findings []verify.Check  `json:"findings"`
	Contract string          `json:"contract"`
	Project  string          `json:"project"`
	Root     string          `json:"root"` // the project's folder
	Platform string          `json:"platform"`
	DryRun   bool            `json:"dry_run,omitempty"`
	Sources  []ToolkitSource `json:"sources"` // that were asked
	Plan     *remedy.Answer  `json:"plan,omitempty"`
	Done     []UpStep        `json:"done"`
	Toolkit  string          `json:"toolkit,omitempty"`  // that builds, with its root
	Compiler string          `json:"compiler,omitempty"` // the host compiler, where it is not what nvcc takes by itself
	Build    *build.Result   `json:"build,omitempty"`    // nil: nothing was built
	Left     []remedy.Step   `json:"left"`               // what a person must still do
	InTheWay []string        `json:"in_the_way"`         // checks that keep the kernels from being built
	Unmet    []string        `json:"unmet"`              // further checks that fail: where it runs, what else it needs
	Passed   bool            `json:"passed"`
	Use      string          `json:"use,omitempty"` // the same toolkit in a shell
	From     string          `json:"-"`             // the project's folder as seen from where the user stands; "" for the same
}

// UpStep is one step that was carried out.
type UpStep struct {
	ID      string   `json:"id"`
	What    string   `json:"what"`
	Root    string   `json:"root,omitempty"`
	Already bool     `json:"already,omitempty"`
	Proof   []string `json:"proof,omitempty"`
	Seconds float64  `json:"seconds,omitempty"`
}

// UpPlan writes the plan before it is carried out: what cupel does, and what it leaves to a person.
func (s Style) UpPlan(a Up) string {
	var b strings.Builder
	for _, src := range a.Sources {
		if !src.Reachable {
			b.WriteString(s.Refused(src.Name, src.Why, src.Next) + "\n")
		}
	}
	if a.Plan == nil {
		return b.String()
	}
	text, _, _ := strings.Cut(s.Plan(withoutChoices(*a.Plan)), "\nthen: ")
	b.WriteString(strings.TrimRight(text, "\n") + "\n\n")
	return b.String()
}

// withoutChoices leaves out the other ways to the same: this plan is carried out, cupel plan shows them.
func withoutChoices(a remedy.Answer) remedy.Answer {
	plans := slices.Clone(a.Plans)
	for i, r := range plans {
		plans[i].Steps = slices.Clone(r.Steps)
		for n, s := range r.Steps {
			if s.Does != nil {
				plans[i].Steps[n].Alternatives = nil
			}
		}
	}
	a.Plans = plans
	return a
}

// Up writes what was done, what was built, and what is left.
func (s Style) Up(a Up) string {
	var b strings.Builder
	if a.DryRun {
		s.stopped(&b, a)
		b.WriteString("nothing was done (--dry-run)\n")
		return b.String()
	}
	for _, d := range a.Done {
		fmt.Fprintf(&b, "%s %s\n", s.paint(green, "done:"), s.wrap(clean(d.What), 6))
	}
	s.stopped(&b, a)
	if a.Build != nil {
		s.built(&b, a)
	}
	if len(a.Unmet) > 0 {
		fmt.Fprintf(&b, "%s %s; cupel verify says why\n", s.paint(yellow, "not met besides:"), s.wrap(strings.Join(a.Unmet, ", "), 6))
	}
	s.left(&b, a)
	if a.Passed && a.Use != "" {
		fmt.Fprintf(&b, "\nthe same toolkit in this shell: %s\n", s.paint(green, a.Use))
	}
	return b.String()
}

// stopped tells the checks that keep the project from being built.
func (s Style) stopped(b *strings.Builder, a Up) {
	for _, c := range a.Findings {
		for _, id := range a.InTheWay {
			if c.ID == id && c.CausedBy == "" {
				b.WriteString("\n" + s.Finding(c.Finding))
				break
			}
		}
	}
}

func (s Style) built(b *strings.Builder, a Up) {
	r := a.Build
	with := a.Toolkit
	if a.Compiler != "" {
		with += " and " + a.Compiler
	}
	for _, c := range r.Failed {
		word := s.paint(red, "failed:")
		if c.Optional {
			word = s.paint(yellow, "failed, and optional:")
		}
		fmt.Fprintf(b, "%s kernel %s, code %d\n  %s\n%s", word, clean(c.Kernel), c.Code, clean(strings.Join(c.Argv, " ")), Lines(indented(c.Output)))
	}
	s.buildNotes(b, r.Notes)
	switch {
	case len(r.Outputs) > 0:
		fmt.Fprintf(b, "%s %s with %s\n", s.paint(green, "built:"), count(len(r.Outputs), "file"), clean(with))
	case len(r.Failed) == 0:
		b.WriteString("built: nothing, the contract has no [[kernels]] for this platform\n")
	}
	var rows [][]string
	for _, o := range r.Outputs {
		rows = append(rows, []string{"  " + o.Kernel, o.Kind, below(a.Root, a.From, o.Path), Bytes(o.Size)})
	}
	for _, line := range table(rows) {
		b.WriteString(line + "\n")
	}
}

// below is a path in the project as seen from where the user stands.
func below(root, from, path string) string {
	rest, ok := strings.CutPrefix(path, root)
	if !ok || root == "" {
		return path
	}
	rest = strings.ReplaceAll(strings.TrimLeft(rest, `/\`), `\`, "/")
	if from != "" {
		rest = strings.TrimRight(strings.ReplaceAll(from, `\`, "/"), "/") + "/" + rest
	}
	return rest
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String()
}

// left names what a person must still do, as commands.
func (s Style) left(b *strings.Builder, a Up) {
	for i, step := range a.Left {
		if i == 0 {
			b.WriteString("\nfor a person to do:\n")
		}
		fmt.Fprintf(b, "- %s  [%s]\n", clean(step.Title), whoText[step.Who])
		s.commands(b, step.Commands, "    ")
		if step.Note != "" {
			fmt.Fprintf(b, "    note: %s\n", s.wrap(clean(step.Note), 10))
		}
	}
}
