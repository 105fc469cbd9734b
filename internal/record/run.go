package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cupel/internal/call"
	"cupel/internal/filelock"
)

// What a run's folder holds (docs/formats/run.md). Output may tell what is private, so nobody else may read any of it.
const (
	runFile  = "run.json" // call.Run; written anew when the run ends
	envFile  = "env"      // the environment the command was given: NAME=VALUE, or NAME alone for a secret, each ended by NUL
	callsDir = "calls"
	callExt  = ".call"
	logFile  = "log.call" // the command's own output, as the record of a call; only where it was not a terminal
	MendFile = "mend"     // the repairs that the shim may make (package mend); only with --fix
)

// What lies beside the folders of runs. Windows moves no folder in which a file is open, so the lock is not in it.
const (
	lockExt = ".lock" // .ID.lock is held while the run goes on, or is removed
	newExt  = ".new"  // .ID.new: a run that is being made
	oldExt  = ".old"  // .ID.old: a run that is being removed
)

// Store is the folder of all runs: $CUPEL_HOME/runs.
type Store struct{ Dir string }

func (s Store) beside(id, ext string) string { return filepath.Join(s.Dir, "."+id+ext) }

// Live is a run that goes on. Dir is its folder, which the shim is told in CUPEL_RUN.
type Live struct {
	Dir     string
	Run     call.Run
	release func()
}

// New begins a run: its ID is chosen, its folder made and locked, run.json and env written. It appears whole or not at all.
func (s Store) New(r call.Run, environ []string) (*Live, error) {
	if err := os.MkdirAll(filepath.Dir(s.Dir), 0o777); err != nil {
		return nil, fmt.Errorf("begin a run: %w", err)
	}
	if err := os.Mkdir(s.Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("begin a run: %w", err)
	}
	if r.Began.IsZero() {
		r.Began = time.Now()
	}
	r.Format = call.Format
	for range 1000 {
		r.ID = newID(r.Began)
		l, err := s.begin(r, environ)
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, filelock.ErrHeld) {
			return nil, fmt.Errorf("begin a run: %w", err)
		}
	}
	return nil, fmt.Errorf("begin a run: every name is taken in %s", s.Dir)
}

// begin takes the ID, or says that it is taken.
func (s Store) begin(r call.Run, environ []string) (*Live, error) {
	release, err := lock(s.beside(r.ID, lockExt))
	if err != nil {
		return nil, err
	}
	l := &Live{Dir: filepath.Join(s.Dir, r.ID), Run: r, release: release}
	if _, err = os.Lstat(l.Dir); err == nil {
		err = fs.ErrExist
	} else if errors.Is(err, fs.ErrNotExist) {
		err = s.fill(l, environ)
	}
	if err != nil {
		_ = os.RemoveAll(s.beside(r.ID, newExt))
		release()
		return nil, err
	}
	return l, nil
}

func (s Store) fill(l *Live, environ []string) error {
	dir := s.beside(l.Run.ID, newExt)
	for _, d := range []string{dir, filepath.Join(dir, callsDir)} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	// The command is told its run: without that each call would differ from it.
	environ = append(slices.Clip(environ), call.RunVariable+"="+l.Dir)
	if err := os.WriteFile(filepath.Join(dir, envFile), envText(call.Keep(environ)), 0o600); err != nil {
		return err
	}
	if err := writeRun(dir, l.Run); err != nil {
		return err
	}
	return patiently(2*time.Second, func() error { return os.Rename(dir, l.Dir) })
}

// writeRun puts run.json in its place in one step.
func writeRun(dir string, r call.Run) error {
	text, err := json.MarshalIndent(spellRun(r, spell), "", "  ")
	if err == nil && len(text) > maxWords {
		text, err = json.MarshalIndent(spellRun(shorter(r), spell), "", "  ")
	}
	if err != nil {
		return err
	}
	temp := filepath.Join(dir, "."+runFile)
	if err := os.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return patiently(2*time.Second, func() error { return os.Rename(temp, filepath.Join(dir, runFile)) })
}

// shorter is a run that a reader does not refuse: of the programs that were seen, the first and without their arguments.
func shorter(r call.Run) call.Run {
	if r.End == nil {
		return r
	}
	end := *r.End
	for _, list := range []*[]call.Process{&end.Left, &end.PassedBy} {
		few := slices.Clone((*list)[:min(len(*list), 100)])
		for i := range few {
			few[i].Args = nil
		}
		*list = few
	}
	r.End = &end
	return r
}

// Log is where the command's own output is kept.
func (l *Live) Log() (*Writer, error) {
	b := call.Begin{Dir: l.Run.Dir, At: l.Run.Began, PID: os.Getpid()}
	if len(l.Run.Command) > 0 {
		b.Tool, b.Path, b.Args = filepath.Base(l.Run.Command[0]), l.Run.Command[0], l.Run.Command[1:]
	}
	w, err := create(filepath.Join(l.Dir, logFile), b)
	if err != nil {
		return nil, fmt.Errorf("keep the command's output: %w", err)
	}
	return w, nil
}

// Finish writes down how the run ended and lets go of it.
func (l *Live) Finish(e call.RunEnd) error {
	defer l.release()
	l.Run.End = &e
	if err := writeRun(l.Dir, l.Run); err != nil {
		return fmt.Errorf("write down how the run ended: %w", err)
	}
	return nil
}

// patiently tries again while Windows says that a file is open: a virus scanner, or another cupel that reads it.
func patiently(most time.Duration, do func() error) error {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if err := do(); err == nil || !heldOpen(err) || time.Since(began) > most {
			return err
		}
	}
}
