//go:build !windows

package host

import (
	"errors"
	"os/exec"
	"syscall"
)

func (r *real) RegistryValues(string) (map[string]string, error) { return nil, ErrNoRegistry }
func (r *real) RegistryKeys(string) ([]string, error)            { return nil, ErrNoRegistry }

// ownGroup gives the probe a process group of its own, so that its time limit ends its children too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// impossible says that no file can be at such a path.
func impossible(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
