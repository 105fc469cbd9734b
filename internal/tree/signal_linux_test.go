package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/child"
)

// TestSignals: a signal to cupel alone, and one to the whole group, reaches each of three generations exactly once.
func TestSignals(t *testing.T) {
	for _, tt := range []struct {
		sig   unix.Signal
		group bool
	}{
		{unix.SIGTERM, false}, {unix.SIGINT, false}, {unix.SIGHUP, false}, {unix.SIGQUIT, false}, {unix.SIGUSR1, false}, {unix.SIGUSR2, false},
		{unix.SIGTERM, true}, {unix.SIGINT, true}, {unix.SIGUSR1, true},
	} {
		t.Run(fmt.Sprintf("%s group %v", unix.SignalName(tt.sig), tt.group), func(t *testing.T) {
			t.Parallel()
			cmd, dir := cupel(t, "count", self(t), "2")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for depth := range 3 {
				until(t, dir, fmt.Sprintf("ready-%d", depth))
			}
			to := cmd.Process.Pid
			if tt.group {
				to = -to
			}
			if err := unix.Kill(to, tt.sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			for depth := range 3 {
				want := fmt.Sprintf("map[%s:1]", unix.SignalName(tt.sig))
				if got := until(t, dir, fmt.Sprintf("got-%d", depth)); got != want {
					t.Errorf("generation %d got %s, want %s", depth, got, want)
				}
			}
			if end := result(t, dir); end.Code != 12 || end.Left != nil {
				t.Errorf("the answer is %+v, want code 12", end)
			}
			nobody(t, dir)
		})
	}
}

// TestThirdSignal: the first two are the command's to obey, the third ends it.
func TestThirdSignal(t *testing.T) {
	cmd, dir := cupel(t, "deaf", self(t))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, dir, "ready-0")
	_ = unix.Kill(cmd.Process.Pid, unix.SIGTERM)
	until(t, dir, "deaf-0")
	if there(filepath.Join(dir, "result")) {
		t.Error("the first signal ended the command")
	}
	_ = unix.Kill(cmd.Process.Pid, unix.SIGTERM)
	time.Sleep(1500 * time.Millisecond)
	_ = unix.Kill(cmd.Process.Pid, unix.SIGTERM)
	_ = cmd.Wait()
	if end := result(t, dir); end.Code != 137 || end.Signal != "SIGKILL" || end.Left != nil {
		t.Errorf("the answer is %+v, want SIGKILL", end)
	}
	nobody(t, dir)
}

// TestEndings: the third within a short time is enough; long after the others it is a first one again.
func TestEndings(t *testing.T) {
	now := time.Now()
	var e endings
	for i, tt := range []struct {
		after time.Duration
		want  bool
	}{{0, false}, {time.Second, false}, {2 * time.Second, true}, {2*time.Second + impatient, false}, {3*time.Second + impatient, false}, {4*time.Second + impatient, true}} {
		if got := e.enough(now.Add(tt.after)); got != tt.want {
			t.Errorf("signal %d after %v: enough = %v, want %v", i+1, tt.after, got, tt.want)
		}
	}
}

// TestKilled: kill -9 of cupel, or of the process between, leaves nothing.
func TestKilled(t *testing.T) {
	for _, between := range []bool{false, true} {
		t.Run(fmt.Sprintf("the one between %v", between), func(t *testing.T) {
			cmd, dir := cupel(t, "leave and sleep", self(t))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			until(t, dir, "beat")
			pid := cmd.Process.Pid
			if between {
				pid = 0
				for _, p := range child.Below(cmd.Process.Pid) {
					if parent, _ := child.Parent(p); parent == cmd.Process.Pid {
						pid = p
					}
				}
			}
			if pid <= 0 {
				t.Fatal("there is none")
			}
			_ = unix.Kill(pid, unix.SIGKILL)
			_ = cmd.Wait()
			nobody(t, dir)
			if !between {
				return
			}
			if end := result(t, dir); end.Code != 137 || end.Signal != "SIGKILL" {
				t.Errorf("the answer is %+v, want SIGKILL", end)
			}
		})
	}
}

// TestEndedBySignal: how the command ended is told exactly.
func TestEndedBySignal(t *testing.T) {
	for _, tt := range []struct {
		line   string
		code   int64
		signal string
	}{
		{"kill -SEGV $$", 139, "SIGSEGV"},
		{"kill -TERM $$", 143, "SIGTERM"},
		{"kill -KILL $$", 137, "SIGKILL"},
		{"exit 139", 139, ""},
	} {
		t.Run(tt.line, func(t *testing.T) {
			if end := Run(t.Context(), sh(t, tt.line)); end.Code != tt.code || end.Signal != tt.signal || end.Error != "" {
				t.Errorf("Run = %+v, want %d %s", end, tt.code, tt.signal)
			}
		})
	}
}

// sh is a command of the shell.
func sh(t *testing.T, line string, args ...string) Command {
	t.Helper()
	c := act(t, "")
	c.Path, c.Argv, c.Env = "/bin/sh", append([]string{"sh", "-c", line}, args...), os.Environ()
	return c
}

// TestUntouched: what the command inherits is what it would without cupel: signals that are ignored or blocked, and each
// byte of the environment and the arguments.
func TestUntouched(t *testing.T) {
	const masks = "grep -E '^Sig(Ign|Blk|Cgt)' /proc/self/status"
	for _, tt := range []struct{ name, before string }{
		{"plain", ""}, {"nohup", "trap '' HUP; "}, {"Ctrl-C ignored", "trap '' INT; "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got [2]string
			for i, line := range []string{tt.before + `exec sh -c "$1"`, tt.before + `exec "$2" /bin/sh -c "$1"`} {
				out, dir := outputOf(t, line, masks)
				got[i] = out
				nobody(t, dir)
			}
			if got[0] != got[1] || !strings.Contains(got[0], "SigIgn") {
				t.Errorf("without cupel:\n%s\nwith it:\n%s", got[0], got[1])
			}
		})
	}
}

func outputOf(t *testing.T, line, masks string) (string, string) {
	t.Helper()
	cmd, dir := cupel(t, "", "-c", line, "sh", masks, self(t))
	cmd.Path = "/bin/sh"
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return string(b), dir
}

func TestExactEnvironment(t *testing.T) {
	c := sh(t, "")
	c.Path, c.Argv = "/bin/cat", []string{"cat", "/proc/self/environ", "/proc/self/cmdline", "caf\xe9"}
	c.Env = []string{"B=2", "A=\xff\xfe", "EMPTY=", "A=twice", "odd", "LINES=a\nb"}
	Run(t.Context(), c)
	want := strings.Join(c.Env, "\x00") + "\x00" + strings.Join(c.Argv, "\x00") + "\x00"
	if got := output(t, c); !strings.HasPrefix(got, want) {
		t.Errorf("the command has %q, want %q", got, want)
	}
}
