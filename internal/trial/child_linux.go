package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"cupel/internal/child"
)

// childWord is the first argument with which this program starts itself.
const childWord = "trial-child"

// Child is to be called first by main, with the arguments. True: this process was the supervising child of a
// trial, and its work is done.
func Child(args []string) bool {
	if len(args) != 1 || args[0] != childWord {
		return false
	}
	// Rights and the death signal belong to a thread: everything is done on this one.
	runtime.LockOSThread()
	down, up := os.NewFile(3, "job"), os.NewFile(4, "answers")
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	lines, answers := bufio.NewReader(down), json.NewEncoder(up)
	var j job
	line, err := lines.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &j) != nil || len(j.Argv) == 0 {
		return true // nobody is at the other end
	}
	rep := report{}
	if len(j.Gone) > 0 {
		rep = hideAll(j)
	}
	if answers.Encode(rep) != nil || rep.Refused != "" {
		return true
	}
	_ = answers.Encode(supervise(j, lines))
	return true
}

// supervise runs the command and whatever it starts to their end. Those whose parents end become this process'
// own children, so none gets lost.
func supervise(j job, line io.Reader) result {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	cwd, _ := os.Getwd()
	at, err := Program(j.Argv[0], cwd, os.Environ(), "linux")
	if err != nil {
		return result{Code: -1, Err: err.Error()}
	}
	cmd := exec.Command(at)
	cmd.Args, cmd.Stdout, cmd.Stderr = j.Argv, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return result{Code: -1, Err: err.Error()}
	}
	go func() {
		_, _ = io.Copy(io.Discard, line)
		child.EndTree()
	}()
	err = cmd.Wait()
	child.EndTree()
	return resultOf(cmd, err)
}

func resultOf(cmd *exec.Cmd, err error) result {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result{Code: -1, Err: err.Error()}
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return result{Code: 128 + int(status.Signal()), Signal: unix.SignalName(status.Signal())}
	}
	return result{Code: cmd.ProcessState.ExitCode()}
}
