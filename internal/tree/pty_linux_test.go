package tree

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// screen is a terminal with a program on it.
type screen struct {
	master *os.File
	mu     sync.Mutex
	shown  bytes.Buffer
}

// onScreen starts a command as leader of a session on a new terminal.
func onScreen(t *testing.T, cmd *exec.Cmd) *screen {
	t.Helper()
	master, slave := testbed.Terminal(t)
	defer slave.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &screen{master: master}
	go func() { _, _ = io.Copy(s, master) }()
	return s
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

func (s *screen) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (s *screen) shows(t *testing.T, want string, times int) {
	t.Helper()
	for range 1000 {
		if strings.Count(s.text(), want) >= times {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the screen shows %q, want %q %d times", s.text(), want, times)
}

// TestCtrlC: typed once, each process gets it once.
func TestCtrlC(t *testing.T) {
	cmd, dir := cupel(t, "count", self(t), "2")
	s := onScreen(t, cmd)
	for depth := range 3 {
		until(t, dir, fmt.Sprintf("ready-%d", depth))
	}
	s.press(t, "\x03")
	_ = cmd.Wait()
	for depth := range 3 {
		if got := until(t, dir, fmt.Sprintf("got-%d", depth)); got != "map[SIGINT:1]" {
			t.Errorf("generation %d got %s, want SIGINT once", depth, got)
		}
	}
	if end := result(t, dir); end.Code != 12 {
		t.Errorf("the answer is %+v, want code 12", end)
	}
	nobody(t, dir)
}

func TestCtrlCThrice(t *testing.T) {
	cmd, dir := cupel(t, "deaf", self(t))
	s := onScreen(t, cmd)
	until(t, dir, "ready-0")
	s.press(t, "\x03")
	until(t, dir, "deaf-0")
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	pressed := 1
	for pressing := true; pressing && pressed < 20; {
		s.press(t, "\x03")
		pressed++
		select {
		case <-ended:
			pressing = false
		case <-time.After(1500 * time.Millisecond): // one that comes at once counts as the same, and on a busy machine each is late
		}
	}
	if pressed < 3 {
		t.Errorf("it ended after %d presses", pressed)
	}
	if end := result(t, dir); end.Signal != "SIGKILL" {
		t.Errorf("the answer is %+v, want SIGKILL", end)
	}
	nobody(t, dir)
}

// TestCtrlZ: the whole group stops, the shell hears of it, and it goes on.
func TestCtrlZ(t *testing.T) {
	cmd, dir := cupel(t, "count", self(t), self(t), "1")
	cmd.Env = append(cmd.Env, actVar+"=shell")
	s := onScreen(t, cmd)
	until(t, dir, "ready-0")
	until(t, dir, "ready-1")
	s.press(t, "\x1a")
	if got := until(t, dir, "stopped-0"); got != "SIGTSTP" {
		t.Errorf("cupel was stopped by %s, want SIGTSTP", got)
	}
	stopped := 0
	for range 1000 { // each stops when it gets a processor again, cupel not the last of them on a busy machine
		if stopped = stoppedIn(dir); stopped == 4 { // cupel, the one between, and two generations
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if stopped != 4 {
		t.Errorf("%d processes are stopped, want 4", stopped)
	}
	if err := os.WriteFile(filepath.Join(dir, "go-on-0"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	s.press(t, "\x03")
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 11 {
		t.Errorf("the command ended with %d, want 11 after it went on; screen: %s", got, s.text())
	}
	nobody(t, dir)
}

// stoppedIn counts the stopped processes whose folder is dir.
func stoppedIn(dir string) (n int) {
	for _, pid := range within(dir) {
		b, _ := os.ReadFile(proc(pid, "stat"))
		if bytes.Contains(b, []byte(") T ")) {
			n++
		}
	}
	return n
}

// TestTerminal: the command reads what is typed, and its streams are the terminal itself.
func TestTerminal(t *testing.T) {
	cmd, dir := cupel(t, "", "/bin/cat")
	s := onScreen(t, cmd)
	s.press(t, "some words\n")
	s.shows(t, "some words", 2) // typed, and printed by cat
	s.press(t, "\x04")
	_ = cmd.Wait()
	if end := result(t, dir); end.Code != 0 || end.Signal != "" {
		t.Errorf("the answer is %+v, want code 0", end)
	}
	cmd, _ = cupel(t, "tty", self(t))
	s = onScreen(t, cmd)
	_ = cmd.Wait()
	s.shows(t, "terminals: true true true", 1)
}
