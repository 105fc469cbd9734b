// Package tree runs a command with this program's own streams and terminal, passes signals on to everything below it,
// watches which compilers are started there, and ends whatever the command leaves behind. It writes nothing itself.
//
// On Linux a supervising child stands between (see Child), on Windows a job object around the command. Elsewhere the
// command is run plainly: nothing is watched, and what it leaves behind goes on.
package tree

import (
	"context"
	"os"
	"time"

	"cupel/internal/call"
)

// Command is what is run.
type Command struct {
	Path   string   // the program, found
	Argv   []string // with the name by which it was called first
	Dir    string
	Env    []string
	Stdin  *os.File // nil: nothing to read
	Stdout *os.File // nil: what is written is lost
	Stderr *os.File
	Watch  []string // names of programs (nvcc, nvcc.exe) that should be started by a shim
	Shims  []string // the shim's programs: what one of these started was not passed by
	Began  func()   // called when the command was started, before it is waited for
}

const (
	// mostSeen bounds the lists of processes: what they are for is said by the first few.
	mostSeen = 64
	// impatient: a third ending signal, each within this time of the one before, ends the tree at once. The second is the
	// command's too: make deletes half-written targets then. Much later it is a first one again: a program that a person
	// works with (a Python prompt) takes Ctrl-C as a word to it, and may get many.
	impatient = 10 * time.Second
	// linger is what processes get that the command left, before they are ended: a tee behind the last pipe of a script
	// has to write what it holds.
	linger = time.Second
	// farewell is the time between asking those to end and ending them.
	farewell = 500 * time.Millisecond
	// patience is the same when the whole run is to end.
	patience = 5 * time.Second
)

// Run runs the command to its end. When ctx ends first, everything below is ended. The answer has Code, Signal, Status,
// Error, Left and PassedBy. Signals are taken by Run while it lasts: ctx should not end with one of them.
func Run(ctx context.Context, c Command) call.RunEnd {
	if len(c.Argv) == 0 {
		c.Argv = []string{c.Path}
	}
	in, err := orNull(c.Stdin, os.O_RDONLY)
	if err != nil {
		return notStarted(c, err)
	}
	defer in.release()
	out, err := orNull(c.Stdout, os.O_WRONLY)
	if err != nil {
		return notStarted(c, err)
	}
	defer out.release()
	errs, err := orNull(c.Stderr, os.O_WRONLY)
	if err != nil {
		return notStarted(c, err)
	}
	defer errs.release()
	c.Stdin, c.Stdout, c.Stderr = in.file, out.file, errs.file
	return run(ctx, c)
}

// stream is a file of the command, opened here or given.
type stream struct {
	file *os.File
	ours bool
}

func orNull(f *os.File, flag int) (stream, error) {
	if f != nil {
		return stream{file: f}, nil
	}
	f, err := os.OpenFile(os.DevNull, flag, 0)
	return stream{f, true}, err
}

func (s stream) release() {
	if s.ours {
		_ = s.file.Close()
	}
}

// endings counts signals that are meant to end the command.
type endings struct {
	last  time.Time
	count int
}

// enough says that this is the third within a short time.
func (e *endings) enough(now time.Time) bool {
	if now.Sub(e.last) >= impatient {
		e.count = 0
	}
	e.last, e.count = now, e.count+1
	return e.count >= 3
}
