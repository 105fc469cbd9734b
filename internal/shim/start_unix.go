//go:build !windows

package shim

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
)

// pass becomes the real tool.
func (t target) pass() int {
	err := syscall.Exec(t.real, append([]string{t.real}, t.args...), t.environ())
	err = fmt.Errorf("start %s: %w", t.real, err)
	return complain(err, startCode(err))
}

// signalsAfter is how long a call runs before signals are passed on.
const signalsAfter = 5 * time.Millisecond

// child is the real tool while it runs.
type child struct {
	pid    int
	remove func()           // its response files; nil: it has none
	plain  bool             // repairs were left out
	asked  <-chan os.Signal // signals are asked for already
}

// listen asks for signals before the tool is started: there is something to be cleaned up.
func listen() <-chan os.Signal {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passed()...)
	return signals
}

func stdin() uintptr { return 0 }

// start starts the real tool. Descriptors that this program inherited (make's job server) reach it, because nothing here
// closes them.
func (t target) start(used []string, files ...uintptr) (c child, err error) {
	// The child is tied to the thread that started it (Linux: Pdeathsig), so this goroutine keeps its thread. (Not before: it
	// costs a thread more.)
	runtime.LockOSThread()
	err = t.launch(&c, used, func(args []string) (err error) {
		if args == nil {
			args = t.args
		}
		c.pid, err = t.fork(args, files)
		return err
	})
	return c, err
}

func (t target) fork(args []string, files []uintptr) (int, error) {
	return syscall.ForkExec(t.real, append([]string{t.real}, args...), &syscall.ProcAttr{Env: t.environ(), Files: files, Sys: attr()})
}

// wait tells how the tool ended, and the signal that ended it or 0.
func (c child) wait() (call.End, int, error) {
	var ended atomic.Bool
	if c.asked != nil {
		go forward(c.pid, &ended, c.asked)
	} else {
		// Not at once: to ask for signals costs more than all else here. One that comes before ends this program, and the tool
		// with it, which has done nothing yet that it could clean up.
		asking := time.AfterFunc(signalsAfter, func() { forward(c.pid, &ended, listen()) })
		defer asking.Stop()
	}
	var status syscall.WaitStatus
	var usage syscall.Rusage
	_, err := syscall.Wait4(c.pid, &status, 0, &usage)
	for errors.Is(err, syscall.EINTR) {
		_, err = syscall.Wait4(c.pid, &status, 0, &usage)
	}
	ended.Store(true)
	if c.remove != nil {
		c.remove()
	}
	if err != nil {
		return call.End{}, 0, fmt.Errorf("wait for it: %w", err)
	}
	e, sig := ending(status, usage)
	return e, sig, nil
}

// passed are the signals that are passed on. One that was ignored when this program was started stays so, for the tool too.
func passed() []os.Signal {
	var list []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// forward passes signals on that reached this program alone. One from the terminal, or for the whole group, reached the
// tool as well; it gets a moment to end of it, so that most tools never see it twice.
func forward(pid int, ended *atomic.Bool, signals <-chan os.Signal) {
	for s := range signals {
		time.Sleep(50 * time.Millisecond)
		if !ended.Load() {
			_ = syscall.Kill(pid, s.(syscall.Signal))
		}
	}
}

func ending(status syscall.WaitStatus, usage syscall.Rusage) (call.End, int) {
	e := call.End{
		User:   float64(usage.Utime.Nano()) / 1e9,
		System: float64(usage.Stime.Nano()) / 1e9,
		Peak:   int64(usage.Maxrss) * rssUnit,
		Code:   int64(status.ExitStatus()),
	}
	if !status.Signaled() {
		return e, 0
	}
	sig := status.Signal()
	e.Code = 128 + int64(sig)
	if e.Signal = unix.SignalName(sig); e.Signal == "" {
		e.Signal = "signal " + strconv.Itoa(int(sig))
	}
	return e, int(sig)
}

// unread is how a tool ends that writes what nobody reads any more.
func unread() (call.End, int) {
	return call.End{Code: 128 + int64(syscall.SIGPIPE), Signal: "SIGPIPE"}, int(syscall.SIGPIPE)
}

// finish ends this program as the tool ended: its caller sees the same.
func finish(e call.End, sig int) int {
	if sig != 0 {
		die(sig)
	}
	return int(e.Code)
}

// caller is the process that called, and its program where the system tells it.
func caller() (pid int, program string) {
	pid = os.Getppid()
	program, _ = os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	return pid, program
}
