// Package diagnose names the cause of a failure from a log: known signatures are looked for in one pass, the
// first root error is told from its consequences, and what a machine's facts say about it is added. It reads
// the log it is given and the tables, never the machine.
package diagnose

import "cupel/internal/finding"

// Format is the version of the JSON answer.
const Format = "cupel.explain/1"

// Labels that stand for no known cause.
const (
	Unknown = "unknown"
	NotCUDA = "not-cuda"
)

// Answer is everything `cupel explain` says. Findings are ranked: the first is the cause. A log without a
// failure has none.
type Answer struct {
	Format   string    `json:"format"`
	Cupel    string    `json:"cupel"`
	Findings []Finding `json:"findings"`
	Log      LogFacts  `json:"log"`
	Wrappers []Note    `json:"wrappers,omitempty"` // lines that say that something failed, not why
	Noticed  []Note    `json:"noticed,omitempty"`  // warnings, and failures the build got over
	Telling  []Line    `json:"telling,omitempty"`  // for an unknown cause: the lines to read first
	Code     *Code     `json:"code,omitempty"`     // what was asked, where it is a code
	Looked   []string  `json:"looked,omitempty"`   // files that were read besides the log
	Machine  string    `json:"machine,omitempty"`  // the machine whose facts were asked, in words
}

// Finding is one cause, with the place in the log.
type Finding struct {
	finding.Finding
	Title        string            `json:"title,omitempty"`
	Stage        string            `json:"stage,omitempty"`
	Line         int               `json:"line,omitempty"`    // of the log
	Count        int               `json:"count,omitempty"`   // matches
	Text         string            `json:"text,omitempty"`    // the matched text
	Command      string            `json:"command,omitempty"` // the command above it in the log
	Excerpt      []string          `json:"excerpt,omitempty"` // the lines around it
	File         string            `json:"file,omitempty"`    // the source file the message names
	FileLine     int               `json:"file_line,omitempty"`
	Values       map[string]string `json:"values,omitempty"` // captures, and what the log tells
	Alternatives []Alternative     `json:"alternatives,omitempty"`
	Machine      *Check            `json:"machine,omitempty"` // what this machine says to it
	Source       []string          `json:"source,omitempty"`
}

// Alternative is another cause that the same message can have.
type Alternative struct {
	Label string `json:"label"`
	What  string `json:"what"`
}

// Check is what the facts of a machine say to a cause.
type Check struct {
	State string   `json:"state"` // confirmed, contradicted, not-seen
	Text  string   `json:"text"`
	Rules []string `json:"rules,omitempty"` // doctor findings it rests on
}

// States of a check.
const (
	Confirmed    = "confirmed"
	Contradicted = "contradicted"
	NotSeen      = "not-seen"
)

// Note is something seen that is no cause.
type Note struct {
	ID   string `json:"id"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// Line is one line of the log.
type Line struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// LogFacts is what the log itself tells.
type LogFacts struct {
	Name      string            `json:"name,omitempty"`
	Kind      string            `json:"kind,omitempty"` // file, input, code or message
	Lines     int               `json:"lines"`
	Bytes     int64             `json:"bytes"`
	Failed    bool              `json:"failed"`
	Platforms []string          `json:"platforms,omitempty"`
	Values    map[string]string `json:"values,omitempty"`
}

// MostCounted is how far the matches of one signature are counted.
const MostCounted = 1000
