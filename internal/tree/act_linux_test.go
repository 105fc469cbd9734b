package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"cupel/internal/call"
	"cupel/internal/child"
)

func init() {
	acts["count"] = count
	acts["deaf"] = deaf
	acts["tty"] = tty
	acts["shell"] = shell
}

// count starts another one below it, down to 0, and writes how often each signal came to it.
func count() int {
	depth, _ := strconv.Atoi(os.Args[1])
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, passedOn...)
	cmd := exec.Command(os.Args[0], strconv.Itoa(depth-1))
	if depth > 0 {
		cmd.Stdout = os.Stdout
		if cmd.Start() != nil {
			return 1
		}
	}
	mark("ready", depth, "")
	got := map[string]int{}
	got[unix.SignalName((<-signals).(unix.Signal))]++
	for late := time.After(4 * settle); late != nil; { // a second one would come within settle
		select {
		case s := <-signals:
			got[unix.SignalName(s.(unix.Signal))]++
		case <-late:
			late = nil
		}
	}
	mark("got", depth, fmt.Sprint(got))
	if depth > 0 {
		_ = cmd.Wait()
	}
	return 10 + depth
}

// mark writes a file in one step.
func mark(name string, n int, text string) {
	at := fmt.Sprintf("%s-%d", name, n)
	_ = os.WriteFile(at+".tmp", []byte(text), 0o644)
	_ = os.Rename(at+".tmp", at)
}

// deaf hears no signal that can be refused.
func deaf() int {
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, passedOn...)
	mark("ready", 0, "")
	for i := 0; ; i++ {
		<-signals
		mark("deaf", i, "")
	}
}

func tty() int {
	fmt.Println("terminals:", term.IsTerminal(0), term.IsTerminal(1), term.IsTerminal(2))
	return 0
}

// shell does for its command what a shell with job control does: a group of its own in front, and on when it stopped.
func shell() int {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Env = with("exec")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Foreground: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		return 1
	}
	var ws unix.WaitStatus
	if _, err := unix.Wait4(cmd.Process.Pid, &ws, unix.WUNTRACED, nil); err != nil || !ws.Stopped() {
		return 2
	}
	mark("stopped", 0, unix.SignalName(ws.StopSignal()))
	for !there("go-on-0") {
		time.Sleep(10 * time.Millisecond)
	}
	_ = unix.Kill(-cmd.Process.Pid, unix.SIGCONT)
	if _, err := unix.Wait4(cmd.Process.Pid, &ws, 0, nil); err != nil {
		return 3
	}
	return ws.ExitStatus()
}

func there(path string) bool { _, err := os.Stat(path); return err == nil }

// until waits for a file.
func until(t *testing.T, dir, name string) string {
	t.Helper()
	for range 2000 {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return string(b)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("there is no %s", name)
	return ""
}

// cupel starts this program as cupel exec with a command below it that does an act.
func cupel(t *testing.T, below string, argv ...string) (*exec.Cmd, string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(self(t), argv...)
	cmd.Env = append(with("exec"), "BELOW="+below, "RESULT="+filepath.Join(dir, "result"))
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.Cleanup(func() {
		for _, pid := range within(dir) { // a test that failed leaves nothing either
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	})
	return cmd, dir
}

func result(t *testing.T, dir string) (end call.RunEnd) {
	t.Helper()
	if err := json.Unmarshal([]byte(until(t, dir, "result")), &end); err != nil {
		t.Fatal(err)
	}
	return end
}

// within are the living processes whose folder is dir.
func within(dir string) (out []int) {
	for _, pid := range processes() {
		if at, err := os.Readlink(proc(pid, "cwd")); err != nil || at != dir {
			continue
		}
		if _, alive := child.Parent(pid); alive {
			out = append(out, pid)
		}
	}
	return out
}

// nobody fails when a process is left in a folder.
func nobody(t *testing.T, dir string) {
	t.Helper()
	for range 1000 {
		if len(within(dir)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, pid := range within(dir) {
		b, _ := os.ReadFile(proc(pid, "cmdline"))
		t.Errorf("process %d is left: %q", pid, bytes.ReplaceAll(b, []byte{0}, []byte{' '}))
	}
}
