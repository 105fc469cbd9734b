//go:build !windows

package cli

import (
	"os"
	"syscall"
)

// passedOn are the signals that a person or a supervisor sends.
var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCONT}

// endOf is a command's own code; 128 and the signal when one ended it, as shells say it.
func endOf(p *os.ProcessState) int {
	if s, ok := p.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return p.ExitCode()
}
