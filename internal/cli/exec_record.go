package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"cupel/internal/call"
	"cupel/internal/record"
	"cupel/internal/shim"
)

// Runs are kept up to these bounds.
const (
	keepRuns     = 100
	keepRunBytes = 1_000_000_000
)

// recording is a run that is written down; nil: none is.
type recording struct {
	*record.Live
	release func()
	shims   bool // calls are recorded too
}

func (r *recording) variables() []string {
	if r == nil || !r.shims {
		return nil
	}
	return []string{call.RunVariable + "=" + r.Dir}
}

// begin writes down that a run begins. Trouble with that never keeps the command from running; where nothing can be kept,
// a folder that is removed at the end serves for the ending.
func (x *execution) begin(name string, args, env []string) *recording {
	run := x.describe(name, args)
	live, err := x.newRun(run, env)
	if err != nil && !x.passing {
		x.note("the run is not kept: %v", err)
		live, err = x.newPassing(run, env)
	}
	if err != nil {
		return nil
	}
	r := &recording{Live: live, release: func() {}, shims: x.shims}
	if release, err := shim.Announce(x.mirror.Dir, live.Dir); err == nil && x.shims {
		r.release = release
	}
	return r
}

func (x *execution) newRun(run call.Run, env []string) (*record.Live, error) {
	if x.store.Dir == "" {
		return x.newPassing(run, env)
	}
	_ = x.store.Trim(context.WithoutCancel(x.cmd.Context()), keepRuns-1, keepRunBytes)
	live, err := x.store.New(run, env)
	if err != nil || len(x.fixes) == 0 {
		return live, err
	}
	if err := x.writeMend(live); err != nil {
		x.note("--fix has no effect: %v", err)
	}
	return live, nil
}

// newPassing begins a run in a folder of its own.
func (x *execution) newPassing(run call.Run, env []string) (*record.Live, error) {
	dir, err := os.MkdirTemp("", "cupel-run-")
	if err != nil {
		return nil, err
	}
	x.store, x.passing = record.Store{Dir: dir}, true
	return x.store.New(run, env)
}

// describe is what is known of a run when it begins.
func (x *execution) describe(name string, args []string) call.Run {
	dir, _ := os.Getwd()
	t := x.choice.toolkit
	run := call.Run{
		Format: call.Format, Cupel: Version, Name: name, Began: time.Now(), Command: args, Dir: dir, Project: x.choice.root, OS: runtime.GOOS, Arch: runtime.GOARCH,
		Toolkit: call.Toolkit{Release: t.Release.Value, Nvcc: t.Nvcc.Value, Root: t.Home()},
		Options: x.flags.words(), Set: x.given(), Fixes: x.fixes,
	}
	if x.shims {
		run.Tools, run.Toolkit.Mirror = x.mirror.Tools, x.mirror.Place()
	}
	if x.choice.compiler != nil {
		run.Compiler = x.choice.compiler.Path
	}
	return run
}

func (x *execution) writeMend(live *record.Live) error {
	text, err := x.mend.Text()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(live.Dir, record.MendFile), text, 0o600)
}

func (x *execution) finish(r *recording, end call.RunEnd) {
	if r == nil {
		return
	}
	r.release()
	if err := r.Finish(end); err != nil {
		x.note("write down how the run ended: %v", err)
	}
}

// forget removes a store that goes with this program.
func (x *execution) forget() {
	if x.passing {
		_ = os.RemoveAll(x.store.Dir)
	}
}
