package tree

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	cupelshim "cupel/internal/shim"
)

// actVar makes this test program act as a build, or as cupel exec with one below it.
const actVar = "TREE_TEST_ACT"

func TestMain(m *testing.M) {
	if Child(os.Args[1:]) {
		return
	}
	if act := os.Getenv(actVar); act != "" {
		os.Exit(acts[act]())
	}
	os.Exit(m.Run())
}

// acts are what the stand-ins do, by name; systems add theirs.
var acts = map[string]func() int{
	"zero":  func() int { return 0 },
	"three": func() int { return 3 },
	"255":   func() int { return 255 },
	"sleep": func() int { time.Sleep(time.Minute); return 0 },
	"beat":  beat,
	"leave": func() int { return leave("beat") },
	"args":  func() int { fmt.Printf("%q\n", os.Args); return 0 },
	"where": func() int { dir, _ := os.Getwd(); fmt.Println(filepath.Base(dir)); return 0 },
	"exec":  actExec,
	"leave and sleep": func() int {
		if code := leave("beat"); code != 0 {
			return code
		}
		time.Sleep(time.Minute)
		return 0
	},
	"tool of a shim": func() int { return below("sleep", os.Args[1], 500*time.Millisecond) },
}

// beat shows that it lives.
func beat() int {
	for i := range 3000 {
		_ = os.WriteFile("beat", fmt.Append(nil, i), 0o644)
		time.Sleep(20 * time.Millisecond)
	}
	return 0
}

// leave starts a process that outlives this one.
func leave(does string) int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = with(does)
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return 1
	}
	for range 1000 { // until it lives
		if _, err := os.Stat("beat"); err == nil {
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
	return 1
}

// below runs a program for at least a time, as what is below this process, and ends it.
func below(does, program string, long time.Duration) int {
	cmd := exec.Command(program)
	cmd.Env = with(does)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	time.Sleep(long)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return 0
}

func with(act string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, actVar+"=") })
	return append(env, actVar+"="+act)
}

