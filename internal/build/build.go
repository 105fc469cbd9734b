// Package build makes the kernels of a contract: what is up to date stays, what the store has is placed, the rest is
// compiled, the longest first. A build of the same things gives the same bytes as a clean one.
package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/cas"
	"cupel/internal/contract"
	"cupel/internal/digest"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/jobserver"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// Tools are what builds.
type Tools struct {
	Nvcc     string
	Release  version.V
	Family   string // of the host compiler: gcc, clang, msvc
	Compiler string // for -ccbin; empty: what nvcc finds
	Env      []string
	LocalEnv bool // Windows: Env holds what vcvarsall.bat would set, so nvcc need not ask it
	Platform resolve.Platform
}

// Job is what is to be built.
type Job struct {
	Root         string // of the project
	Out          string // build/cupel; below Root unless it is a whole path
	Requirements contract.Requirements
	Sources      []fact.Sources // files of each kernel, relative to Root with slashes
	Targets      []gpu.Arch     // of a kernel that names none: see environ.Archs
	Tools        Tools
	Only         []string // names of kernels; empty: all
	Resources    bool     // ptxas is asked what each kernel takes
	Named        bool     // the sources were named on the command line: their outputs are of no contract
	Narrowed     bool     // the command line replaces what the contract says, for this run: what it does not make is not dead
}

// Options are how it is built.
type Options struct {
	Store     cas.Store
	NoCache   bool  // the store is neither asked nor filled
	Jobs      int   // calls at once; 0: as many as there are processors
	Memory    int64 // bytes; 0: what is free
	KeepGoing bool
	DryRun    bool // says what would be done
	Server    *jobserver.Client
	Tell      func(Event) // progress; calls do not overlap; may be nil
	Plan      Plan
}

// Plan is where the job came from, so that the next build can see without planning that nothing changed. The zero value:
// it cannot.
type Plan struct {
	Request digest.Digest // command line, environment, program
	Machine digest.Digest // what was taken from the machine beside files
	Paths   []string      // files and folders that were read, and names that were looked for
	Way     []Folder      // those on the way from the project to the outputs; they are not in Paths and Seen
	Seen    []string      // paths of which only the kind was asked: a folder among them may change inside
	Began   time.Time     // before the first of them was
	Toolkit string        // in words
	Notes   []string      // what planning has to say
}

// Folder is one that changes when outputs are made or deleted: only its other names count.
type Folder struct {
	Path  string
	Names digest.Digest
	Link  bool // its name is a link
}

// FolderOn is a folder on the way to the outputs, with the names that are in it: none where it is not there.
func FolderOn(path string, names []string, out string) Folder {
	next := nextOn(path, out)
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == next })
	slices.Sort(names)
	h := digest.NewHash()
	h.Field("names", names...)
	return Folder{path, h.Sum(), isLink(path)}
}

// nextOn is the name in a folder by which the way goes on to another below it.
func nextOn(dir, to string) string {
	rel, _ := filepath.Rel(dir, to)
	name, _, _ := strings.Cut(rel, string(filepath.Separator))
	return name
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// How a step ended.
const (
	UpToDate = "up-to-date"
	Cached   = "cached"
	Built    = "built"
	Failed   = "failed"
	Left     = "left" // something before it failed
	ToBuild  = "to-build"
)

// Step is one call and what became of it.
type Step struct {
	Kernel   string   `json:"kernel"`
	Kind     string   `json:"kind"`
	Source   string   `json:"source,omitempty"`
	Out      string   `json:"out"`
	Archs    []string `json:"archs,omitempty"`
	How      string   `json:"how"`
	Why      string   `json:"why,omitempty"`      // what made it necessary to build it
	Uncached string   `json:"uncached,omitempty"` // why its result is not remembered
	Start    float64  `json:"start_seconds"`      // since the build began
	Seconds  float64  `json:"seconds"`
	Saved    float64  `json:"saved_seconds,omitempty"` // what the call took when it was made
	Threads  int      `json:"threads,omitempty"`
	Peak     int64    `json:"peak_bytes,omitempty"`
	Said     string   `json:"said,omitempty"` // warnings, and what ptxas told
	Argv     []string `json:"argv"`
	Optional bool     `json:"optional,omitempty"`
}

// NoPlan: what was asked for cannot be built with this toolkit or from these files.
type NoPlan struct{ Err error }

func (e NoPlan) Error() string { return "plan the build: " + e.Err.Error() }

func (e NoPlan) Unwrap() error { return e.Err }

// Output is one file that was made.
type Output struct {
	Kernel string `json:"kernel"`
	Kind   string `json:"kind"` // ptx, cubin, fatbin, object, static, shared
	Path   string `json:"path"`
	Size   int64  `json:"size"`
}

// Call is one compiler call that failed.
type Call struct {
	Kernel   string   `json:"kernel"`
	Source   string   `json:"source,omitempty"`
	Out      string   `json:"out,omitempty"`
	Argv     []string `json:"argv"`
	Code     int      `json:"code"`
	Output   string   `json:"output,omitempty"` // both streams as they came
	Optional bool     `json:"optional,omitempty"`
}

// Result is what a build made and what failed.
type Result struct {
	Outputs []Output      `json:"outputs"`
	Calls   int           `json:"calls"` // compilers and linkers that were run
	Fresh   int           `json:"up_to_date"`
	Hits    int           `json:"cached"`
	Failed  []Call        `json:"failed,omitempty"`
	Notes   []string      `json:"notes,omitempty"` // see Warning
	Steps   []Step        `json:"steps,omitempty"`
	Seconds float64       `json:"seconds"`
	Inputs  []string      `json:"-"` // every file that was read, whole
	Planned []PlannedCall `json:"-"`
	Release string        `json:"-"` // of the toolkit
	Toolkit string        `json:"-"` // in words
}

// OK says that everything that had to be built was.
func (r Result) OK() bool {
	return !slices.ContainsFunc(r.Failed, func(c Call) bool { return !c.Optional })
}

// Event is told while a build goes on.
type Event struct {
	State string // examined, waiting, started, ended
	Step  Step
	Done  int
	Total int
	Fresh int
	Hits  int
	Waits string // of waiting: memory, tokens: why the step is not started though processors are free
}
