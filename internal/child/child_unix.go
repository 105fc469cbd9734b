//go:build !windows

package child

import (
	"os/exec"
	"runtime"
	"syscall"
)

// wait runs the command in a process group of its own, which ends with it.
func wait(cmd *exec.Cmd) error {
	// The thread that starts the child counts as its parent (see attr), so it has to live as long as the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = attr()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	err := cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	return err
}
