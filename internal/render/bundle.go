package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
)

// Bundle is the answer of bundle (cupel.bundle/1).
type Bundle struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	Call     string            `json:"call"` // RUN.NUMBER
	File     string            `json:"file"`
	Size     int64             `json:"size"`
	Parts    []BundlePart      `json:"parts"`
}

// BundlePart is one file of the archive.
type BundlePart struct {
	Name string `json:"name"`
	What string `json:"what"`
	Size int64  `json:"size"`
}

// Bundle writes what is inside, and asks to look.
func (s Style) Bundle(a Bundle) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: call %s, %s\n", clean(a.File), a.Call, Bytes(a.Size))
	var rows [][]string
	for _, p := range a.Parts {
		rows = append(rows, []string{"  " + p.Name, Bytes(p.Size), p.What})
	}
	b.WriteString(strings.Join(table(rows), "\n") + "\n")
	b.WriteString("Names of people and machines and whatever looks like a secret were replaced. Look into it before you publish it.\n")
	return b.String()
}
