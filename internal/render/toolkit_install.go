package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
	"cupel/internal/resolve"
)

// ToolkitInstall is the answer of toolkit install (cupel.toolkit.install/1).
type ToolkitInstall struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	DryRun   bool              `json:"dry_run,omitempty"`
	Plan     *resolve.Plan     `json:"plan,omitempty"`     // nil: no source has it
	PassedBy []ToolkitSource   `json:"passed_by"`          // sources that were not taken, and why
	Missing  []resolve.Parcel  `json:"missing,omitempty"`  // parcels of the plan that are not here yet
	Name     string            `json:"name,omitempty"`     // of the folder
	Root     string            `json:"root,omitempty"`     // of what is installed now; of a dry run: where it would be
	Already  bool              `json:"already,omitempty"`  // everything was there
	Added    []string          `json:"added,omitempty"`    // by the source's names
	Parcels  []Parcel          `json:"components"`         // files that it was made of
	Fetched  int64             `json:"fetched"`            // bytes
	Unpacked int64             `json:"unpacked"`           // bytes
	Seconds  float64           `json:"seconds"`            // all of it
	Proof    []string          `json:"proof"`              // what was tried, in words
	Compiler *HostCompiler     `json:"compiler,omitempty"` // that was brought too
	Use      string            `json:"use,omitempty"`      // what to type next
}

// Parcel is one file a toolkit was made of.
type Parcel struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size"`
}

// HostCompiler is a host compiler that came with a toolkit.
type HostCompiler struct {
	Family  string   `json:"family"` // gcc, clang, msvc
	Command string   `json:"command"`
	Version string   `json:"version"`
	Already bool     `json:"already,omitempty"`
	Proof   []string `json:"proof"`
}

// ToolkitInstall writes what was done, or would be.
func (s Style) ToolkitInstall(a ToolkitInstall) string {
	var b strings.Builder
	if a.DryRun && a.Plan != nil {
		b.WriteString(s.ToolkitPlan(*a.Plan, a.Missing, a.Root))
		b.WriteString(s.parcels(*a.Plan))
		b.WriteString("nothing was installed (--dry-run)\n")
	} else if a.Name != "" {
		s.installed(&b, a)
	}
	for _, f := range finding.Shown(a.Findings) {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.Finding(f))
	}
	return b.String()
}

func (s Style) installed(b *strings.Builder, a ToolkitInstall) {
	done := "installed"
	switch {
	case a.Already:
		done = "was installed already"
	case a.Plan.Root != "":
		done = "registered"
	}
	fmt.Fprintf(b, "%s from %s %s\n", s.paint(bold, "CUDA "+a.Plan.Release), a.Plan.Source, done)
	rows := [][]string{{"  where", a.Root}}
	if !a.Already && a.Unpacked > 0 {
		rows = append(rows, []string{"  size", fmt.Sprintf("%s fetched, %s installed, %.1f s", Bytes(a.Fetched), Bytes(a.Unpacked), a.Seconds)})
	}
	if len(a.Added) > 0 && len(a.Added) < len(a.Parcels) { // to what was there
		rows = append(rows, []string{"  added", strings.Join(a.Added, " ")})
	}
	for i, p := range a.Proof {
		rows = append(rows, []string{map[bool]string{true: "  proof", false: ""}[i == 0], p})
	}
	if c := a.Compiler; c != nil {
		rows = append(rows, []string{"  compiler", compilerName(c.Family) + " " + c.Version + " in " + c.Command})
	}
	for _, line := range table(rows) {
		b.WriteString(line + "\n")
	}
	if a.Use != "" {
		fmt.Fprintf(b, "next: %s\n", s.paint(green, a.Use))
	}
}

// compilerName is a family as people know it: the version of Visual Studio's compiler is that of cl.
func compilerName(family string) string {
	if family == "msvc" {
		return "cl"
	}
	return family
}

// ToolkitPlan says what an install is about to do: the parcels that are missing are fetched.
func (s Style) ToolkitPlan(p resolve.Plan, missing []resolve.Parcel, root string) string {
	if p.Root != "" {
		return fmt.Sprintf("CUDA %s in %s is registered in %s\n", p.Release, clean(p.Root), clean(root))
	}
	head := fmt.Sprintf("CUDA %s from %s for %s: %s\n", p.Release, p.Source, p.Platform, s.wrap(strings.Join(p.Components, " "), 2))
	total, added := p.Size, ""
	switch n := len(missing); {
	case n == 0:
		return head + fmt.Sprintf("  all of it is there, in %s\n", clean(root))
	case n < len(p.Parcels):
		total, added = resolve.Sum(missing), fmt.Sprintf("%d of %d parcels are missing: ", n, len(p.Parcels))
	}
	return head + fmt.Sprintf("  %sdownload %s, installed %s, into %s\n", added, size(total.Download), size(total.Installed), clean(root))
}

func (s Style) parcels(p resolve.Plan) string {
	rows := [][]string{}
	for _, c := range p.Parcels {
		sum := c.SHA256
		if len(sum) > 12 {
			sum = "sha256 " + sum[:12] + "…"
		}
		rows = append(rows, []string{"  " + c.Name, c.Version, size(c.Size.Download), sum})
	}
	lines := table(rows)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
