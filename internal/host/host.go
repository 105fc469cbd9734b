// Package host is the one door to a machine: files, environment, processes, registry and clock. It has a real
// form and a recorded one (docs/formats/host.md), so that everything behind the door can be tested with the
// machine of a bug report. It reads and runs what it is told and concludes nothing.
package host

import (
	"context"
	"errors"
	"io"
	"time"

	"cupel/internal/ospath"
	"cupel/internal/pattern"
)

// MaxFile bounds what is read of any one file: foreign bytes are never trusted to be small.
const MaxFile = 8 << 20

// ErrNotRecorded is answered by a recorded host when it is asked to run something the recording does not hold.
var ErrNotRecorded = errors.New("not in the recording")

// ErrNoRegistry is answered by hosts that have none.
var ErrNoRegistry = errors.New("no registry on this system")

// System is what is known of the machine without looking: the program was built for it.
type System struct {
	OS   string // as Go names it: linux, windows, darwin
	Arch string // amd64, arm64
	Home string
	Cwd  string
	User string // account name, for redaction
	Name string // host name, for redaction
}

// Paths is the path style of the machine.
func (s System) Paths() ospath.Style { return ospath.For(s.OS) }

// Info is what a directory entry tells.
type Info struct {
	Name  string
	Size  int64
	Dir   bool
	Link  bool // only from Lstat
	Exec  bool // on Windows: by the name's ending
	Node  bool // a device node
	MTime time.Time
}

// Bytes is a file opened for reading at places: a recording holds only the places that were read.
type Bytes interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Command is a program to run with a time limit.
type Command struct {
	Path    string
	Args    []string
	Timeout time.Duration
}

// Result is what a process left. Code is -1 when it did not end by itself.
type Result struct {
	Stdout, Stderr string
	Code           int
	TimedOut       bool
}

// Host is a machine to be asked. Every path is in the style of System().OS.
type Host interface {
	System() System
	// Environ returns the whole environment; names keep their spelling.
	Environ() []string
	// Stat follows links, Lstat does not.
	Stat(path string) (Info, error)
	Lstat(path string) (Info, error)
	Readlink(path string) (string, error)
	// Resolve follows every link in path.
	Resolve(path string) (string, error)
	// Names lists the entries of a folder whose names match keep, sorted.
	Names(dir string, keep *pattern.Pattern) ([]string, error)
	// ReadFile reads a small file whole; a larger one than MaxFile is an error.
	ReadFile(path string) ([]byte, error)
	// Lines returns only the lines of a text file that match keep. A recording then holds no more than those.
	Lines(path string, keep *pattern.Pattern) ([]string, error)
	// Search looks at the NUL-terminated strings in the read-only data of a program or library (in the whole
	// file when it is a script) and returns the part of the first one that matches want; "" when none does.
	// Only the first MiB is looked at.
	Search(path string, want *pattern.Pattern) (string, error)
	// Open reads at places. A recording holds only the places that were read.
	Open(path string) (Bytes, error)
	Run(ctx context.Context, c Command) (Result, error)
	// Registry: keys are written HKLM\SOFTWARE\… or HKCU\…
	RegistryValues(key string) (map[string]string, error)
	RegistryKeys(key string) ([]string, error)
	// Processes tells how many child processes were started through this host.
	Processes() int
}
