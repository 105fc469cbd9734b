package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cupel/internal/call"
)

// Calls are the calls of the run in the order in which they began, without their output.
func (s Saved) Calls(ctx context.Context) ([]call.Call, error) {
	names, err := s.names()
	if err != nil {
		return nil, fmt.Errorf("list the calls of run %s: %w", s.Run.ID, err)
	}
	calls := make([]call.Call, 0, len(names))
	for i, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		calls = append(calls, s.open(i+1, name, false))
	}
	return calls, nil
}

// Read is one call with its output.
func (s Saved) Read(number int) (call.Call, error) {
	names, err := s.names()
	if err != nil {
		return call.Call{}, fmt.Errorf("list the calls of run %s: %w", s.Run.ID, err)
	}
	if number < 1 || number > len(names) {
		return call.Call{}, NoCall{Run: s.Run.ID, Number: number, Calls: len(names)}
	}
	return s.open(number, names[number-1], true), nil
}

// NoCall: the run has no call of that number.
type NoCall struct {
	Run           string
	Number, Calls int
}

func (n NoCall) Error() string {
	if n.Calls == 0 {
		return fmt.Sprintf("run %s has no calls", n.Run)
	}
	return fmt.Sprintf("run %s has no call %d: its calls are %s.1 to %s.%d", n.Run, n.Number, n.Run, n.Run, n.Calls)
}

// names are the files of calls; their order is the calls' numbering. Other files are none of cupel's.
func (s Saved) names() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(s.Dir, callsDir))
	var out []string
	for _, e := range entries { // ReadDir sorts
		if _, _, ok := nameParts(e.Name()); ok && e.Type().IsRegular() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// nameParts reads the moment and the process from a call file's name.
func nameParts(name string) (at time.Time, pid int, ok bool) {
	base, ok := strings.CutSuffix(name, callExt)
	if !ok {
		return at, 0, false
	}
	nano, process, ok := strings.Cut(base, "-")
	if !ok || len(nano) != 19 {
		return at, 0, false
	}
	n, err := strconv.ParseInt(nano, 10, 64)
	if err != nil {
		return at, 0, false
	}
	pid, err = strconv.Atoi(process)
	return time.Unix(0, n), pid, err == nil
}

// open reads one call. Whatever is in its file, the call was made: its name alone tells when, and by which process.
func (s Saved) open(number int, name string, outputs bool) call.Call {
	c, unfinished, err := readCall(filepath.Join(s.Dir, callsDir, name), outputs)
	if err != nil {
		c.Torn = err.Error()
	}
	c.Run, c.Number = s.Run.ID, number
	if c.Begin.At.IsZero() {
		c.Begin.At, c.Begin.PID, _ = nameParts(name)
	}
	s.judge(&c, unfinished)
	return c
}

// judge says that a record was cut off, unless it is still written.
func (s Saved) judge(c *call.Call, unfinished bool) {
	if unfinished && !s.Live && c.Torn == "" {
		c.Torn = "its record ends in the middle: its writer was ended, or the disk was full"
	}
}

// Output is the command's own output, as far as it was kept.
func (s Saved) Output() (call.Call, bool, error) {
	c, unfinished, err := readCall(filepath.Join(s.Dir, logFile), true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, false, nil
	case err != nil:
		return c, false, fmt.Errorf("read the output of run %s: %w", s.Run.ID, err)
	}
	c.Run = s.Run.ID
	s.judge(&c, unfinished)
	return c, true, nil
}
