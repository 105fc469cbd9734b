package shim_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
)

// outcome is what a caller sees of a call.
type outcome struct {
	out, err string // stdout, stderr; or all in out
	state    string
}

// ways are the places that a caller gives the streams.
var ways = map[string]func(t *testing.T, cmd *exec.Cmd) outcome{
	"two pipes": func(t *testing.T, cmd *exec.Cmd) outcome {
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run()
		return outcome{out.String(), errs.String(), cmd.ProcessState.String()}
	},
	"one pipe": func(t *testing.T, cmd *exec.Cmd) outcome {
		out, _ := cmd.CombinedOutput()
		return outcome{out: string(out), state: cmd.ProcessState.String()}
	},
	"one file": func(t *testing.T, cmd *exec.Cmd) outcome {
		f, err := os.Create(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd.Stdout, cmd.Stderr = f, f
		_ = cmd.Run()
		log, _ := os.ReadFile(f.Name())
		return outcome{out: string(log), state: cmd.ProcessState.String()}
	},
}

// TestAsDirect: a caller sees through the shim what it sees without it, and the record has it too.
func TestAsDirect(t *testing.T) {
	for way, run := range ways {
		for _, does := range []string{"talk", "bytes", "flood", "close", "nothing"} {
			t.Run(does+" to "+way, func(t *testing.T) {
				b := newBench(t)
				want := run(t, b.command(t, b.real, does))
				got := run(t, b.command(t, b.shim, does))
				if got != want {
					t.Errorf("through the shim: %s\ndirect:           %s", show(got), show(want))
				}
				c := b.only(t)
				if merged := way != "two pipes"; c.Begin.Merged != merged {
					t.Errorf("merged = %v, want %v", c.Begin.Merged, merged)
				}
				if string(c.Of(call.Stdout)) != want.out || string(c.Of(call.Stderr)) != want.err {
					t.Errorf("recorded: %s", show(outcome{string(c.Of(call.Stdout)), string(c.Of(call.Stderr)), ""}))
				}
			})
		}
	}
}

func show(o outcome) string {
	return fmt.Sprintf("%s, stdout %d bytes %.60q, stderr %d bytes %.60q", o.state, len(o.out), o.out, len(o.err), o.err)
}

func TestStdin(t *testing.T) {
	b := newBench(t)
	cmd := b.command(t, b.shim, "copy")
	text := strings.Repeat("typed\r\n\x1a\x00", 50000)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.Output(); err != nil || string(out) != text {
		t.Errorf("%d bytes came back, %v; want %d", len(out), err, len(text))
	}
}

// TestArguments: the tool gets exactly what the shim got; on Windows also the very text.
func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"none", nil},
		{"spaces and empty ones", []string{"a b", "", " ", "c\td", ""}},
		{"quotes", []string{`"`, `a"b`, `""`, `'x y'`, `\"`, `-DNAME="a b"`}},
		{"backslashes", []string{`C:\a b\`, `\\server\share\`, `a\\b`, `\`, `x\\"y`}},
		{"other letters", []string{"größe.cu", "日本語 ファイル", "🙂", "-Iд"}},
		{"signs of shells", []string{"%PATH%", "$HOME", "*", "a&b|c<d>e^f", "`x`", "a\nb"}},
		{"long", []string{strings.Repeat("x", 20000)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			want, _ := b.command(t, b.real, "args", tt.args...).CombinedOutput()
			got, err := b.command(t, b.shim, "args", tt.args...).CombinedOutput()
			if err != nil || string(got) != string(want) {
				t.Errorf("through the shim (%v):\n%s\ndirect:\n%s", err, got, want)
			}
			c := b.only(t)
			if fmt.Sprintf("%q", c.Begin.Args) != fmt.Sprintf("%q", tt.args) {
				t.Errorf("recorded %q, want %q", c.Begin.Args, tt.args)
			}
		})
	}
}

func TestExitCodes(t *testing.T) {
	codes := []string{"0", "1", "2", "125", "127", "255"}
	if runtime.GOOS == "windows" {
		codes = append(codes, "256", "3221225477", "3221225781", "4294967295") // the whole 32 bits; 0xC0000005, 0xC0000135
	}
	for _, code := range codes {
		t.Run(code, func(t *testing.T) {
			b := newBench(t)
			want := ways["two pipes"](t, b.command(t, b.real, "code", code))
			if got := ways["two pipes"](t, b.command(t, b.shim, "code", code)); got != want {
				t.Errorf("through the shim: %+v, direct: %+v", got, want)
			}
			end := b.only(t).End
			if fmt.Sprint(end.Code) != code {
				t.Errorf("recorded %d, want %s", end.Code, code)
			}
			if code == "3221225781" && end.Status != "0xC0000135 (STATUS_DLL_NOT_FOUND)" {
				t.Errorf("status = %q", end.Status)
			}
		})
	}
}

