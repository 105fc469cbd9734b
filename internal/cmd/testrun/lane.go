package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
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

// run starts the lane's command and tallies its events, printing a line for each package as it ends. A test program that ended
// before its first test, or that wine hindered, is started once more: wine 8 now and then does not get a program going.
func (l lane) run(stdout, stderr io.Writer) (*tally, error) {
	t := newTally(l.name)
	exit, err := l.start(t, l.command, stdout, stderr)
	if err != nil {
		return nil, fmt.Errorf("lane %s: %w", l.name, err)
	}
	unbegun := t.unbegun()
	for _, pkg := range slices.Concat(unbegun, t.hindered()) {
		why := "fails by wine's own faults alone"
		if slices.Contains(unbegun, pkg) {
			why = "ended before its first test"
		}
		fmt.Fprintf(stdout, "%-9s %s %s: it is started once more\n", l.name, pkg, why)
		for _, fault := range t.faults(pkg) {
			fmt.Fprintf(stdout, "%-9s   %s\n", l.name, fault)
		}
		t.forget(pkg)
		again := slices.DeleteFunc(slices.Clone(l.command), func(arg string) bool { return strings.HasPrefix(arg, "./") })
		second, err := l.start(t, append(again, pkg), stdout, stderr)
		if err != nil {
			return nil, fmt.Errorf("lane %s: %w", l.name, err)
		}
		if second != nil || len(t.loose) == 0 { // plain text may have been another failure of the first command
			exit = second
		}
	}
	t.end(exit)
	return t, nil
}

// start runs a command to its end. exit is how it failed, err why it could not be run or read.
func (l lane) start(t *tally, command []string, stdout, stderr io.Writer) (exit, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	readErr := t.read(pipe, stdout)
	exit = cmd.Wait()
	if readErr != nil {
		return exit, fmt.Errorf("read events: %w", readErr)
	}
	if failed := (*exec.ExitError)(nil); exit != nil && !errors.As(exit, &failed) {
		return nil, exit
	}
	return exit, nil
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
