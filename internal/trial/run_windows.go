package trial

import (
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

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
	j, err := newJob()
	if err != nil {
		o.Err = err.Error()
		return
	}
	defer windows.CloseHandle(j)
	cmd.Cancel = func() error { return windows.TerminateJobObject(j, 1) }
	cmd.WaitDelay = 5 * time.Second
	if err := startIn(j, cmd); err != nil {
		o.Err = err.Error()
		return
	}
	ended(cmd)
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
	at, err := program(c.Argv[0], workDir(req), env, "windows")
	if err != nil {
		return nil, err
	}
	// The whole path is the first argument too: a batch file is started by cmd.exe, which searches by that one.
	cmd := exec.CommandContext(ctx, at, c.Argv[1:]...)
	cmd.SysProcAttr = flags
	return cmd, nil
}

// newJob makes a job that ends its processes when this program ends, however it ends.
func newJob() (windows.Handle, error) {
	j, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("make a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(j, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(j)
		return 0, fmt.Errorf("limit a job object: %w", err)
	}
	return j, nil
}

// startIn starts a suspended command, puts it in the job and lets it go: so none of its children is outside.
func startIn(j windows.Handle, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	err := assign(j, uint32(cmd.Process.Pid))
	if err == nil {
		err = resume(uint32(cmd.Process.Pid))
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	return err
}

func assign(j windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("open the process: %w", err)
	}
	defer windows.CloseHandle(p)
	if err := windows.AssignProcessToJobObject(j, p); err != nil {
		return fmt.Errorf("put the process into a job: %w", err)
	}
	return nil
}

// resume lets the one thread of a suspended process run.
func resume(pid uint32) error {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	defer windows.CloseHandle(snap)
	var e windows.ThreadEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Thread32First(snap, &e); err == nil; err = windows.Thread32Next(snap, &e) {
		if e.OwnerProcessID != pid {
			continue
		}
		t, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, e.ThreadID)
		if err != nil {
			return fmt.Errorf("open the thread: %w", err)
		}
		_, err = windows.ResumeThread(t)
		_ = windows.CloseHandle(t)
		return err
	}
	return fmt.Errorf("list threads: none of process %d", pid)
}

// ended waits for the process alone, not for its output.
func ended(cmd *exec.Cmd) {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(cmd.Process.Pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(p)
	_, _ = windows.WaitForSingleObject(p, windows.INFINITE)
}