// TestWhatIsRecorded: folder, processes, the difference of the environment without the value of a secret.
func TestWhatIsRecorded(t *testing.T) {
	b := newBench(t)
	cmd := b.command(t, b.shim, "talk", "-c", "k.cu")
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Env, "ADDED=1", "MY_TOKEN=do-not-tell")
	before := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	c := b.only(t)
	self, _ := os.Executable()
	x := c.Begin
	if x.Tool != "nvcc" || x.Path != b.real || x.PID != cmd.ProcessState.Pid() && runtime.GOOS != "windows" || x.Parent != os.Getpid() || x.Outside {
		t.Errorf("begin = %+v", x)
	}
	if !same(x.Dir, cmd.Dir) || !same(x.Caller, self) {
		t.Errorf("in %s by %s, want %s by %s", x.Dir, x.Caller, cmd.Dir, self)
	}
	if x.At.Before(before.Add(-time.Second)) || c.End.At.Before(x.At) || c.End.Seconds <= 0 {
		t.Errorf("times: began %v, ended %v, %v s", x.At, c.End.At, c.End.Seconds)
	}
	// wine does not tell it of a process that ended.
	if c.End.Peak < 1<<20 && runtime.GOOS != "windows" {
		t.Errorf("peak memory = %d bytes", c.End.Peak)
	}
	if x.Env.Set["ADDED"] != "1" || len(x.Env.Hidden) != 1 || x.Env.Hidden[0] != "MY_TOKEN" || x.Env.Set["CUPEL_SHIM"] != "" {
		t.Errorf("environment = %+v", x.Env)
	}
	files, _ := filepath.Glob(filepath.Join(b.live.Dir, "calls", "*"))
	for _, f := range files {
		if text, _ := os.ReadFile(f); bytes.Contains(text, []byte("do-not-tell")) {
			t.Errorf("%s has the value of a secret", f)
		}
	}
}

func same(a, b string) bool {
	x, errx := os.Stat(a)
	y, erry := os.Stat(b)
	return errx == nil && erry == nil && os.SameFile(x, y)
}

// TestUnrecorded: with no run, or one that cannot be written to, the call goes through all the same and nothing is said.
func TestUnrecorded(t *testing.T) {
	b := newBench(t)
	want := ways["two pipes"](t, b.command(t, b.real, "talk"))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, run string }{
		{"no run", ""},
		{"a folder that is gone", filepath.Join(t.TempDir(), "gone")},
		{"a folder that is no run", t.TempDir()},
		{"a file", file},
		{"a relative folder", "run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := b.command(t, b.shim, "talk")
			cmd.Env = append(cmd.Env, call.RunVariable+"="+tt.run)
			if got := ways["two pipes"](t, cmd); got != want {
				t.Errorf("through the shim: %s\ndirect:           %s", show(got), show(want))
			}
		})
	}
	if list := b.calls(t); len(list) != 0 {
		t.Errorf("%d calls were recorded, want none", len(list))
	}
}

// TestProgramName: the tool is called by its own absolute path: nvcc looks for its parts from there.
func TestProgramName(t *testing.T) {
	b := newBench(t)
	for _, run := range []string{b.live.Dir, ""} {
		cmd := b.command(t, "nvcc", "program")
		cmd.Path, cmd.Err = b.shim, nil // as found on PATH
		cmd.Env = append(cmd.Env, call.RunVariable+"="+run)
		if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != b.real {
			t.Errorf("called as %q (%v), want %q", out, err, b.real)
		}
	}
}

// TestLeftBehind: a process that the tool left with its streams holds nobody up.
func TestLeftBehind(t *testing.T) {
	b := newBench(t)
	cmd := b.command(t, b.shim, "leave")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.Stdout = w
	mark := filepath.Join(t.TempDir(), "ended")
	cmd.Env = append(cmd.Env, "TOOL_MARK="+mark)
	_ = cmd.Run()
	w.Close()
	if code := cmd.ProcessState.ExitCode(); code != 4 {
		t.Errorf("code %d, want 4", code)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the shim waited for the process that was left behind")
	}
	var pid int
	if _, err := fmt.Fscan(r, &pid); err != nil {
		t.Fatal(err)
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
	if c := b.only(t); strings.TrimSpace(string(c.Text())) != fmt.Sprint(pid) {
		t.Errorf("recorded %q, want %d", c.Text(), pid)
	}
}
