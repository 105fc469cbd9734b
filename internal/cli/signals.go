package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// ended is a signal that ends the program: a person pressed Ctrl-C (the terminal of Windows was closed), a supervisor
// stops it, or its terminal is gone. It counts as an interruption wherever errors are told apart.
type ended struct{ by syscall.Signal }

func (e ended) Error() string {
	if name := map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}[e.by]; name != "" {
		return "ended by " + name
	}
	return "interrupted"
}

func (e ended) Is(target error) bool { return target == errInterrupted || target == context.Canceled }

// code is what shells say of a program that a signal ended.
func (e ended) code() int { return 128 + int(e.by) }

// signalled is a context that ends with the first signal and tells which. So work stops in order: children are ended,
// and what was begun is taken away. The system needs a while to be told: what a signal must not stop may begin once ready is
// closed.
func signalled(parent context.Context) (ctx context.Context, ready <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals, told := make(chan os.Signal, 1), make(chan struct{})
	go func() {
		signal.Notify(signals, heeded()...)
		close(told)
		select {
		case s := <-signals:
			by, ok := s.(syscall.Signal)
			if !ok {
				by = syscall.SIGINT
			}
			cancel(ended{by})
		case <-ctx.Done():
		}
	}()
	return ctx, told, func() { signal.Stop(signals); cancel(nil) }
}

// heeded leaves out a hang-up that whoever started this program wants ignored: that is what nohup does.
func heeded() []os.Signal {
	out := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}
