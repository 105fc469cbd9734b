package child

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// wait runs the command in a job, which ends with everything in it.
func wait(cmd *exec.Cmd) error {
	j, err := NewJob()
	if err != nil {
		return err
	}
	defer windows.CloseHandle(j)
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP}
	cmd.Cancel = func() error { return windows.TerminateJobObject(j, 1) }
	if err := StartIn(j, cmd); err != nil {
		return err
	}
	Ended(cmd)
	_ = windows.TerminateJobObject(j, 1)
	return cmd.Wait()
}
