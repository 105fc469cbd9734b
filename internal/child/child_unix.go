//go:build !windows

package child

import (
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// wait runs the command in a process group of its own, which ends with it. What the system counts for a process holds those that it
// waited for (getrusage(2)).
func wait(cmd *exec.Cmd) (computed time.Duration, err error) {
	// The thread that starts the child counts as its parent (see attr), so it has to live as long as the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = attr()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if cmd.ProcessState != nil {
		computed = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return computed, err
}
