// Package call holds the words of a recorded build: a run is one command under cupel exec, a call is one compiler call
// of it. It has the types that are written and read, and what may not be written down: the values of variables whose
// names look like secrets. It reads nothing; package record does. The shim uses it, so it leans on little.
package call

import "time"

// Format is the format of a run's folder (docs/formats/run.md).
const Format = "cupel.run/1"

// Run is one command under cupel exec.
type Run struct {
	Format   string            `json:"format"`
	Cupel    string            `json:"cupel"`
	ID       string            `json:"id"`
	Name     string            `json:"name,omitempty"` // of an experiment: --try, --config
	Began    time.Time         `json:"began"`
	Command  []string          `json:"command"`
	Options  []string          `json:"options,omitempty"` // of cupel exec, as they were given
	Dir      string            `json:"dir"`
	Project  string            `json:"project,omitempty"` // folder of cupel.toml
	OS       string            `json:"os"`
	Arch     string            `json:"arch"`
	Toolkit  Toolkit           `json:"toolkit"`
	Compiler string            `json:"host_compiler,omitempty"` // the one that was named; empty: what nvcc takes
	Tools    map[string]string `json:"tools"`                   // name of each tool with a shim → the real program
	Set      map[string]string `json:"set,omitempty"`           // variables that exec set, without secrets
	Fixes    []string          `json:"fixes,omitempty"`         // repairs that may be made, by name
	End      *RunEnd           `json:"end,omitempty"`           // nil: still running, or ended with cupel itself
}

// Toolkit is the one a run was given.
type Toolkit struct {
	Release string `json:"release"`
	Nvcc    string `json:"nvcc,omitempty"` // its build: 13.0.88
	Root    string `json:"root"`
	Mirror  string `json:"mirror"` // the root with the shim in it, which the command sees
}

// RunEnd is how a run ended.
type RunEnd struct {
	Ended    time.Time `json:"ended"`
	Seconds  float64   `json:"seconds"`
	Code     int64     `json:"code"`             // the command's own
	Signal   string    `json:"signal,omitempty"` // SIGTERM; Code is 128 and its number then
	Status   string    `json:"status,omitempty"` // of Windows, named: 0xC0000135 (STATUS_DLL_NOT_FOUND)
	Error    string    `json:"error,omitempty"`  // why it could not be started
	TimedOut bool      `json:"timed_out,omitempty"`
	Left     []Process `json:"left,omitempty"`      // what the command left running, and was ended
	PassedBy []Process `json:"passed_by,omitempty"` // compilers that were started without the shim, as far as seen
}

// Process is a program that was seen running below the command.
type Process struct {
	PID    int      `json:"pid"`
	Path   string   `json:"path"`
	Args   []string `json:"args,omitempty"` // with the program itself
	Dir    string   `json:"dir,omitempty"`
	Parent string   `json:"parent,omitempty"` // path of the program that started it
}

// Call is one compiler call. Number counts from 1 in the order in which calls began; RUN.NUMBER names it for ever.
type Call struct {
	Run    string  `json:"run"`
	Number int     `json:"number"`
	Begin  Begin   `json:"begin"`
	Output []Chunk `json:"output,omitempty"`
	End    *End    `json:"end,omitempty"`  // nil: the shim itself was ended before, or still runs
	Torn   string  `json:"torn,omitempty"` // what could not be read of the record
}

// Begin is what is known when a call starts.
type Begin struct {
	Tool     string    `json:"tool"`               // nvcc, ptxas, g++
	Path     string    `json:"path"`               // the real program
	Args     []string  `json:"args"`               // as the shim was called, without the program
	Expanded []string  `json:"expanded,omitempty"` // with response files in their place; nil: there were none
	Lost     []string  `json:"lost,omitempty"`     // response files that could not be read, with why
	Dir      string    `json:"dir"`
	At       time.Time `json:"at"`
	PID      int       `json:"pid"`
	Parent   int       `json:"parent"`
	Caller   string    `json:"caller,omitempty"` // path of the program that called, where it can be told
	Merged   bool      `json:"merged,omitempty"` // both streams went to one place: all is recorded as stdout, in its order
	Env      Diff      `json:"env"`
	Inputs   []File    `json:"inputs,omitempty"`
	Changes  []Change  `json:"changes,omitempty"` // repairs; Args are those before them
	Used     []string  `json:"used,omitempty"`    // the arguments after repairs; nil: Args
	Outside  bool      `json:"outside,omitempty"` // the environment was cleaned on the way: the run was found by its processes
}

// CacheHit in End.Cache: the store had the result, and nothing was run.
const CacheHit = "hit"

// End is how a call ended.
type End struct {
	At      time.Time `json:"at"`
	Seconds float64   `json:"seconds"`
	User    float64   `json:"user_seconds"`
	System  float64   `json:"system_seconds"`
	Peak    int64     `json:"peak_bytes"` // of the largest process (Linux), of all together (Windows)
	Code    int64     `json:"code"`       // exit code; on Windows the whole 32 bits
	Signal  string    `json:"signal,omitempty"`
	Status  string    `json:"status,omitempty"`
	Error   string    `json:"error,omitempty"` // why the real program could not be started
	Outputs []File    `json:"outputs,omitempty"`
	Dropped int64     `json:"dropped,omitempty"` // bytes of output that were passed on and not kept
	Cache   string    `json:"cache,omitempty"`   // hit: the store had the result, and nothing was run; miss or refused, with the reason
}

// File is an input or output with its size; -1: it was not there.
type File struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// Stream says where output went.
type Stream byte

const (
	Stdout Stream = 'O'
	Stderr Stream = 'E'
)

// Chunk is a piece of output as it came, with the time since the call began.
type Chunk struct {
	Stream Stream        `json:"stream"`
	After  time.Duration `json:"after"`
	Bytes  []byte        `json:"bytes"`
}

// Change is one repair of a call's arguments.
type Change struct {
	Fix    string   `json:"fix"`              // its name: host-compiler, arch …
	Before []string `json:"before,omitempty"` // the arguments that went
	After  []string `json:"after,omitempty"`  // the arguments that came in their place
	Why    string   `json:"why"`
}

// Failed: the call ended, and not well. One that never ended is no failure of the compiler.
func (c Call) Failed() bool {
	return c.End != nil && (c.End.Code != 0 || c.End.Signal != "" || c.End.Error != "")
}

// Text is what the call wrote, both streams in the order in which they came.
func (c Call) Text() []byte { return c.text(func(Stream) bool { return true }) }

// Of is what the call wrote to one stream.
func (c Call) Of(s Stream) []byte { return c.text(func(t Stream) bool { return s == t }) }

func (c Call) text(want func(Stream) bool) []byte {
	var out []byte
	for _, k := range c.Output {
		if want(k.Stream) {
			out = append(out, k.Bytes...)
		}
	}
	return out
}

// Argv is what the real program was started with, response files in their place.
func (c Call) Argv() []string {
	switch {
	case c.Begin.Used != nil:
		return c.Begin.Used
	case c.Begin.Expanded != nil:
		return c.Begin.Expanded
	}
	return c.Begin.Args
}
