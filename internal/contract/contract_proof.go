package contract

// Pin is a value that must be the same wherever it is written.
type Pin struct {
	Value    string    `toml:"value" doc:"what it must be; without it the files must agree with each other"`
	Files    []PinFile `toml:"files" need:"yes" doc:"where it is written"`
	Severity string    `toml:"severity" one:"error warning info" doc:"how bad a difference is; error unless said"`
	Reason   string    `toml:"reason" doc:"why they must agree"`
}

// PinFile is one place of a pin.
type PinFile struct {
	File    Path   `toml:"file" need:"yes" doc:"the file, relative to cupel.toml"`
	Pattern Regexp `toml:"pattern" need:"yes" doc:"regular expression (RE2) whose first group is the value; every match counts"`
}

// Reference is the machine that decides.
type Reference struct {
	Snapshot Path   `toml:"snapshot" doc:"its saved snapshot (cupel doctor --json), relative to cupel.toml"`
	Name     string `toml:"name" doc:"what people call it"`
	Ignore   Words  `toml:"ignore" one:"system driver gpu toolkit compiler library python rust variable" doc:"what may differ"`
}

// Set is a named set of checks.
type Set struct {
	Checks   []string `toml:"checks" need:"yes" doc:"ids of checks or patterns: toolkit-*"`
	Strict   bool     `toml:"strict" doc:"warnings fail"`
	FailFast bool     `toml:"fail-fast" doc:"stop at the first failure"`
	Build    bool     `toml:"build" doc:"run the smoke configs too"`
}

// Gate is a decision with its rule and evidence.
type Gate struct {
	ID       string   `toml:"id" need:"yes" doc:"its id"`
	After    []string `toml:"after" doc:"gates before it"`
	Checks   []string `toml:"checks" doc:"checks that must pass"`
	Command  Command  `toml:"command" doc:"what is run"`
	Decision string   `toml:"decision" doc:"the rule: when it is passed"`
	Evidence []string `toml:"evidence" doc:"files that prove it"`
}

// HardwareGated is something only certain hardware can prove.
type HardwareGated struct {
	Item       string `toml:"item" need:"yes" doc:"what"`
	Why        string `toml:"why" need:"yes" doc:"which hardware, and why"`
	VerifiedBy string `toml:"verified-by" doc:"the run that proved it"`
}

// Smoke is a proof that the built thing works.
type Smoke struct {
	Name    string  `toml:"name" need:"yes" doc:"its name"`
	Command Command `toml:"command" doc:"what is run"`
	Level   string  `toml:"level" one:"init alloc copy jit launch" doc:"or: how far cupel's own proof goes"`
	HTTP    string  `toml:"http" doc:"or: an address that must answer"`
	Expect  string  `toml:"expect" doc:"regular expression the answer must match"`
	Needs   Needs   `toml:"needs" doc:"what must be there"`
}

// Explain is a failure the project knows.
type Explain struct {
	Pattern Regexp `toml:"pattern" need:"yes" doc:"regular expression on a line of the log"`
	Cause   string `toml:"cause" need:"yes" doc:"the cause"`
	Fix     string `toml:"fix" need:"yes" doc:"what to do"`
	Label   Label  `toml:"label" doc:"which of cupel's causes it is (cupel explain --list names them); its own when not said"`
	Source  string `toml:"source" doc:"where that can be read"`
}

// Scope is what a platform goes without.
type Scope struct {
	Off []Off `toml:"off" need:"yes" doc:"what is off"`
}

// Off is one thing a platform goes without.
type Off struct {
	Item     string `toml:"item" short:"yes" need:"yes" doc:"what"`
	Reason   string `toml:"reason" doc:"why"`
	FollowUp string `toml:"follow-up" doc:"where it is followed up"`
}

// MPS is the project's stand on the Multi-Process Service.
type MPS struct {
	Use              string `toml:"use" one:"required optional forbidden" doc:"whether the program runs under it"`
	MaxClients       int    `toml:"max-clients" doc:"how many processes share a device"`
	ThreadPercentage int    `toml:"active-thread-percentage" doc:"share of each client"`
	Reason           string `toml:"reason" doc:"why"`
}

// Port is a port to another platform.
type Port struct {
	To     Words        `toml:"to" one:"linux windows wsl2" doc:"platforms aimed at"`
	Paths  []Glob       `toml:"paths" doc:"what is audited; everything unless said"`
	Ignore []PortIgnore `toml:"ignore" doc:"what is known and accepted"`
}

// PortIgnore is something known and accepted.
type PortIgnore struct {
	Check  string `toml:"check" need:"yes" doc:"the id"`
	Path   Glob   `toml:"path" doc:"where; everywhere unless said"`
	Reason string `toml:"reason" need:"yes" doc:"why"`
}
