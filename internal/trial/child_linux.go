package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
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
	at, err := program(j.Argv[0], cwd, os.Environ(), "linux")
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
		endTree()
	}()
	err = cmd.Wait()
	endTree()
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

// endTree ends every process below this one. A process that starts others while it is ended is met in the next
// round; the rounds are bounded because one in the kernel's hands cannot be ended.
func endTree() {
	for range 200 {
		pids := below(os.Getpid())
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// below lists the living processes below pid.
func below(pid int) []int {
	parents := map[int]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			if parent, alive := parentOf(e.Name()); alive {
				parents[id] = parent
			}
		}
	}
	var out []int
	for id := range parents {
		at, known := parents[id], true
		for steps := 0; known && at != pid && steps < len(parents); steps++ {
			at, known = parents[at]
		}
		if known && at == pid {
			out = append(out, id)
		}
	}
	return out
}

// parentOf reads /proc/PID/stat: "pid (name) state parent …"; the name may hold anything.
func parentOf(pid string) (int, bool) {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, false
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 2 || f[0] == "Z" || f[0] == "X" {
		return 0, false
	}
	parent, err := strconv.Atoi(f[1])
	return parent, err == nil
}
