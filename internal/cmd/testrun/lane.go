package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// event is one line of `go test -json`; the fields are those of `go doc test2json`.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of a build event
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// run starts the lane's command and tallies its events, printing a line for each package as it ends.
func (l lane) run(stdout, stderr io.Writer) (*tally, error) {
	cmd := exec.Command(l.command[0], l.command[1:]...)
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("lane %s: %w", l.name, err)
	}
	t := newTally(l.name)
	readErr := t.read(pipe, stdout)
	waitErr := cmd.Wait()
	if readErr != nil {
		return nil, fmt.Errorf("lane %s: read events: %w", l.name, readErr)
	}
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return nil, fmt.Errorf("lane %s: %w", l.name, waitErr)
	}
	t.end(waitErr)
	return t, nil
}

// read takes events until the stream ends. A line that is no event is shown as it is: go prints some errors in plain text.
func (t *tally) read(in io.Reader, stdout io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			t.line(line, stdout)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tally) line(line []byte, stdout io.Writer) {
	var e event
	if line[0] != '{' || json.Unmarshal(line, &e) != nil {
		t.loose = append(t.loose, string(line))
		fmt.Fprintf(stdout, "%s: %s", t.lane, line)
		return
	}
	if done := t.add(e); done != nil {
		fmt.Fprintln(stdout, done.line(t.lane))
	}
}
