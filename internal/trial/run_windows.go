package trial

import (
	"context"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"cupel/internal/child"
	"cupel/internal/verify"
)

// execute runs the command in a job object, which ends with everything in it. Windows cannot hide a folder from
// one process, so the environment alone is cleaned: nvcuda.dll stays where the loader finds it, and is told.
func execute(ctx context.Context, req Request, out *output, o *verify.Outcome) {
	env, hidden := environment(req, "windows")
	describe(req, o, hidden)
	if err := checkDir(workDir(req)); err != nil {
		o.Err = err.Error()
		return
	}
	cmd, err := command(ctx, req, env)
	if err != nil {
		o.Err = err.Error()
		return
	}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = workDir(req), env, out.stdout, out.stderr
	j, err := child.NewJob()
	if err != nil {
		o.Err = err.Error()
		return
	}
	defer windows.CloseHandle(j)
	cmd.Cancel = func() error { return windows.TerminateJobObject(j, 1) }
	cmd.WaitDelay = 5 * time.Second
	if err := child.StartIn(j, cmd); err != nil {
		o.Err = err.Error()
		return
	}
	child.Ended(cmd)
	// What the command left behind holds its pipes open: it is ended before the output is waited for.
	_ = windows.TerminateJobObject(j, 1)
	_ = cmd.Wait()
	o.Code = cmd.ProcessState.ExitCode()
}

// command has its line spelt by hand: cmd.exe takes everything between the outer quotes as it is. A list is started
// without it, from where the environment of the config has the program.
func command(ctx context.Context, req Request, env []string) (*exec.Cmd, error) {
	c := req.Config.Command
	flags := &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP}
	if c.Line != "" {
		cmd := exec.CommandContext(ctx, "cmd.exe")
		flags.CmdLine = `cmd.exe /d /s /c "` + c.Line + `"`
		cmd.SysProcAttr = flags
		return cmd, nil
	}
	at, err := Program(c.Argv[0], workDir(req), env, "windows")
	if err != nil {
		return nil, err
	}
	// The whole path is the first argument too: a batch file is started by cmd.exe, which searches by that one.
	cmd := exec.CommandContext(ctx, at, c.Argv[1:]...)
	cmd.SysProcAttr = flags
	return cmd, nil
}
