package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/testbed"
)

// terminal is a pair of ends: a program has one, the test reads and types at the other.
type terminal struct {
	master, slave *os.File
	mu            sync.Mutex
	seen          bytes.Buffer
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	master, slave := testbed.Terminal(t)
	_ = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 120})
	x := &terminal{master: master, slave: slave}
	go x.read()
	return x
}

func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.master.Read(buf)
		x.mu.Lock()
		x.seen.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen.String()
}

// until waits for a text on the terminal.
func (x *terminal) until(t *testing.T, want string) {
	t.Helper()
	for range 600 {
		if strings.Contains(x.text(), want) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the terminal never showed %q:\n%s", want, x.text())
}

// cupelOn starts cupel at a terminal, in a session of its own, with a home of its own.
func cupelOn(t *testing.T, x *terminal, home string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "cupel")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = x.slave, io.Writer(&out), x.slave
	cmd.Env = append(os.Environ(), "HOME="+home, "TERM=xterm", "CUPEL_HOME="+filepath.Join(home, "cupel"), "CUPEL_CACHE="+filepath.Join(home, "cache"), "CUPEL_ACCEPT_LICENSE=")
	cmd.Dir = home
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

func codeOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// TestLicenceOnTerminal: the question is asked once; no is the default, yes is recorded, and bars are drawn.
func TestLicenceOnTerminal(t *testing.T) {
	mirror, home := t.TempDir(), t.TempDir()
	if err := writeSmallMirror(mirror, "13.0.2"); err != nil {
		t.Fatal(err)
	}
	args := []string{"toolkit", "install", "13.0", "--from", "redist", "--mirror", mirror}
	for _, tt := range []struct {
		name, typed string
		code        int
		asked       bool
	}{
		{"return alone", "\n", 2, true},
		{"no", "no\n", 2, true},
		{"yes", "y\n", 0, true},
		{"never again", "", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newTerminal(t)
			cmd, out := cupelOn(t, x, home, args...)
			if tt.asked {
				x.until(t, "Do you accept it? [y/N]")
				if _, err := x.master.WriteString(tt.typed); err != nil {
					t.Fatal(err)
				}
			}
			if code := codeOf(cmd.Wait()); code != tt.code {
				t.Fatalf("exit code %d, want %d\n%s\n%s", code, tt.code, out, x.text())
			}
			if !tt.asked && strings.Contains(x.text(), "[y/N]") {
				t.Errorf("it was asked again:\n%s", x.text())
			}
			_, err := os.Stat(filepath.Join(home, "cupel", "toolkits", "13.0.2-redist-linux-x86_64", "bin", "nvcc"))
			if installed := err == nil; installed != (tt.code == 0) {
				t.Errorf("installed %t, want %t", installed, tt.code == 0)
			}
		})
	}
}

// TestInterrupt: Ctrl-C ends with 130 and leaves nothing that can be seen.
func TestInterrupt(t *testing.T) {
	mirror, home := t.TempDir(), t.TempDir()
	if err := writeSmallMirror(mirror, "13.0.2"); err != nil {
		t.Fatal(err)
	}
	address := stalling(t, mirror)
	x := newTerminal(t)
	cmd, out := cupelOn(t, x, home, "toolkit", "install", "13.0", "--from", "redist", "--mirror", address, "--yes")
	x.until(t, "download")
	time.Sleep(300 * time.Millisecond)
	if _, err := x.master.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	if code := codeOf(cmd.Wait()); code != 130 {
		t.Errorf("exit code %d, want 130\n%s\n%s", code, out, x.text())
	}
	entries, _ := os.ReadDir(filepath.Join(home, "cupel", "toolkits"))
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s was left", e.Name())
		}
	}
	x.until(t, "cupel: interrupted")
}

// TestBars: on a terminal a bar stands for each part under way, and nothing of them is left in the answer.
func TestBars(t *testing.T) {
	mirror, home := t.TempDir(), t.TempDir()
	if err := writeSmallMirror(mirror, "13.0.2"); err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t)
	cmd, out := cupelOn(t, x, home, "toolkit", "install", "13.0", "--from", "redist", "--mirror", slow(t, mirror), "--yes")
	if code := codeOf(cmd.Wait()); code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, out, x.text())
	}
	x.until(t, "fetch   cuda_nvcc")
	x.until(t, "[==")
	if !strings.HasPrefix(out.String(), "CUDA 13.0.2 from redist installed\n") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("the answer is\n%q", out.String())
	}
}
