// Calls makes the calls of a list, one after the other, and writes down what came back of each:
//
//	calls PROGRAM LIST RESULT
//
// A list can hold "leave" instead of arguments: then this program starts itself again, to be left running.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

type call struct {
	Name   string
	Args   []string
	Env    []string // on top of this program's own
	Dir    string
	Merged bool // one pipe for both streams
	Leave  string
}

type result struct {
	Name           string
	Code           uint32
	Stdout, Stderr []byte
}

func main() {
	if len(os.Args) == 3 { // the one that was left, with its mark
		time.Sleep(10 * time.Minute)
		return
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "calls:", err)
		os.Exit(70)
	}
}

func run(program, list, to string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var calls []call
	if err := json.Unmarshal(text, &calls); err != nil {
		return err
	}
	var results []result
	for _, c := range calls {
		r, err := c.make(program)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		results = append(results, r)
	}
	if text, err = json.Marshal(results); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

func (c call) make(program string) (result, error) {
	if c.Leave != "" {
		return result{Name: c.Name}, exec.Command(os.Args[0], "left", c.Leave).Start()
	}
	cmd := exec.Command(program, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.Merged {
		cmd.Stderr = &stdout
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result{}, err
	}
	return result{c.Name, uint32(cmd.ProcessState.ExitCode()), stdout.Bytes(), stderr.Bytes()}, nil
}
