package cli_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals: a supervisor's SIGTERM and a lost terminal end an install as Ctrl-C does: with 128+n, and nothing that
// can be seen is left.
func TestSignals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		signal syscall.Signal
		code   int
		says   string
	}{
		{"SIGTERM", syscall.SIGTERM, 143, "cupel: ended by SIGTERM"},
		{"SIGHUP", syscall.SIGHUP, 129, "cupel: ended by SIGHUP"},
		{"SIGINT", syscall.SIGINT, 130, "cupel: interrupted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Under nohup a hang-up is ignored, also by what is started: what is heeded here is not.
			heeded := make(chan os.Signal, 1)
			signal.Notify(heeded, tt.signal)
			defer signal.Stop(heeded)
			mirror, home := t.TempDir(), t.TempDir()
			if err := writeSmallMirror(mirror, "13.0.2"); err != nil {
				t.Fatal(err)
			}
			x := newTerminal(t)
			cmd, out := cupelOn(t, x, home, "toolkit", "install", "13.0", "--from", "redist", "--mirror", stalling(t, mirror), "--yes")
			x.until(t, "download")
			untilThere(t, filepath.Join(home, "cache", "downloads"))
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			if code := codeOf(cmd.Wait()); code != tt.code {
				t.Errorf("exit code %d, want %d\n%s\n%s", code, tt.code, out, x.text())
			}
			x.until(t, tt.says)
			nothingVisible(t, filepath.Join(home, "cupel", "toolkits"))
		})
	}
}

// TestSignalDuringBuild: the compiler that up runs ends with it, and no library is left.
func TestSignalDuringBuild(t *testing.T) {
	project, mirror, home := upProject(t)
	text, err := os.ReadFile(filepath.Join(project, "cupel.toml"))
	if err != nil {
		t.Fatal(err)
	}
	slow := strings.Replace(string(text), "k.cu", "slow.cu", 1)
	if err := os.WriteFile(filepath.Join(project, "cupel.toml"), []byte(slow), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, "slow.cu"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	calls := filepath.Join(t.TempDir(), "calls")
	t.Setenv("CALLS", calls)
	x := newTerminal(t)
	cmd, out := cupelOn(t, x, home, "up", project, "--from", "redist", "--mirror", mirror, "--yes")
	untilThere(t, calls)
	pid := 0
	for range 100 {
		b, _ := os.ReadFile(calls)
		if pid, err = strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("nvcc told no process: %v\n%s", err, x.text())
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := codeOf(cmd.Wait()); code != 143 {
		t.Errorf("exit code %d, want 143\n%s\n%s", code, out, x.text())
	}
	if !goneSoon(pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		t.Errorf("the compiler %d is still there", pid)
	}
	if _, err := os.Stat(filepath.Join(project, "build", "cupel", "k", "libk.a")); err == nil {
		t.Error("a library was left")
	}
}

// goneSoon waits for a process that was told to end; a zombie that nobody waits for has ended too.
func goneSoon(pid int) bool {
	for range 100 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func untilThere(t *testing.T, path string) {
	t.Helper()
	for range 600 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s never came", path)
}

// nothingVisible: hidden folders are swept by the next run; anything else would be taken for real.
func nothingVisible(t *testing.T, dir string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s was left in %s", e.Name(), dir)
		}
	}
}

// TestUpTwice: two runs in one project build one after the other, so neither deletes what the other links.
func TestUpTwice(t *testing.T) {
	project, mirror, home := upProject(t)
	x := newTerminal(t)
	args := []string{"up", project, "--from", "redist", "--mirror", mirror, "--yes"}
	cmd, out := cupelOn(t, x, home, append(args, "--no-build")...)
	if code := codeOf(cmd.Wait()); code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, out, x.text())
	}
	calls := filepath.Join(t.TempDir(), "calls")
	t.Setenv("CALLS", calls)
	one, two := newTerminal(t), newTerminal(t)
	first, out1 := cupelOn(t, one, home, args...)
	second, out2 := cupelOn(t, two, home, args...)
	if code := codeOf(first.Wait()); code != 0 {
		t.Errorf("the first ended with %d\n%s\n%s", code, out1, one.text())
	}
	if code := codeOf(second.Wait()); code != 0 {
		t.Errorf("the second ended with %d\n%s\n%s", code, out2, two.text())
	}
	b, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	who := strings.Fields(string(b))
	if len(who) != 4 || who[0] != who[1] || who[2] != who[3] || who[1] == who[2] {
		t.Errorf("nvcc was called by %v: two calls of each run, one run after the other", who)
	}
}
