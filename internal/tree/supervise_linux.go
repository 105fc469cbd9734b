package tree

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
	"cupel/internal/child"
)

// childWord is the first argument with which this program starts itself: exec-child LINE PROGRAM ARGV…
const childWord = "exec-child"

// Child is to be called first by main, with the arguments. True: this process was the supervising child of a command, and
// its work is done.
func Child(args []string) bool {
	if len(args) < 4 || args[0] != childWord {
		return false
	}
	// The command's death signal belongs to the thread that starts it: everything is done on this one.
	runtime.LockOSThread()
	fd, err := strconv.Atoi(args[1])
	if err != nil {
		return true
	}
	unix.CloseOnExec(fd)
	line := os.NewFile(uintptr(fd), "line")
	s := supervisor{lines: bufio.NewReader(line), answers: json.NewEncoder(line), heard: make(chan os.Signal, 16)}
	// Taken, not ignored: what is ignored stays so in the command.
	take(s.heard)
	s.supervise(args[2], args[3:])
	return true
}

// supervisor is the process between cupel and the command. It outlives every signal but SIGKILL, and never touches the
// streams.
type supervisor struct {
	lines   *bufio.Reader
	answers *json.Encoder
	heard   chan os.Signal
	own     arrivals
	forced  atomic.Bool // the tree is ended from outside: what is there was not left by the command
}

func (s *supervisor) supervise(path string, argv []string) {
	var what watchList
	text, err := s.lines.ReadBytes('\n')
	if err != nil || json.Unmarshal(text, &what) != nil {
		return // nobody is at the other end
	}
	w := newWatcher(what)
	// Processes whose parents end become this one's own children, so none gets lost.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env: environment(), Files: openFiles(os.Stdin, os.Stdout, os.Stderr, -1), Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		end := notStarted(Command{Path: path}, err)
		_ = s.answers.Encode(answer{Code: int(end.Code), Error: end.Error})
		return
	}
	_ = s.answers.Encode(answer{})
	go s.own.note(s.heard)
	go s.obey()
	go w.watch()
	a := waitFor(pid)
	a.PassedBy = w.stop()
	a.Left = s.endLeft()
	_ = s.answers.Encode(a)
}

// environment is this process' own, byte for byte: os.Environ drops names that are there twice.
func environment() []string {
	b, err := os.ReadFile("/proc/self/environ")
	if err != nil {
		return os.Environ()
	}
	var out []string
	for e := range bytes.SplitSeq(bytes.TrimSuffix(b, []byte{0}), []byte{0}) {
		if len(b) > 0 {
			out = append(out, string(e))
		}
	}
	return out
}

// waitFor waits for the command, and for all others that come to this process on the way: a long build leaves thousands.
func waitFor(pid int) answer {
	for {
		var ws unix.WaitStatus
		ended, err := unix.Wait4(-1, &ws, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return answer{Code: -1, Error: "wait for the command: " + err.Error()}
		case ended == pid && ws.Signaled():
			return answer{Code: 128 + int(ws.Signal()), Signal: unix.SignalName(ws.Signal())}
		case ended == pid:
			return answer{Code: ws.ExitStatus()}
		}
	}
}

// endLeft ends what the command left, and tells what it was.
func (s *supervisor) endLeft() []call.Process {
	if alone(linger) {
		return nil
	}
	var left []call.Process
	for _, pid := range child.Below(os.Getpid()) {
		if p, ok := describe(pid); ok && len(left) < mostSeen && !s.forced.Load() {
			left = append(left, p)
		}
	}
	signalAll(unix.SIGTERM)
	if !alone(farewell) {
		child.EndTree()
	}
	return left
}

// alone waits until this process has no child any more, which is to say that there is nobody below it.
func alone(limit time.Duration) bool {
	for deadline := time.Now().Add(limit); ; time.Sleep(2 * time.Millisecond) {
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if err == unix.ECHILD {
				return true
			}
			if pid <= 0 && err != unix.EINTR {
				break
			}
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

// signalAll sends a signal to every process below this one.
func signalAll(sig unix.Signal) {
	for _, pid := range child.Below(os.Getpid()) {
		_ = unix.Kill(pid, sig)
	}
}
