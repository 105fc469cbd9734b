//go:build !windows

package relay

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// end is a descriptor that is read and written without the os package: that would end the program when the reader of its
// standard output is gone, and change how a descriptor blocks for everybody who has it.
type end int

const none end = -1

func endOf(f *os.File) end {
	if f == nil {
		return none
	}
	return end(f.Fd())
}

func (e end) there() bool { return e != none }

func (e end) close() { _ = unix.Close(int(e)) }

// ready: a read would give something at once.
func (e end) ready() bool {
	fds := []unix.PollFd{{Fd: int32(e), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
}

// open makes what the child writes to in the place of a stream that leads to to.
func open(to end) (*os.File, end, error) {
	if child, from, ok := terminal(to); ok {
		return child, from, nil
	}
	var p [2]int
	syscall.ForkLock.RLock()
	err := unix.Pipe(p[:])
	if err == nil {
		unix.CloseOnExec(p[0])
		unix.CloseOnExec(p[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, none, os.NewSyscallError("pipe", err)
	}
	return os.NewFile(uintptr(p[1]), "|"), end(p[0]), nil
}

// run passes on until the child's side is closed, or ours takes no more.
func (p *pump) run() {
	defer p.end() // the child meets now what it would have met without us: SIGPIPE
	fds := []unix.PollFd{{Fd: int32(p.from), Events: unix.POLLIN}, {Fd: -1}}
	// A pipe tells when its reader is gone before anybody writes, so that already the child's next write fails.
	if p.to.fifo() {
		fds[1].Fd = int32(p.to)
	}
	buf := make([]byte, piece)
	for {
		if _, err := unix.Poll(fds, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
		if fds[1].Revents&unix.POLLERR != 0 {
			return
		}
		if fds[0].Revents == 0 {
			continue
		}
		if !p.pass(buf) {
			return
		}
	}
}

// pass passes on one piece; false: that was the end.
func (p *pump) pass(buf []byte) bool {
	p.busy.Store(true)
	defer p.busy.Store(false)
	n, err := unix.Read(int(p.from), buf)
	if n <= 0 {
		return errors.Is(err, unix.EINTR) // a terminal tells its end as EIO
	}
	return p.deliver(buf[:n])
}

// gone: the reader of our stream went away.
func gone(err error) bool { return errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) }

func (e end) fifo() bool {
	var st unix.Stat_t
	return unix.Fstat(int(e), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO
}

// write writes all of b. Somebody may have made the descriptor one that does not block: then it is waited for.
func (e end) write(b []byte) error {
	for len(b) > 0 {
		n, err := unix.Write(int(e), b)
		switch {
		case err == nil:
			b = b[n:]
		case errors.Is(err, unix.EAGAIN):
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(e), Events: unix.POLLOUT}}, -1)
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
	return nil
}
