//go:build !linux && !windows

package trial

import (
	"context"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"cupel/internal/verify"
)

// execute runs the command in a process group of its own.
func execute(ctx context.Context, req Request, out *output, o *verify.Outcome) {
	env, hidden := environment(req, runtime.GOOS)
	describe(req, o, hidden)
	argv := req.Config.Command.Argv
	if line := req.Config.Command.Line; line != "" {
		argv = []string{"/bin/sh", "-c", line}
	}
	dir := workDir(req)
	if err := checkDir(dir); err != nil {
		o.Err = err.Error()
		return
	}
	at, err := Program(argv[0], dir, env, runtime.GOOS)
	if err != nil {
		o.Err = err.Error()
		return
	}
	cmd := exec.CommandContext(ctx, at)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = argv, dir, env, out.stdout, out.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		o.Err = err.Error()
		return
	}
	_ = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	o.Code = cmd.ProcessState.ExitCode()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.Code, o.Signal = 128+int(status.Signal()), status.Signal().String()
	}
}
