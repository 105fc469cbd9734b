package render

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
)

// ToolkitList is the answer of toolkit list (cupel.toolkit.list/1).
type ToolkitList struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	Home     string            `json:"home"` // where cupel installs
	Toolkits []ListedToolkit   `json:"toolkits"`
	Others   []ListedOther     `json:"others"` // compilers and libraries that cupel brought
}

// ListedToolkit is one toolkit: installed by cupel, registered, or found on the machine.
type ListedToolkit struct {
	Name     string `json:"name,omitempty"` // of cupel's folder
	Release  string `json:"release"`
	Nvcc     string `json:"nvcc,omitempty"`
	Source   string `json:"source"`   // where it came from: pip, redist, installer, distribution …
	Platform string `json:"platform"` // linux-x86_64
	Root     string `json:"root"`
	Size     int64  `json:"size,omitempty"` // bytes; 0: not known
	Cupel    bool   `json:"by_cupel"`
	Foreign  bool   `json:"foreign,omitempty"` // made for another platform than this one
	Active   bool   `json:"active,omitempty"`
	Chosen   bool   `json:"chosen,omitempty"`
	Reason   string `json:"reason,omitempty"` // why it is the chosen one
	Broken   string `json:"broken,omitempty"`
}

// ListedOther is a compiler or library.
type ListedOther struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Release string `json:"release"`
	Source  string `json:"source"`
	Path    string `json:"path"`
	Size    int64  `json:"size,omitempty"`
	Broken  string `json:"broken,omitempty"`
}

// ToolkitList writes one line for each.
func (s Style) ToolkitList(a ToolkitList) string {
	var b strings.Builder
	rows := [][]string{{"  ", "RELEASE", "SOURCE", "PLATFORM", "SIZE", "NAME", "ROOT", ""}}
	reason := ""
	for _, t := range a.Toolkits {
		rows = append(rows, []string{marks(t), orDash(t.Release), t.Source, t.Platform, listSize(t.Size), orDash(t.Name), t.Root, listNote(t)})
		if t.Chosen {
			reason = t.Reason
		}
	}
	if len(rows) == 1 {
		b.WriteString("no toolkit is here\n")
		rows = nil
	}
	for _, line := range table(rows) {
		b.WriteString(line + "\n")
	}
	if reason != "" {
		fmt.Fprintf(&b, "* chosen: %s\n", clean(reason))
	}
	rows = nil
	for _, o := range a.Others {
		rows = append(rows, []string{"  ", o.Release, o.Source, strings.TrimSuffix(o.Kind, "s"), listSize(o.Size), o.Name, o.Path, o.Broken})
	}
	for _, line := range table(rows) {
		b.WriteString(line + "\n")
	}
	for _, f := range finding.Shown(a.Findings) {
		b.WriteString("\n" + s.Finding(f))
	}
	return b.String()
}

// marks are the doctor's: * chosen, > active.
func marks(t ListedToolkit) string {
	m := " "
	if t.Chosen {
		m = "*"
	}
	if t.Active {
		return m + ">"
	}
	return m + " "
}

func listSize(n int64) string {
	if n <= 0 {
		return "-"
	}
	return Bytes(n)
}

func listNote(t ListedToolkit) string {
	switch {
	case t.Broken != "":
		return t.Broken
	case t.Foreign:
		return "for another platform"
	case t.Cupel:
		return "cupel's"
	}
	return ""
}

// ToolkitCheck is the answer of toolkit verify (cupel.toolkit.verify/1).
type ToolkitCheck struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	Findings []finding.Finding `json:"findings"`
	Checked  []CheckedToolkit  `json:"checked"`
}

// CheckedToolkit is one folder that was compared with its manifest.
type CheckedToolkit struct {
	Name   string         `json:"name"`
	Dir    string         `json:"dir"`
	Files  int            `json:"files"`
	Faults []CheckedFault `json:"faults"`
	Note   string         `json:"note,omitempty"`

	Unreadable bool `json:"unreadable,omitempty"` // its manifest, or a file, could not be read
}

// CheckedFault is one file that is not as it was installed.
type CheckedFault struct {
	Path string `json:"path"`
	What string `json:"what"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}

// shownFaults are enough to see what happened; JSON has all.
const shownFaults = 10

// ToolkitCheck writes a line for each folder, its faults below it.
func (s Style) ToolkitCheck(a ToolkitCheck) string {
	var b strings.Builder
	for _, c := range a.Checked {
		state := s.paint(green, "as installed")
		if len(c.Faults) > 0 {
			state = s.paint(red, count(len(c.Faults), "fault"))
		}
		switch {
		case c.Unreadable:
			fmt.Fprintf(&b, "%s: %s", clean(c.Name), s.paint(red, "could not be compared"))
		case c.Note != "":
			fmt.Fprintf(&b, "%s: %s", clean(c.Name), clean(c.Note))
			if len(c.Faults) > 0 {
				b.WriteString(", " + state)
			}
		default:
			fmt.Fprintf(&b, "%s: %s, %s", clean(c.Name), count(c.Files, "file"), state)
		}
		b.WriteString("\n")
		for i, f := range c.Faults {
			if i == shownFaults {
				fmt.Fprintf(&b, "  … and %d more (--json shows all)\n", len(c.Faults)-i)
				break
			}
			fmt.Fprintf(&b, "  %s: %s\n", clean(f.Path), clean(faultText(f)))
		}
	}
	for _, f := range finding.Shown(a.Findings) {
		b.WriteString("\n" + s.Finding(f))
	}
	return b.String()
}

func faultText(f CheckedFault) string {
	if f.Want == "" {
		return f.What
	}
	return fmt.Sprintf("%s: it is %s, was %s", f.What, f.Got, f.Want)
}
