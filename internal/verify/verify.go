// Package verify judges a machine and a project's files against the project's contract: one check per demand, in
// a fixed order, expected beside found. It is pure: machine, project and saved snapshots were gathered before.
package verify

import (
	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

// Format is the version of the JSON answer.
const Format = "cupel.verify/1"

// Status is how a check ended.
type Status string

const (
	Pass         Status = "pass"
	Fail         Status = "fail"
	Warn         Status = "warn"
	ExpectedFail Status = "expected-fail" // it failed, and the contract says it must
	Skipped      Status = "skipped"       // After or Why says what kept it from being made
)

// Check is one line of the answer: a finding with a status. What is the line's title for a check that passed.
type Check struct {
	finding.Finding
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"` // what the contract demands, in few words
	Found    string `json:"found,omitempty"`    // what is there, in few words
	Key      string `json:"key,omitempty"`      // the contract's key: toolkit.min
	After    string `json:"after,omitempty"`    // id of the check that had to pass first and did not
}

// Band is where the chosen toolkit stands.
type Band string

const (
	NoToolkit   Band = "none"
	Below       Band = "below minimum"
	Excluded    Band = "excluded"
	Supported   Band = "supported"
	Recommended Band = "recommended"
	Newer       Band = "newer than verified"
)

// Input is everything a check may look at.
type Input struct {
	Contract  *contract.Contract
	Machine   fact.Machine
	Project   fact.Project
	Platform  contract.Platform // see PlatformOf; --as sets it
	Choice    choice.Options    // Recommended is filled from the contract when empty
	Host      string            // --host-compiler: what the build will be told to use; empty: what nvcc takes by itself
	Reference *fact.Machine     // the saved snapshot of [reference], when there is one
	RefWhy    string            // why it could not be read
	Only      []string          // ids or patterns; empty: all
	FailFast  bool              // stop after the first failure
	Strict    bool              // warnings fail
	Version   string

	// Asked: the survey also read the variables that the contract names. A snapshot holds those of the tables
	// alone, so what it lacks of the others may still be set.
	Asked   bool
	Flags   string // what was said on the command line to find the toolkit, for commands in next: --python …
	NoRules bool   // leave the doctor's rules out: for a search that judges hundreds of machines
}

// Answer is everything verify says. Findings holds every check, those that passed too, in the fixed order.
type Answer struct {
	Format    string      `json:"format"`
	Cupel     string      `json:"cupel"`
	Findings  []Check     `json:"findings"`
	Contract  string      `json:"contract"`
	Project   string      `json:"project"`
	Platform  string      `json:"platform"` // linux, wsl2 on CI …
	Toolkit   string      `json:"toolkit,omitempty"`
	Band      Band        `json:"band"`
	Chosen    choice.Pick `json:"chosen"`
	Reference *Compared   `json:"reference,omitempty"`
	Passed    bool        `json:"passed"`
	Strict    bool        `json:"strict,omitempty"`
}

// Compared is how this machine differs from the one that decides.
type Compared struct {
	Name        string       `json:"name"`
	Snapshot    string       `json:"snapshot"`
	Here        bool         `json:"here"` // this is the machine that decides: a difference fails
	Differences []Difference `json:"differences"`
}

// Difference is one fact that is not the same.
type Difference struct {
	About string `json:"about"`
	What  string `json:"what"`
	Here  string `json:"here"`
	There string `json:"there"`
}
