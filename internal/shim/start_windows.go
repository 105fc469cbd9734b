package shim

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode/utf16"
	"unsafe"

	win "golang.org/x/sys/windows"

	"cupel/internal/call"
)

// maxCommandLine is what CreateProcessW takes, in UTF-16 units without the closing zero (its lpCommandLine: 32,767 with it).
const maxCommandLine = 32766

// child is the real tool while it runs.
type child struct {
	process win.Handle
	job     job
	remove  func() // its response files; nil: it has none
	plain   bool   // repairs were left out
	asked   <-chan os.Signal
}

// listen: Ctrl-C reaches every process of the console. The tool decides what it does; this program waits for it.
func listen() <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return signals
}

func stdin() uintptr { return handle(os.Stdin) }

// pass runs the real tool with this program's own streams: Windows cannot become another program.
func (t target) pass() int {
	c, err := t.start(nil, stdin(), handle(os.Stdout), handle(os.Stderr))
	e, sig := t.ending(c, err)
	return finish(e, sig)
}

// start starts the real tool.
func (t target) start(used []string, files ...uintptr) (c child, err error) {
	listen()
	c.job = enter()
	err = t.launch(&c, used, func(args []string) (err error) {
		c.process, err = t.create(t.commandLine(args), files)
		return err
	})
	return c, err
}

// wait tells how the tool ended. There are no signals: the number is 0.
func (c child) wait() (call.End, int, error) {
	defer win.CloseHandle(c.process)
	_, err := win.WaitForSingleObject(c.process, win.INFINITE)
	if c.remove != nil {
		c.remove()
	}
	if err != nil {
		return call.End{}, 0, fmt.Errorf("wait for it: %w", err)
	}
	var code uint32
	if err := win.GetExitCodeProcess(c.process, &code); err != nil {
		return call.End{}, 0, fmt.Errorf("ask for its exit code: %w", err)
	}
	e := call.End{Code: int64(code), Status: call.Status(code)}
	c.job.leave(c.process, &e)
	return e, 0, nil
}

func (t target) create(line string, files []uintptr) (win.Handle, error) {
	if len(utf16.Encode([]rune(line))) > maxCommandLine {
		return 0, syscall.E2BIG
	}
	_, h, err := syscall.StartProcess(t.real, []string{t.real}, &syscall.ProcAttr{
		Env:   t.environ(),
		Files: files,
		Sys:   &syscall.SysProcAttr{CmdLine: line},
	})
	return win.Handle(h), err
}

// commandLine is this program's own with the real tool's name in front. Every program takes its command line apart by its
// own rules, so nothing of it is taken apart and put together again here, unless other arguments are used.
func (t target) commandLine(used []string) string {
	line := syscall.EscapeArg(t.real)
	if used == nil {
		rest := afterProgram(ownCommandLine())
		if t.alone {
			rest = afterWord(rest)
		}
		return line + rest
	}
	for _, arg := range used {
		line += " " + syscall.EscapeArg(arg)
	}
	return line
}

// ownCommandLine keeps halves of surrogate pairs, as syscall's conversions do.
func ownCommandLine() string {
	p := syscall.GetCommandLine()
	return syscall.UTF16ToString(unsafe.Slice(p, maxCommandLine+1))
}

// afterProgram is a command line from behind the program's name on: that ends at the next quote, when it begins with one,
// else at white space (CommandLineToArgvW).
func afterProgram(line string) string {
	if rest, ok := strings.CutPrefix(line, `"`); ok {
		if i := strings.IndexByte(rest, '"'); i >= 0 {
			return rest[i+1:]
		}
		return ""
	}
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[i:]
	}
	return ""
}

// afterWord is a command line from behind its first argument on. Quotes hold white space, and a backslash before a quote
// takes its meaning away unless another stands before it (CommandLineToArgvW).
func afterWord(line string) string {
	line = strings.TrimLeft(line, " \t")
	quoted, slashes := false, 0
	for i, c := range []byte(line) {
		switch {
		case c == '"' && slashes%2 == 0:
			quoted = !quoted
		case (c == ' ' || c == '\t') && !quoted:
			return line[i:]
		}
		if slashes++; c != '\\' {
			slashes = 0
		}
	}
	return ""
}

// handle is 0 where there is no such stream.
func handle(f *os.File) uintptr {
	if f == nil {
		return 0
	}
	return f.Fd()
}

// unread: what nobody reads any more is no fault here.
func unread() (call.End, int) { return call.End{}, 0 }

func finish(e call.End, _ int) int { return int(e.Code) }

// caller is the process that called, and its program.
func caller() (pid int, program string) {
	var info win.PROCESS_BASIC_INFORMATION
	if err := win.NtQueryInformationProcess(win.CurrentProcess(), win.ProcessBasicInformation, unsafe.Pointer(&info), uint32(unsafe.Sizeof(info)), nil); err != nil {
		return 0, ""
	}
	pid = int(info.InheritedFromUniqueProcessId)
	h, err := win.OpenProcess(win.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return pid, ""
	}
	defer win.CloseHandle(h)
	name := make([]uint16, win.MAX_LONG_PATH)
	size := uint32(len(name))
	if win.QueryFullProcessImageName(h, 0, &name[0], &size) != nil {
		return pid, ""
	}
	return pid, win.UTF16ToString(name[:size])
}
