// Package finding holds the one type in which cupel tells a person what is wrong: what happened, where, why,
// and what to type next. Doctor, verify, build, explain, inspect and port all speak it. It is a word, not a
// decision: rules make findings, render shows them.
package finding

// Severity orders findings by what they stop.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Rank sorts errors before warnings before information.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	}
	return 2
}

// Finding is one thing a person should know. ID is a kebab slug, stable for ever. CausedBy names the finding
// that silences this one: the root cause is shown, its consequences are counted.
type Finding struct {
	ID       string     `json:"id"`
	Severity Severity   `json:"severity"`
	What     string     `json:"what"`
	Where    string     `json:"where,omitempty"`
	Why      string     `json:"why,omitempty"`
	Next     []Step     `json:"next,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"`
	CausedBy string     `json:"caused_by,omitempty"`
	Label    string     `json:"label,omitempty"`

	// Subject is what it is about where several such things can be side by side (a toolkit's root): a cause
	// silences consequences about the same subject only.
	Subject string `json:"-"`
}

// Step is one thing to do. Command can be pasted; Note says what it does or what stands in its place when no
// single command exists.
type Step struct {
	Command string `json:"command,omitempty"`
	Note    string `json:"note,omitempty"`
}

// Evidence is one place where the fact behind the finding can be looked at.
type Evidence struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

// Shown leaves the silenced findings out.
func Shown(all []Finding) []Finding {
	var out []Finding
	for _, f := range all {
		if f.CausedBy == "" {
			out = append(out, f)
		}
	}
	return out
}

// Count tells how many shown findings have the severity.
func Count(all []Finding, s Severity) int {
	n := 0
	for _, f := range all {
		if f.CausedBy == "" && f.Severity == s {
			n++
		}
	}
	return n
}