// actExec is cupel exec: the arguments are the command, the answer goes to the file that RESULT names.
func actExec() int {
	c := Command{
		Path: os.Args[1], Argv: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Env: with(os.Getenv("BELOW")), Watch: []string{"nvcc", "nvcc.exe"},
	}
	if c.Env[len(c.Env)-1] == actVar+"=" {
		c.Env = c.Env[:len(c.Env)-1]
	}
	end := Run(context.Background(), c)
	text, _ := json.Marshal(end)
	if file := os.Getenv("RESULT"); file != "" {
		_ = os.WriteFile(file, text, 0o644)
	}
	return int(end.Code)
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// act is a command that does one of the acts in a folder of its own, its output in a file "out" there.
func act(t *testing.T, name string, args ...string) Command {
	t.Helper()
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	path := self(t)
	return Command{Path: path, Argv: append([]string{path}, args...), Dir: dir, Env: with(name), Stdout: out, Stderr: out}
}

func output(t *testing.T, c Command) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(c.Dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCode(t *testing.T) {
	for name, want := range map[string]int64{"zero": 0, "three": 3, "255": 255} {
		t.Run(name, func(t *testing.T) {
			c := act(t, name)
			began := 0
			c.Began = func() { began++ }
			end := Run(t.Context(), c)
			if end.Code != want || end.Error != "" || end.Signal != "" || end.Status != "" || end.Left != nil || end.PassedBy != nil || began != 1 {
				t.Errorf("Run = %+v, began %d times; want code %d alone, began once", end, began, want)
			}
		})
	}
}

func TestNotStarted(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.exe")
	if err := os.WriteFile(text, []byte("no program\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		c    Command
		want []string
	}{
		{"no such program", Command{Path: filepath.Join(dir, "gone")}, []string{"start ", "gone: "}},
		{"no program inside", Command{Path: text}, []string{"start ", "text.exe: ", formatError}},
		{"no such folder", Command{Path: self(t), Dir: filepath.Join(dir, "nowhere")}, []string{"start ", "nowhere"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			began := false
			tt.c.Env, tt.c.Began = with("zero"), func() { began = true }
			end := Run(t.Context(), tt.c)
			if end.Code != -1 || began {
				t.Errorf("Run = %+v, began %v; want code -1, not begun", end, began)
			}
			for _, w := range tt.want {
				if !strings.Contains(end.Error, w) {
					t.Errorf("error %q has no %q", end.Error, w)
				}
			}
		})
	}
}

// TestArguments: every argument, the name by which the program was called and the folder reach the command.
func TestArguments(t *testing.T) {
	c := act(t, "args", "a b", `q"uo'te`, "", "ünïcode", `back\slash\`, "*")
	c.Argv[0] = "called so"
	if end := Run(t.Context(), c); end.Code != 0 {
		t.Fatalf("Run = %+v", end)
	}
	if got, want := strings.TrimSpace(output(t, c)), fmt.Sprintf("%q", c.Argv); got != want {
		t.Errorf("the command got %s, want %s", got, want)
	}
	c = act(t, "where")
	Run(t.Context(), c)
	if got := strings.TrimSpace(output(t, c)); got != filepath.Base(c.Dir) {
		t.Errorf("the command ran in %q, want %q", got, filepath.Base(c.Dir))
	}
}

// stays fails when something still beats in a folder.
func stays(t *testing.T, dir string) {
	t.Helper()
	read := func() string { b, _ := os.ReadFile(filepath.Join(dir, "beat")); return string(b) }
	if _, err := os.Stat(filepath.Join(dir, "beat")); err != nil {
		t.Fatal("nothing ever lived")
	}
	last := read()
	time.Sleep(300 * time.Millisecond)
	if now := read(); now != last {
		t.Errorf("a process outlived its command: %s, then %s", last, now)
	}
}

// TestLeft: what the command leaves running is ended and named.
func TestLeft(t *testing.T) {
	c := act(t, "leave")
	end := Run(t.Context(), c)
	if end.Code != 0 || len(end.Left) != 1 || !sameFile(t, end.Left[0].Path, self(t)) || end.Left[0].PID <= 0 {
		t.Errorf("Run = %+v, want code 0 and one process left", end)
	}
	stays(t, c.Dir)
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

// TestContext: when the context ends, so does everything below, and nothing counts as left by the command.
func TestContext(t *testing.T) {
	c := act(t, "leave and sleep")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 1000 {
			if _, err := os.Stat(filepath.Join(c.Dir, "beat")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if end := Run(ctx, c); end.Code == 0 || end.Error != "" {
		t.Errorf("Run = %+v, want another code than 0", end)
	}
	stays(t, c.Dir)
}

// copyTo copies this test program under another name.
func copyTo(t *testing.T, folder, name string) string {
	t.Helper()
	b, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	to := filepath.Join(t.TempDir(), folder, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o755); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestPassedBy(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("nobody watches on " + runtime.GOOS)
	}
	compiler, shim, other := copyTo(t, "cuda", "nvcc"), copyTo(t, "mirror", "nvcc"), copyTo(t, "other/bin", "nvcc")
	if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Dir(other)), cupelshim.MapFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		path string // of the command
		args []string
		want []string
	}{
		{"a compiler started by the build", self(t), []string{compiler}, []string{compiler}},
		{"a compiler as the command", compiler, []string{self(t)}, []string{compiler}},
		{"a shim", self(t), []string{shim}, nil},
		{"a compiler started by a shim", shim, []string{compiler}, nil},
		{"a shim of another mirror", self(t), []string{other}, nil},
		{"a compiler started by such a shim", other, []string{compiler}, nil},
		{"another program", self(t), []string{self(t)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := act(t, "tool of a shim", tt.args...)
			c.Path, c.Argv[0] = tt.path, tt.path
			c.Watch, c.Shims = []string{"nvcc", "nvcc.exe"}, []string{shim}
			end := Run(t.Context(), c)
			if end.Code != 0 {
				t.Fatalf("Run = %+v: %s", end, output(t, c))
			}
			var got []string
			for _, p := range end.PassedBy {
				got = append(got, p.Path)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("passed by: %q, want %q", got, tt.want)
			}
			if len(end.PassedBy) > 0 {
				described(t, end.PassedBy[0], c)
			}
		})
	}
}

func described(t *testing.T, p call.Process, c Command) {
	t.Helper()
	if p.PID <= 0 || len(p.Args) == 0 || p.Args[0] != p.Path {
		t.Errorf("the process is %+v, want its number and arguments", p)
	}
	if p.Path != c.Path && p.Parent != c.Path {
		t.Errorf("the parent is %q, want %q", p.Parent, c.Path)
	}
	if p.Dir != c.Dir {
		t.Errorf("the folder is %q, want %q", p.Dir, c.Dir)
	}
}
