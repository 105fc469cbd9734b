package render

import (
	"fmt"
	"strings"

	"cupel/internal/build"
	"cupel/internal/diagnose"
	"cupel/internal/finding"
)

// Build is the answer of cupel build (cupel.build/1).
type Build struct {
	Format    string            `json:"format"`
	Cupel     string            `json:"cupel"`
	Findings  []finding.Finding `json:"findings"`
	Root      string            `json:"root"`
	Out       string            `json:"out"`
	Toolkit   string            `json:"toolkit,omitempty"`
	DryRun    bool              `json:"dry_run,omitempty"`
	Notes     []string          `json:"notes"`
	Resources []Resource        `json:"resources,omitempty"`
	Result    build.Result      `json:"build"`
	Explained []diagnose.Answer `json:"-"`
	From      string            `json:"-"` // the folder of outputs as seen from where the user stands
}

// BuildOptions are how much is shown.
type BuildOptions struct{ Why, Verbose bool }

// BuildStep is one step in a line.
func BuildStep(s build.Step, why bool) string {
	name := s.Source
	if name == "" {
		name = s.Out
	}
	text := fmt.Sprintf("%s %s", stepWord(s), clean(slashes(name)))
	if s.Source != "" {
		text += " → " + clean(slashes(s.Out))
	}
	if s.Seconds > 0 {
		text += fmt.Sprintf(" %.1f s", s.Seconds)
	}
	if why && s.Why != "" {
		text += ": " + clean(s.Why)
	}
	if why && s.Uncached != "" {
		text += " (not cached: " + clean(uncached(s.Uncached)) + ")"
	}
	return text
}

func stepWord(s build.Step) string {
	if s.How == build.ToBuild {
		return "would build"
	}
	if s.How == build.Failed && s.Optional {
		return "failed (optional)"
	}
	return s.How
}

// Build writes how a build went.
func (s Style) Build(a Build, o BuildOptions) string {
	var b strings.Builder
	if o.Why || a.DryRun {
		for _, step := range a.Result.Steps {
			if step.How != build.UpToDate || o.Verbose {
				fmt.Fprintf(&b, "%s\n", BuildStep(step, true))
			}
		}
	}
	s.buildNotes(&b, a.Result.Notes)
	if !o.Why && !a.DryRun {
		s.buildNotes(&b, uncachedNote(a.Result.Steps))
	}
	s.resources(&b, a.Resources)
	for _, e := range a.Explained {
		b.WriteString("\n" + s.Explain(e, false))
	}
	b.WriteString(s.buildSummary(a))
	return b.String()
}

func (s Style) buildNotes(b *strings.Builder, notes []string) {
	for _, n := range notes {
		head := "note:"
		if id, what, ok := build.Warning(n); ok {
			head, n = "warning["+id+"]:", what
		}
		fmt.Fprintf(b, "%s %s\n", s.paint(yellow, head), s.wrap(clean(n), 6))
	}
}

// uncachedNote is one line on what was compiled and not remembered: it takes as long in the next clean build.
func uncachedNote(steps []build.Step) []string {
	var lost []build.Step
	for _, step := range steps {
		if step.How == build.Built && step.Source != "" && step.Uncached != "" {
			lost = append(lost, step)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	source := lost[0].Source
	text := fmt.Sprintf("not cached: %s: %s", slashes(source), strings.TrimSuffix(uncached(lost[0].Uncached), ": "+source))
	if more := len(lost) - 1; more > 0 {
		text += fmt.Sprintf("; and %d more, which --why tells", more)
	}
	return []string{text}
}

// BuildResources writes what kernels take, and nothing else.
func (s Style) BuildResources(a Build) string {
	var b strings.Builder
	s.resources(&b, a.Resources)
	return b.String()
}

func (s Style) buildSummary(a Build) string {
	r := a.Result
	count := map[string]int{}
	for _, step := range r.Steps {
		how := step.How
		if how == build.Failed && step.Optional {
			how = "optional"
		}
		count[how]++
	}
	if len(r.Steps) == 0 {
		count[build.UpToDate] = r.Fresh // nothing more was asked for
	}
	var parts []string
	for _, w := range []struct{ how, text string }{
		{"optional", "optional failed"}, {build.Failed, "failed"}, {build.Left, "not tried"}, {build.ToBuild, "to build"}, {build.Built, "built"}, {build.Cached, "from the cache"}, {build.UpToDate, "up to date"},
	} {
		if n := count[w.how]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.text))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to build"}
	}
	word, colour := "built:", green
	switch {
	case !r.OK():
		word, colour = "failed:", red
	case a.DryRun:
		word = "plan:"
	}
	text := fmt.Sprintf("%s %s", s.paint(colour, word), strings.Join(parts, ", "))
	if r.Seconds >= 0.1 {
		text += fmt.Sprintf(" in %.1f s", r.Seconds)
	}
	if !a.DryRun && r.OK() {
		text += " → " + clean(a.From)
	}
	return text + "\n"
}

func slashes(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// BuildMarkdown is the answer to be pasted.
func BuildMarkdown(a Build) string {
	var b strings.Builder
	b.WriteString("| step | how | seconds | why |\n|---|---|---|---|\n")
	for _, s := range a.Result.Steps {
		name := s.Source
		if name == "" {
			name = s.Out
		}
		fmt.Fprintf(&b, "| %s | %s | %.1f | %s |\n", cell(name), s.How, s.Seconds, cell(s.Why))
	}
	for _, c := range a.Result.Failed {
		fmt.Fprintf(&b, "\n%s:\n\n```\n%s\n```\n", cell(c.Kernel), strings.TrimRight(Lines(c.Output), "\n"))
	}
	b.WriteString("\n" + Style{}.buildSummary(a))
	return b.String()
}
