// Package child runs the clients that act for cupel: pip, uv, apt-get, conda, nvcc, compilers. A child has no time
// limit of its own; when the context ends, it ends with everything it started. It keeps what was printed and concludes
// nothing.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// keep bounds what is remembered of each stream: the beginning is dropped, the end is what tells.
const keep = 1 << 20

// Command is a program to run.
type Command struct {
	Path   string
	Args   []string // without the program itself
	Dir    string
	Env    []string          // nil: this program's own
	Lines  func(line string) // every line of both streams as it comes; may be nil
	Stdin  io.Reader
	Stdout io.Writer // instead of keeping standard output, when it is large
	Merged bool      // both streams go to one place and are kept as Stdout, in the order in which they came
}

// Result is what a child left.
type Result struct {
	Stdout, Stderr string
	Code           int
	Peak           int64         // bytes of its largest process; 0: not known
	Computed       time.Duration // by it and what it waited for, on all processors; 0: not known
}

// Failed is a child that ended with a code other than 0.
type Failed struct {
	Command Command
	Result  Result
}

// Error is without the secrets that addresses may hold: in the arguments and in what the child said.
func (e Failed) Error() string {
	text := fmt.Sprintf("%s ended with code %d", strings.Join(append([]string{e.Command.Path}, e.Command.Args...), " "), e.Result.Code)
	if said := tail(e.Result.Stderr, e.Result.Stdout); said != "" {
		text += ": " + said
	}
	return Mask(text)
}

// tail is the end of what the child said, where its reason stands.
func tail(streams ...string) string {
	for _, s := range streams {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		if len(lines) > 6 {
			lines = lines[len(lines)-6:]
		}
		if text := strings.Join(lines, "\n"); text != "" {
			return text
		}
	}
	return ""
}

// Run waits for the child. An error is Failed when it ended by itself with another code than 0, the context's when that
// ended first, else what kept it from starting.
func Run(ctx context.Context, c Command) (Result, error) {
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, c.Stdin
	var mu sync.Mutex
	stdout, stderr := &stream{mu: &mu, lines: c.Lines}, &stream{mu: &mu, lines: c.Lines}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if c.Merged {
		cmd.Stderr = stdout // the same writer: one pipe
	}
	if c.Stdout != nil {
		cmd.Stdout = c.Stdout
	}
	cmd.WaitDelay = 5 * time.Second
	computed, err := wait(cmd)
	stdout.flush()
	stderr.flush()
	r := Result{Stdout: stdout.text(), Stderr: stderr.text(), Code: -1}
	if cmd.ProcessState != nil {
		r.Code, r.Peak, r.Computed = cmd.ProcessState.ExitCode(), peak(cmd.ProcessState), computed
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, context.Cause(ctx)
	case err == nil:
		return r, nil
	case errors.As(err, &exit):
		return r, Failed{c, r}
	}
	return r, err
}

// stream keeps the end of what is written and hands on whole lines.
type stream struct {
	mu    *sync.Mutex
	lines func(string)
	kept  bytes.Buffer
	begun []byte // of a line that is not whole yet
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Write(p)
	if over := s.kept.Len() - 2*keep; over > 0 {
		s.kept.Next(over + keep)
	}
	if s.lines == nil {
		return len(p), nil
	}
	s.begun = append(s.begun, p...)
	for {
		i := bytes.IndexAny(s.begun, "\r\n")
		if i < 0 {
			break
		}
		if line := strings.TrimSpace(string(s.begun[:i])); line != "" {
			s.lines(line)
		}
		s.begun = s.begun[i+1:]
	}
	if len(s.begun) > keep {
		s.begun = nil
	}
	return len(p), nil
}

func (s *stream) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if line := strings.TrimSpace(string(s.begun)); line != "" && s.lines != nil {
		s.lines(line)
	}
	s.begun = nil
}

func (s *stream) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.String()
}
