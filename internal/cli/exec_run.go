package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/term"

	"cupel/internal/call"
	"cupel/internal/relay"
	"cupel/internal/tree"
	"cupel/internal/trial"
)

// command runs one command with this program's own streams, tells how it went and ends as it ended.
func (x *execution) command(args []string, as string) error {
	env := x.environment(os.Environ())
	dir, _ := os.Getwd()
	path, err := trial.Program(args[0], dir, env, runtime.GOOS)
	if err != nil {
		fmt.Fprintf(x.cmd.ErrOrStderr(), "cupel: start %v\n", err)
		return codeError(exitNotStarted)
	}
	live := x.begin("", args, env)
	c := tree.Command{Path: path, Argv: args, Env: append(env, live.variables()...), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	c.Watch, c.Shims = x.watched()
	stop := x.readAlong(live, &c)
	end := x.run(c)
	lost := stop()
	x.finish(live, end)
	if lost != nil && end.Code != 0 {
		x.note("the command's output was cut off: %v", lost)
	}
	if end.Error == "" {
		x.tell(live, end, as)
	}
	x.forget()
	switch {
	case end.Error != "":
		fmt.Fprintf(x.cmd.ErrOrStderr(), "cupel: %s\n", end.Error)
		return codeError(exitNotStarted)
	case end.Code != 0:
		return codeError(int(end.Code))
	case lost != nil:
		return fmt.Errorf("pass the command's output on: %w", lost) // it is cut off: the command's own success is not the user's
	}
	return nil
}

// run waits for the command. A signal that this program gets is the command's to answer, so none ends the wait.
func (x *execution) run(c tree.Command) call.RunEnd {
	ctx, cancel := context.WithoutCancel(x.cmd.Context()), context.CancelFunc(func() {})
	if x.flags.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, x.flags.timeout)
	}
	defer cancel()
	began := time.Now()
	end := tree.Run(ctx, c)
	end.Ended, end.Seconds = time.Now(), time.Since(began).Seconds()
	end.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
	return end
}

// watched are the programs that should not run without the shim, and the shim's own.
func (x *execution) watched() (watch, shims []string) {
	if !x.shims {
		return nil, nil
	}
	for name := range x.mirror.Tools {
		watch = append(watch, x.choice.machine.System.Paths().Program(name))
	}
	return watch, x.mirror.Programs()
}

// readAlong keeps the command's own output, but only where it is no terminal: there nothing may stand between. stop tells
// what kept the output from being passed on.
func (x *execution) readAlong(r *recording, c *tree.Command) (stop func() error) {
	nothing := func() error { return nil }
	if r == nil || term.IsTerminal(int(os.Stdout.Fd())) || term.IsTerminal(int(os.Stderr.Fd())) {
		return nothing
	}
	log, err := r.Log()
	if err != nil {
		return nothing
	}
	way, err := relay.Open(os.Stdout, os.Stderr, log.Output)
	if err != nil {
		_ = log.End(call.End{At: time.Now()})
		return nothing
	}
	c.Stdout, c.Stderr, c.Began = way.Stdout, way.Stderr, way.Started
	return func() error {
		way.Started() // of a command that could not be started, too
		way.Wait(time.Second)
		_ = log.End(call.End{At: time.Now()})
		return way.Err()
	}
}
