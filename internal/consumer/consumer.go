// Package consumer tells which CUDA toolkit each kind of build would pick up, and which variable, file or
// folder decided it. It reads the table data/consumers.toml, which was written from the published code of each
// consumer, and a World that somebody else gathered. It never touches the machine, and the operating system is
// a value, so a Windows answer can be had on Linux.
package consumer

// Kind says what stands at a path.
type Kind string

const (
	File       Kind = "file"
	Dir        Kind = "dir"
	Absent     Kind = "absent"
	Unreadable Kind = "unreadable"
)

// Place is what was seen at one path. Links are followed: Kind is that of the end, and Target is the fully
// resolved path when it differs from Path.
type Place struct {
	Path   string `json:"path"`
	Kind   Kind   `json:"kind"`
	Target string `json:"target,omitempty"`
	Exec   bool   `json:"exec,omitempty"` // a file with an execute bit; not asked on Windows
}

// World is what the table is judged against. A path that is not in Places is unknown: it is taken as absent,
// and Missing names it so that the gathering side can look and ask again.
type World struct {
	OS       string // linux | windows | darwin
	Arch     string // amd64 | arm64; empty is amd64
	Env      map[string]string
	PathDirs []string
	Places   map[string]Place
	Listings map[string][]string // pattern from Missing → full paths; an empty list is an answer too
	Releases map[string]string   // nvcc, as found or resolved → release it prints, "12.4"
	Tops     map[string]string   // nvcc → root it names itself, where that is not the folder above its bin
	Torch    string              // torch.version.cuda of the interpreter in use, "12.8"; empty when not known
}

// Outcome is how a consumer's search ended.
type Outcome string

const (
	Found     Outcome = "found"
	Nothing   Outcome = "nothing"   // it goes on without, or says in plain words that there is none
	Ambiguous Outcome = "ambiguous" // several candidates, all of them taken
	Panics    Outcome = "panics"    // its build stops with a panic or an error
	Unknown   Outcome = "unknown"   // the code of this version was not read, or a fact is missing
)

// Pick is the answer for one consumer: what it would take here, and why.
type Pick struct {
	Consumer string   `json:"consumer"`
	Versions string   `json:"versions"`          // range the row holds for
	Project  string   `json:"project,omitempty"` // version in the project, when there is one
	What     string   `json:"what,omitempty"`    // what this consumer takes from a toolkit
	Root     string   `json:"root,omitempty"`    // toolkit root as the consumer would spell it
	Nvcc     string   `json:"nvcc,omitempty"`    // nvcc it would start
	Include  string   `json:"include,omitempty"` // header folder
	Libs     []string `json:"libs,omitempty"`    // library folders (or the one library), in its order
	Step     string   `json:"step,omitempty"`    // the step that decided, in words
	Decider  string   `json:"decider,omitempty"` // variable, file or "PATH"
	Outcome  Outcome  `json:"outcome"`
	Why      string   `json:"why,omitempty"`   // what was passed over, or why nothing was found
	Notes    []string `json:"notes,omitempty"` // side effects worth knowing here
	Source   []string `json:"source,omitempty"`
	Proved   string   `json:"proved,omitempty"` // "run" or "read", on this operating system
}

// Paths lists every path whose existence the table asks about before anything is known of the machine.
func Paths(os string, env map[string]string, pathDirs []string) []string {
	paths, _ := Missing(World{OS: os, Env: env, PathDirs: pathDirs})
	return paths
}

// Missing lists the paths and glob patterns that the table asks about and the World does not hold yet. Fill
// them in and ask again until both are empty: what is found in one round leads to new questions in the next,
// and each round asks only about places below those that were found.
func Missing(w World) (paths, globs []string) {
	v := newView(w)
	for _, row := range Rows() {
		row.pick(v)
	}
	return v.missing()
}

// All answers for every consumer: with the row of the version in the project where versions names one (by
// Row.Key: a crate, cmake, torch, bitsandbytes), else with the row of the newest published version.
func All(w World, versions map[string]string) []Pick {
	v := newView(w)
	var out []Pick
	for _, group := range groups() {
		out = append(out, group.pick(v, versions[group[0].Key]))
	}
	return out
}
