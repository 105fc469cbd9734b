package shim_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cupel/internal/call"
)

// script makes a shell script the real tool.
func (b *bench) script(t testing.TB, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "real", "nvcc")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.pointTo(t, path)
}

// TestEndsBySignal: the caller sees the signal that ended the tool.
func TestEndsBySignal(t *testing.T) {
	b := newBench(t)
	b.script(t, "ulimit -c 0; echo going; kill -$1 $$; sleep 5")
	for i, sig := range []string{"TERM", "INT", "KILL", "SEGV", "ABRT", "HUP", "QUIT", "PIPE", "USR1", "FPE", "BUS", "ILL", "ALRM", "VTALRM", "34", "64"} {
		t.Run(sig, func(t *testing.T) {
			want := ways["two pipes"](t, b.command(t, b.real, "", sig))
			if got := ways["two pipes"](t, b.command(t, b.shim, "", sig)); got != want || !strings.HasPrefix(got.state, "signal: ") {
				t.Errorf("through the shim: %+v, direct: %+v", got, want)
			}
			list := b.calls(t)
			if len(list) != i+1 {
				t.Fatalf("%d calls were recorded, want %d", len(list), i+1)
			}
			end := list[i].End
			name := "SIG" + sig
			if sig == "34" || sig == "64" {
				name = "signal " + sig
			}
			if end == nil || end.Signal != name || end.Code < 129 || string(list[i].Text()) != "going\n" {
				t.Errorf("recorded %+v, want %s", end, name)
			}
		})
	}
}

// TestSignalsArePassedOn: a signal for the shim alone reaches the tool, which may do with it what it likes.
func TestSignalsArePassedOn(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			b := newBench(t)
			b.script(t, "trap 'echo caught; exit 9' TERM INT HUP QUIT; echo ready; while :; do sleep 0.05; done")
			cmd := b.command(t, b.shim, "")
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			if line, _ := lines.ReadString('\n'); line != "ready\n" {
				t.Fatalf("the tool said %q", line)
			}
			time.Sleep(300 * time.Millisecond) // in its first moments a call ends with the shim
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(lines)
			_ = cmd.Wait()
			if string(rest) != "caught\n" || cmd.ProcessState.ExitCode() != 9 {
				t.Errorf("the tool said %q and the shim ended with %v", rest, cmd.ProcessState)
			}
			if c := b.only(t); c.End.Code != 9 {
				t.Errorf("recorded %+v", c.End)
			}
		})
	}
}

// TestIgnoredStayIgnored: nohup holds for the tool too.
func TestIgnoredStayIgnored(t *testing.T) {
	b := newBench(t)
	b.script(t, "kill -HUP $$; kill -INT $$; echo survived")
	cmd := b.command(t, "/bin/sh", "", "-c", `trap "" HUP INT; exec "$0"`, b.shim)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "survived\n" {
		t.Errorf("%v: %q", err, out)
	}
}

// TestKilledShim: the tool ends with the shim, also one that writes nothing.
func TestKilledShim(t *testing.T) {
	b := newBench(t)
	b.script(t, "echo $$; exec sleep 60")
	cmd := b.command(t, b.shim, "")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	// A piece is passed on first and written down then: the kill may come in between.
	for range 500 {
		if list := b.calls(t); len(list) == 1 && len(list[0].Output) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	gone(t, pid)
	list := b.calls(t)
	if len(list) != 1 || list[0].End != nil || strings.TrimSpace(string(list[0].Text())) != fmt.Sprint(pid) {
		t.Errorf("recorded %+v", list)
	}
}

// gone waits for the end of a process.
func gone(t testing.TB, pid int) {
	t.Helper()
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(text), ") Z ") {
			return // nobody asked for its end yet
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// TestReaderGone: as with head: the tool ends by SIGPIPE, and so does the shim.
func TestReaderGone(t *testing.T) {
	b := newBench(t)
	b.script(t, "exec yes")
	run := func(program string) string {
		cmd := b.command(t, program, "")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout = w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if _, err := io.ReadFull(r, make([]byte, 1000)); err != nil {
			t.Error(err)
		}
		r.Close()
		_ = cmd.Wait()
		return cmd.ProcessState.String()
	}
	want := run(b.real)
	if got := run(b.shim); got != want || got != "signal: broken pipe" {
		t.Errorf("through the shim: %s, direct: %s", got, want)
	}
}

// TestReaderGoneBefore: nobody reads when the tool writes its one and only word.
func TestReaderGoneBefore(t *testing.T) {
	b := newBench(t)
	b.script(t, "sleep 1; exec /bin/echo word")
	run := func(program string) string {
		cmd := b.command(t, program, "")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout = w
		r.Close()
		err = cmd.Run()
		w.Close()
		return fmt.Sprint(err)
	}
	want := run(b.real)
	if got := run(b.shim); got != want || got != "signal: broken pipe" {
		t.Errorf("through the shim: %s, direct: %s", got, want)
	}
}

// TestJobServer: descriptors of the caller's reach the tool.
func TestJobServer(t *testing.T) {
	b := newBench(t)
	b.script(t, "read token <&3; echo $token again >&4")
	for _, run := range []string{b.live.Dir, ""} {
		cmd := b.command(t, b.shim, "")
		cmd.Env = append(cmd.Env, call.RunVariable+"="+run)
		tokens, give, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		take, back, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.ExtraFiles = []*os.File{tokens, back}
		give.WriteString("token\n")
		give.Close()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %s", err, out)
		}
		back.Close()
		if got, _ := io.ReadAll(take); string(got) != "token again\n" {
			t.Errorf("came back: %q", got)
		}
		tokens.Close()
		take.Close()
	}
}

// TestTerminal: on a terminal the tool has one, and the terminal shows what it shows without the shim.
func TestTerminal(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("script(1) is not installed here")
	}
	b := newBench(t)
	b.script(t, `test -t 0 && echo in; test -t 1 && echo out; test -t 2 && echo err >&2; stty size <&2; i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done; exit 5`)
	run := func(program string) outcome {
		cmd := b.command(t, "script", "", "-qec", "stty rows 30 cols 77; exec "+program, "/dev/null")
		cmd.Stdin, _ = os.Open(os.DevNull)
		return ways["one pipe"](t, cmd)
	}
	want, got := run(b.real), run(b.shim)
	if got != want || !strings.HasPrefix(got.out, "in\r\nout\r\nerr\r\n30 77\r\n") || got.state != "exit status 5" {
		t.Errorf("through the shim: %s %.100q\ndirect: %s", show(got), got.out, show(want))
	}
	if c := b.only(t); string(c.Text()) != strings.ReplaceAll(got.out, "\r\n", "\n") || !c.Begin.Merged {
		t.Errorf("recorded %.100q", c.Text())
	}
}
