package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cupel/internal/call"
)

// activeHead is the first line of a file in call.ActiveDir; then come the folder of the run, the process of cupel exec and
// when that process was started (as the system counts), each in a line.
const activeHead = "cupel-run 1"

// process is one process for ever: its number alone is used again. start 0: it is not there, or cannot be told.
type process struct {
	pid   int
	start uint64
}

// Announce tells the shims of a mirror root that this process has a run: calls whose environment was cleaned on the way
// (env -i, sudo) find it by their ancestors. release takes it back.
func Announce(mirror, run string) (release func(), err error) {
	dir := filepath.Join(mirror, call.ActiveDir)
	me := process{pid: os.Getpid(), start: startOf(os.Getpid())}
	if me.start == 0 {
		return func() {}, nil // this system does not tell: such calls pass unrecorded
	}
	if strings.ContainsAny(run, "\n\r") {
		return nil, fmt.Errorf("announce the run: the folder %q cannot be written in a line", run)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("announce the run: %w", err)
	}
	sweep(dir)
	path := filepath.Join(dir, filepath.Base(run))
	text := fmt.Sprintf("%s\n%s\n%d\n%d\n", activeHead, run, me.pid, me.start)
	// A half-written file is not one yet: it has no last line.
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("announce the run: %w", err)
	}
	return func() { _ = os.Remove(path) }, nil
}

// sweep removes what runs left that were killed.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if _, p, err := readActive(path); err == nil && startOf(p.pid) != p.start {
			_ = os.Remove(path)
		}
	}
}

func readActive(path string) (run string, p process, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", p, err
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) != 5 || lines[0] != activeHead || lines[4] != "" {
		return "", p, errors.New("it does not tell a run")
	}
	p.pid, err = strconv.Atoi(lines[2])
	if err == nil {
		p.start, err = strconv.ParseUint(lines[3], 10, 64)
	}
	return lines[1], p, err
}

// announced is the run of one of this process's ancestors, or empty.
func announced(mirror string) string {
	dir := filepath.Join(mirror, call.ActiveDir)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return ""
	}
	runs := map[process]string{}
	for _, e := range entries {
		if run, p, err := readActive(filepath.Join(dir, e.Name())); err == nil && p.start != 0 {
			runs[p] = run
		}
	}
	if len(runs) == 0 {
		return ""
	}
	for p := range ancestors() {
		if run, ok := runs[p]; ok {
			return run
		}
	}
	return ""
}
