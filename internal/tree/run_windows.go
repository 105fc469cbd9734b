package tree

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"cupel/internal/call"
	"cupel/internal/child"
)

// Child: there is no supervising child here, the job object does its work.
func Child([]string) bool { return false }

// run puts the command into a job, which holds whatever it starts and ends with cupel however that ends. It stays in this
// program's console and group, so Ctrl-C reaches all of them by itself; here it is only outlived.
func run(ctx context.Context, c Command) call.RunEnd {
	if err := checkDir(c.Dir); err != nil {
		return notStarted(c, err)
	}
	j, err := child.NewJob()
	if err != nil {
		return notStarted(c, err)
	}
	defer windows.CloseHandle(j)
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	cmd := exec.Command(c.Path)
	cmd.Args, cmd.Dir, cmd.Env = argv(c), c.Dir, c.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED}
	if err := child.StartIn(j, cmd); err != nil {
		return notStarted(c, err)
	}
	if c.Began != nil {
		c.Began()
	}
	ended := make(chan struct{})
	go func() { child.Ended(cmd); close(ended) }()
	w := newWatcher(j, c)
	go w.watch()
	forced := attend(ctx, j, signals, ended)
	passedBy := w.stop()
	left := endLeft(j, forced)
	_ = cmd.Wait()
	code := uint32(cmd.ProcessState.ExitCode())
	return call.RunEnd{Code: int64(code), Status: call.Status(code), Left: left, PassedBy: passedBy}
}

// argv: a batch file is started by cmd.exe, which looks for it by the first argument.
func argv(c Command) []string {
	switch strings.ToLower(filepath.Ext(c.Path)) {
	case ".bat", ".cmd":
		return append([]string{c.Path}, c.Argv[1:]...)
	}
	return c.Argv
}

// attend waits for the command. True: everything was ended before it.
func attend(ctx context.Context, j windows.Handle, signals <-chan os.Signal, ended <-chan struct{}) (forced bool) {
	done, asked := ctx.Done(), endings{}
	for {
		select {
		case <-ended:
			return forced
		case <-done:
			done, forced = nil, true
			_ = windows.TerminateJobObject(j, 1)
		case <-signals:
			if asked.enough(time.Now()) {
				forced = true
				_ = windows.TerminateJobObject(j, uint32(windows.STATUS_CONTROL_C_EXIT))
			}
		}
	}
}

// endLeft ends what the command left, and tells what it was.
func endLeft(j windows.Handle, forced bool) (left []call.Process) {
	for deadline := time.Now().Add(linger); len(members(j)) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().Before(deadline) {
			continue
		}
		parents := parentsOf()
		for _, pid := range members(j) {
			// The console's own process ends with its last program.
			if p, ok := describe(pid, parents); ok && len(left) < mostSeen && !forced && !same(base(p.Path), "conhost.exe") {
				left = append(left, p)
			}
		}
		break
	}
	_ = windows.TerminateJobObject(j, 1)
	return left
}
