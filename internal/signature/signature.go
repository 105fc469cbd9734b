// Package signature reads the known failures: one TOML file each under data/signatures, with the patterns that
// tell it in a log, the causes it can have and what to do about each. It knows the words of a signature and
// nothing about any single failure; package diagnose applies them to a log.
package signature

import (
	"slices"

	"cupel/internal/finding"
)

// Role says what a match is worth. The order is the order in which matches are ranked.
type Role string

const (
	Cause   Role = "cause"   // a decisive message
	Plain   Role = "plain"   // an ordinary error of a language or tool, outside CUDA: ranks below every cause
	Symptom Role = "symptom" // often the consequence of something else: tells a cause only when no other does
	Wrapper Role = "wrapper" // says that something failed, never why; it has no causes
	Warning Role = "warning" // harmless alone: noticed, never a finding
)

// Roles are all of them, the most telling first.
var Roles = []Role{Cause, Plain, Symptom, Wrapper, Warning}

// Rank orders matches by role, lowest first.
func (r Role) Rank() int {
	for i, other := range Roles {
		if r == other {
			return i
		}
	}
	return len(Roles)
}

// Stages of a build and run, in their order.
var Stages = []string{"install", "configure", "compile", "device-link", "link", "load", "run"}

// Signature is one known failure. ID is the name of its file.
type Signature struct {
	ID       string           `toml:"-"`
	Title    string           `toml:"title"` // one line, for --list
	Stage    string           `toml:"stage"`
	Tool     string           `toml:"tool"` // who prints it
	Role     Role             `toml:"role"` // empty: cause
	Severity finding.Severity `toml:"-"`
	Platform []string         `toml:"platform"` // where it can be printed: linux, windows, wsl2, container, macos; empty: anywhere
	Toolkit  string           `toml:"toolkit"`  // range of CUDA releases that print it; empty: all
	Beats    []string         `toml:"beats"`    // signatures whose match is a consequence of this one where both match
	Rows     []string         `toml:"row"`      // rows of testdata/facts/errors.json that it covers
	Hint     string           `toml:"hint"`     // wrapper: where the real output is
	Lost     bool             `toml:"lost"`     // wrapper: the compiler's output was thrown away
	Source   []string         `toml:"source"`
	Patterns []Pattern        `toml:"pattern"`
	Causes   []Reason         `toml:"cause"`
	Examples []Example        `toml:"example"`
	Near     []NearMiss       `toml:"near-miss"`

	Project bool `toml:"-"` // a row of the contract: comes before all others
}

// Pattern tells a signature in a log. Exactly one of Literal, Regex and Code is set. Regular expressions are
// RE2, matched on one cleaned line; with Lines above 1 on that many lines before and after too, blank ones
// left out, each trimmed, joined by one blank. Named groups are captures.
type Pattern struct {
	Literal string `toml:"literal"`
	Regex   string `toml:"regex"`
	Code    int    `toml:"code"` // a CUDA error in every spelling: name, message, number
	Lines   int    `toml:"lines"`
	Unless  string `toml:"unless"` // a regular expression on the same text that forbids the match
}

// Reason is one cause that a signature can have. The first whose condition holds is told, the others are
// alternatives. In What, Why and fixes {name} stands for a capture or a value of the log or machine and
// {name|text} has a default.
type Reason struct {
	Label  string   `toml:"label"`
	When   When     `toml:"when"`
	What   string   `toml:"what"`
	Why    string   `toml:"why"`
	Rules  []string `toml:"rule"` // doctor rules that show the same on a machine, besides those with the label
	Fixes  []Fix    `toml:"fix"`
	Source []string `toml:"source"`
}

// Fix is one thing to do. One whose condition does not hold, or with a value that is not known, is left out.
type Fix struct {
	Command string `toml:"command"`
	Note    string `toml:"note"`
	When    When   `toml:"when"`
}

// When is a condition: every key that is set must hold, of a list one entry is enough. Regular expressions
// are RE2 on cleaned lines.
type When struct {
	Platform   []string          `toml:"platform"`    // the log or the machine is of one of these
	Log        []string          `toml:"log"`         // seen on any line of the log
	NotLog     []string          `toml:"not-log"`     // seen on no line
	Above      []string          `toml:"above"`       // seen on one of the 40 lines above the match
	Near       []string          `toml:"near"`        // seen within 12 lines of the match, or on it
	NotNear    []string          `toml:"not-near"`    // seen on none of them
	Line       []string          `toml:"line"`        // on the matched text itself
	NotLine    []string          `toml:"not-line"`    //
	Capture    map[string]string `toml:"capture"`     // a capture matches the expression
	NotCapture map[string]string `toml:"not-capture"` //
	Arch       string            `toml:"arch"`        // capture "arch" against the toolkit: newer, dropped, known
	Toolkit    string            `toml:"toolkit"`     // the toolkit's release, as far as log or machine tell it, is in this range
	Doctor     []string          `toml:"doctor"`      // one of these rules (ids or labels) fires on the machine
	NotDoctor  []string          `toml:"not-doctor"`  // the machine is known and none of these fires
}

// Example is a text that this signature must claim first, with the label.
type Example struct {
	Text     string `toml:"text"`
	Label    string `toml:"label"`
	Platform string `toml:"platform"` // as with --platform
	Source   string `toml:"source"`   // for people: where such a text was seen
}

// NearMiss is a text that looks like it and that this signature must not claim; Label is what it is instead,
// "none" where there is no failure, empty where anything but this signature is right.
type NearMiss struct {
	Text  string `toml:"text"`
	Label string `toml:"label"`
	Why   string `toml:"why"`
}

// Labels are the causes it can have, each once.
func (s *Signature) Labels() []string {
	var out []string
	for _, r := range s.Causes {
		if !slices.Contains(out, r.Label) {
			out = append(out, r.Label)
		}
	}
	return out
}
