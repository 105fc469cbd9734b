//go:build unix

package main

import (
	"errors"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

func TestHeedHangUps(t *testing.T) {
	t.Cleanup(func() { signal.Reset(syscall.SIGHUP) })
	for _, heeded := range []bool{false, true} {
		signal.Ignore(syscall.SIGHUP)
		if heeded {
			heedHangUps()
		}
		err := exec.Command("sh", "-c", "kill -HUP $$; sleep 0").Run()
		var exit *exec.ExitError
		if ended := errors.As(err, &exit); ended != heeded || ended && exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGHUP {
			t.Errorf("heeded: %v; the child's end: %v", heeded, err)
		}
	}
}
