package fact

// Project is what the files of a project folder say about how it builds. It stands beside Machine: a
// snapshot replaces the machine only.
type Project struct {
	Root      string      `json:"root"`
	Locks     []string    `json:"locks,omitempty"`       // each Cargo.lock that was read
	Crates    []Crate     `json:"crates,omitempty"`      // CUDA-related packages of Cargo.lock
	CargoEnv  []FileValue `json:"cargo_env,omitempty"`   // .cargo/config.toml [env]
	Target    FileValue   `json:"target,omitzero"`       // build.target of .cargo/config.toml
	Wrapper   FileValue   `json:"wrapper,omitzero"`      // build.rustc-wrapper
	Toolchain FileValue   `json:"toolchain,omitzero"`    // rust-toolchain.toml channel
	Exports   []FileValue `json:"exports,omitempty"`     // Makefile
	Presets   []FileValue `json:"presets,omitempty"`     // CMakePresets.json
	Cache     []FileValue `json:"cmake_cache,omitempty"` // CMakeCache.txt
	Reads     []string    `json:"reads,omitempty"`       // variables the project's own sources name
	Bindgen   bool        `json:"bindgen,omitempty"`
	Troubles  []Trouble   `json:"troubles,omitempty"`

	// What the contract asked to be looked up in the project's files.
	Pins    []PinValue `json:"pins,omitempty"`
	Kernels []Sources  `json:"kernels,omitempty"`
}

// PinValue is one place where the value of a pin stands. Why says what kept it from being read: no file, no
// match.
type PinValue struct {
	Pin   string `json:"pin"`
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
	Value string `json:"value,omitempty"`
	Why   string `json:"why,omitempty"`
}

// Sources are the files of one kernel. Empty names patterns that match nothing.
type Sources struct {
	Kernel string   `json:"kernel"`
	Files  []string `json:"files,omitempty"`
	Empty  []string `json:"empty,omitempty"`
}

// Clue is one thing a project's file shows about what it needs: the contract's key it speaks for, the value, and
// the line that says so.
type Clue struct {
	Key   string // toolkit.min, arch.targets, env, kernels.sources, components.cudnn …
	Value string
	File  string // relative to the project, with forward slashes
	Line  int
	Text  string // the line itself, shortened
	Note  string // what is uncertain about it
}

// Crate is one locked package with the ways that lead to it.
type Crate struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Chain   []string `json:"chain,omitempty"`   // from a workspace member down to it
	Feature string   `json:"feature,omitempty"` // the member's feature that pulls it in, when Cargo.toml tells
}

// FileValue is one setting with the file and line that makes it.
type FileValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
	Force bool   `json:"force,omitempty"` // it wins over the environment
}

// IsZero keeps settings that nobody makes out of the JSON form.
func (v FileValue) IsZero() bool { return v.Name == "" && v.Value == "" }
