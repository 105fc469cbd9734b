package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
	"cupel/internal/resolve"
)

// ToolkitSearch is the answer of toolkit search (cupel.toolkit.search/1).
type ToolkitSearch struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	Platform resolve.Platform  `json:"platform"`
	Release  string            `json:"release,omitempty"` // what was asked for
	Sources  []ToolkitSource   `json:"sources"`
}

// ToolkitSource is what one source answered.
type ToolkitSource struct {
	Name      string          `json:"name"`
	Reachable bool            `json:"reachable"`
	Why       string          `json:"why,omitempty"`  // it cannot be used
	Next      string          `json:"next,omitempty"` // what would make it usable
	Offers    []resolve.Offer `json:"offers"`
	Older     int             `json:"older,omitempty"` // updates that are not shown: a newer one of the same release is
}

// ToolkitSearch writes it as a table, then what could not be asked.
func (s Style) ToolkitSearch(a ToolkitSearch) string {
	var b strings.Builder
	rows := [][]string{{"RELEASE", "SOURCE", "DOWNLOAD", "INSTALLED", "FULL DOWNLOAD", "FULL INSTALLED", "NOTE"}}
	older := 0
	for _, src := range a.Sources {
		older += src.Older
		for _, o := range src.Offers {
			rows = append(rows, []string{o.Release, o.Source, size(o.Minimal.Download), size(o.Minimal.Installed), size(o.Full.Download), size(o.Full.Installed), o.Note})
		}
	}
	if len(rows) > 1 {
		fmt.Fprintf(&b, "CUDA toolkits for %s\n\n", a.Platform)
		for i, line := range table(rows) {
			b.WriteString(s.paint(map[bool]string{true: bold}[i == 0], line) + "\n")
		}
		b.WriteString("\n")
	}
	if a.Release != "" {
		b.WriteString(s.offered(a))
	}
	for _, src := range a.Sources {
		if !src.Reachable {
			fmt.Fprintf(&b, "%s\n", s.Refused(src.Name, src.Why, src.Next))
		}
	}
	if older > 0 {
		fmt.Fprintf(&b, "%s not shown (--all)\n", count(older, "older update"))
	}
	for _, f := range finding.Shown(a.Findings) {
		if f.Severity != finding.Info { // an unreachable source has its line above
			b.WriteString("\n" + s.Finding(f))
		}
	}
	return b.String()
}

// offered lists the components of what was asked for, a source each.
func (s Style) offered(a ToolkitSearch) string {
	var b strings.Builder
	for _, src := range a.Sources {
		for _, o := range src.Offers {
			fmt.Fprintf(&b, "%s from %s: %s\n", o.Release, o.Source, s.wrap(strings.Join(o.Components, " "), 2))
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// Refused says in one line why a source is not used.
func (s Style) Refused(name, why, next string) string {
	text := name + ": " + why
	if next != "" {
		text += " (" + next + ")"
	}
	return s.paint(yellow, clean(text))
}
