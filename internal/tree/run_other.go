//go:build !linux && !windows

package tree

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"cupel/internal/call"
)

// passedOn are the signals that a person or a supervisor sends.
var passedOn = []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2}

// Child: there is no supervising child here.
func Child([]string) bool { return false }

// run is plain here: the command is in this program's own process group, so that the terminal is its own too, and signals
// are passed on to it alone. What it leaves behind goes on, and nobody watches.
func run(ctx context.Context, c Command) call.RunEnd {
	if err := checkDir(c.Dir); err != nil {
		return notStarted(c, err)
	}
	cmd := exec.Command(c.Path)
	cmd.Args, cmd.Dir, cmd.Env = c.Argv, c.Dir, c.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	signals := make(chan os.Signal, 16)
	for _, s := range passedOn {
		if !signal.Ignored(s) { // taking it would undo that for the command
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return notStarted(c, err)
	}
	if c.Began != nil {
		c.Began()
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	attend(ctx, cmd.Process, signals, ended, term.IsTerminal(int(c.Stdin.Fd())))
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return call.RunEnd{Code: 128 + int64(ws.Signal()), Signal: unix.SignalName(ws.Signal())}
	}
	return call.RunEnd{Code: int64(cmd.ProcessState.ExitCode())}
}

// attend passes signals on until the command has ended. What is typed on a terminal reaches it by itself.
func attend(ctx context.Context, p *os.Process, signals <-chan os.Signal, ended <-chan struct{}, typed bool) {
	done, asked := ctx.Done(), endings{}
	for {
		select {
		case <-ended:
			return
		case <-done:
			done = nil
			_ = p.Signal(unix.SIGTERM)
			defer time.AfterFunc(patience, func() { _ = p.Kill() }).Stop()
		case s := <-signals:
			ending := s == unix.SIGINT || s == unix.SIGTERM
			switch {
			case ending && asked.enough(time.Now()):
				_ = p.Kill()
			case typed && (s == unix.SIGINT || s == unix.SIGQUIT):
			default:
				_ = p.Signal(s)
			}
		}
	}
}
