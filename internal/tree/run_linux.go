package tree

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/call"
	"cupel/internal/child"
)

// passedOn are the signals that a person or a supervisor sends.
var passedOn = []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2}

// take asks for the signals that this program did not inherit as ignored: behind nohup the command has to ignore SIGHUP
// too, and taking a signal would undo that for it. (Of SIGHUP and SIGINT alone can be told how they came: Go takes the
// others for itself before main, see sigInstallGoHandler in its runtime/signal_unix.go.)
func take(signals chan<- os.Signal) {
	for _, s := range passedOn {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
}

// run starts this program again as supervising child, in the same process group, so that the terminal, Ctrl-C and Ctrl-Z
// are to the command what they would be without cupel.
func run(ctx context.Context, c Command) call.RunEnd {
	if len(os.Args) > 1 && os.Args[1] == childWord {
		return notStarted(c, errors.New("this program does not call tree.Child")) // it would start itself for ever
	}
	if err := checkDir(c.Dir); err != nil {
		return notStarted(c, err)
	}
	line, there, err := newLine()
	if err != nil {
		return notStarted(c, err)
	}
	defer line.Close()
	// Should the supervising child be killed, what is below it comes to this process.
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil {
		defer func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) }()
	}
	signals := make(chan os.Signal, 16)
	take(signals)
	defer signal.Stop(signals)
	supervisor, err := startSupervisor(c, there)
	if err != nil {
		return notStarted(c, err)
	}
	p := parent{c: c, line: line, orders: json.NewEncoder(line), signals: signals}
	a, ok := p.talk(ctx)
	state, _ := supervisor.Wait()
	if ok {
		return call.RunEnd{Code: int64(a.Code), Signal: a.Signal, Error: a.Error, Left: a.Left, PassedBy: a.PassedBy}
	}
	child.EndTree()
	return endOfSupervisor(state)
}

// startSupervisor starts it with the environment of the command, so that every byte of that reaches it.
func startSupervisor(c Command, line int) (*os.Process, error) {
	defer unix.Close(line)
	argv := append([]string{"cupel", childWord, strconv.Itoa(line), c.Path}, c.Argv...)
	files := openFiles(c.Stdin, c.Stdout, c.Stderr, line)
	pid, err := syscall.ForkExec("/proc/self/exe", argv, &syscall.ProcAttr{Dir: c.Dir, Env: c.Env, Files: files})
	if err != nil {
		return nil, err
	}
	return os.FindProcess(pid)
}

// endOfSupervisor: the command ended with it, by the same signal or by SIGKILL.
func endOfSupervisor(state *os.ProcessState) call.RunEnd {
	end := call.RunEnd{Code: 128 + int64(unix.SIGKILL), Signal: "SIGKILL"}
	if state == nil {
		return end
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		end.Code, end.Signal = 128+int64(ws.Signal()), unix.SignalName(ws.Signal())
	}
	return end
}

// parent is this end of the line.
type parent struct {
	c       Command
	line    *os.File
	orders  *json.Encoder
	signals <-chan os.Signal
	endings endings
}

// talk tells what to watch, hears that the command was started, and passes on what happens here until it has ended.
// False: the supervising child was ended without a word.
func (p *parent) talk(ctx context.Context) (answer, bool) {
	answers := make(chan answer)
	go p.hear(answers)
	_ = p.orders.Encode(watchList{inBytes(p.c.Watch), inBytes(p.c.Shims)})
	started, done := false, ctx.Done()
	for {
		select {
		case a, ok := <-answers:
			if !ok || started || a.Error != "" {
				return a, ok
			}
			started = true
			if p.c.Began != nil {
				p.c.Began()
			}
		case s := <-p.signals:
			p.pass(s.(unix.Signal))
		case <-done:
			done = nil
			_ = p.orders.Encode(order{End: true})
		}
	}
}

func (p *parent) hear(answers chan<- answer) {
	defer close(answers)
	dec := json.NewDecoder(bufio.NewReader(p.line))
	for {
		var a answer
		if dec.Decode(&a) != nil {
			return
		}
		answers <- a
	}
}

// pass hands a signal on. The first that is meant to end the command and the second leave it to the command how; the third does not.
func (p *parent) pass(s unix.Signal) {
	switch s {
	case unix.SIGUSR1, unix.SIGUSR2:
	case unix.SIGHUP, unix.SIGQUIT:
		p.endings.enough(time.Now())
	default:
		if p.endings.enough(time.Now()) {
			_ = p.orders.Encode(order{Kill: true})
			return
		}
	}
	_ = p.orders.Encode(order{Signal: s})
}

func inBytes(list []string) (out [][]byte) {
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}
