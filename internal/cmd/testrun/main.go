// Command testrun runs `go test` in one or more lanes and prints what a person must see: the time of each package, every failure in
// full, every skip with its reason, and one closing count. A skip that the list does not allow fails the run, so no test goes quiet
// unnoticed. It reads `go test -json` and the list of allowed skips; it decides nothing about how the tests are run.
//
//	testrun [-skips FILE] LANE: go test ARG… [-- LANE: go test ARG…]…
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	heedHangUps()
	code, err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
	}
	os.Exit(code)
}

func run(args []string, stdout, stderr io.Writer) (int, error) {
	flags := flag.NewFlagSet("testrun", flag.ContinueOnError)
	flags.SetOutput(stderr)
	list := flags.String("skips", "", "file with the skips that are allowed")
	if err := flags.Parse(args); err != nil {
		return 2, nil // flag has said what is wrong
	}
	lanes, err := parseLanes(flags.Args())
	if err != nil {
		return 2, err
	}
	allowed, err := readSkips(*list)
	if err != nil {
		return 3, err
	}
	var all []*tally
	for _, l := range lanes {
		t, err := l.run(stdout, stderr)
		if err != nil {
			return 3, err
		}
		all = append(all, t)
	}
	if report(stdout, all, allowed) {
		return 0, nil
	}
	return 1, nil
}

// lane is one run of go test under a name.
type lane struct {
	name    string
	command []string
}

var errUsage = errors.New("want LANE: go test ARG… [-- LANE: go test ARG…]…")

func parseLanes(args []string) ([]lane, error) {
	var lanes []lane
	for len(args) > 0 {
		end := slices.Index(args, "--")
		if end < 0 {
			end = len(args)
		}
		name, ok := strings.CutSuffix(args[0], ":")
		if !ok || name == "" || end < 2 {
			return nil, errUsage
		}
		command, err := withJSON(args[1:end])
		if err != nil {
			return nil, err
		}
		lanes = append(lanes, lane{name, command})
		args = args[min(end+1, len(args)):]
	}
	if len(lanes) == 0 {
		return nil, errUsage
	}
	return lanes, nil
}

// withJSON adds -json behind the word test, wherever that stands: the command may be a wrapper around go.
func withJSON(command []string) ([]string, error) {
	at := slices.Index(command, "test")
	if at < 0 {
		return nil, fmt.Errorf("no word test in %q", strings.Join(command, " "))
	}
	return slices.Insert(slices.Clone(command), at+1, "-json"), nil
}
