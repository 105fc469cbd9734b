package realbuilds

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

// process is a cupel that goes on while the test looks on.
type process struct {
	cmd *exec.Cmd
	mu  sync.Mutex
	buf bytes.Buffer
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buf.Write(b)
}

func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buf.String()
}

// start runs a command in the project, in a session of its own, so that what it leaves behind can be found.
func (k kernels) start(t *testing.T, argv ...string) *process {
	t.Helper()
	env := environment(t, k.env)
	p := &process{cmd: exec.Command(found(t, argv[0], env), argv[1:]...)}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = k.dir, env, p, p
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	return p
}

// until waits for something to be so; never for long.
func until(t *testing.T, what string, p *process, so func() bool) {
	t.Helper()
	for range 6000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited for %s:\n%s", what, p.text())
}

// inSession are the processes of a session that live.
func inSession(t *testing.T, session int) []string {
	t.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var out []string
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		text := string(b)
		fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if len(fields) > 3 && fields[0] != "Z" && fields[3] == itoa(session) {
			out = append(out, text[:strings.LastIndexByte(text, ')')+1])
		}
	}
	return out
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// lasting is a project whose compilation takes long enough to be met: many template instances.
func lasting(t *testing.T) kernels {
	k := small(t)
	write(t, k.path("k.cu"), lastingKernels(200))
	swap("cupel.toml", `"ptx"`, `"cubin"`)(t, k)
	return k
}

func lastingKernels(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("template <int N> struct s" + itoa(i) + " { static __device__ float f(float *p) { return s" + itoa(i) + "<N - 1>::f(p) * p[N]; } };\n")
		b.WriteString("template <> struct s" + itoa(i) + "<0> { static __device__ float f(float *p) { return p[0]; } };\n")
		b.WriteString("__global__ void k" + itoa(i) + "(float *p) { p[0] = s" + itoa(i) + "<180>::f(p); }\n")
	}
	return b.String()
}

// TestBuildInterrupted: Ctrl-C, a supervisor's SIGTERM and --timeout end the compilers too, and leave neither half of an output nor
// files on the way. The next build is right.
func TestBuildInterrupted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		signal syscall.Signal
		args   []string
		code   int
		says   string
	}{
		{"SIGINT", syscall.SIGINT, nil, 130, "cupel: interrupted"},
		{"SIGTERM", syscall.SIGTERM, nil, 143, "cupel: ended by SIGTERM"},
		{"--timeout", 0, []string{"--timeout", "1500ms"}, 3, "it took longer than --timeout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := lasting(t)
			p := k.start(t, append([]string{"cupel", "build", "--toolkit", k.root}, tt.args...)...)
			work := filepath.Join(filepath.Dir(k.dir), "cache", "store", "work")
			if tt.signal != 0 {
				until(t, "a compiler to run", p, func() bool {
					return slices.ContainsFunc(inSession(t, p.cmd.Process.Pid), func(s string) bool { return strings.Contains(s, "(cicc)") || strings.Contains(s, "(ptxas)") })
				})
				if err := p.cmd.Process.Signal(tt.signal); err != nil {
					t.Fatal(err)
				}
			}
			_ = p.cmd.Wait()
			if code := p.cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(p.text(), tt.says) {
				t.Errorf("code %d, want %d and %q:\n%s", code, tt.code, tt.says, p.text())
			}
			if left := inSession(t, p.cmd.Process.Pid); len(left) > 0 {
				t.Errorf("still running: %q", left)
			}
			if left, _ := os.ReadDir(work); len(left) > 0 {
				t.Errorf("files on the way are left: %v", left)
			}
			if left, _ := filepath.Glob(k.path("build/cupel/k/*")); len(left) > 0 {
				t.Errorf("outputs are left: %v", left)
			}
			write(t, k.path("k.cu"), plainKernel)
			a := k.built(t)
			sameFiles(t, "after it", k.files(t, a), k.byHand(t, a))
		})
	}
}

// TestBuildTwoAtOnce: two builds of one folder of outputs wait for each other, and the second has nothing to compile.
func TestBuildTwoAtOnce(t *testing.T) {
	t.Parallel()
	k := small(t)
	for i := range 2 {
		write(t, k.path("k"+itoa(i)+".cu"), strings.Replace(plainKernel, "= 1", "= "+itoa(i), 1))
	}
	var all [2]render.Build
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i] = k.built(t, "-j1") })
	}
	group.Wait()
	if n := all[0].Result.Calls + all[1].Result.Calls; n != 3 {
		t.Errorf("%d calls for 3 files", n)
	}
	sameFiles(t, "two at once", k.files(t, all[0]), k.byHand(t, all[0]))
}

// TestBuildJobs: -j and the job server of make bound how many compilers run at once, and --memory too.
func TestBuildJobs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		argv []string
		most int
	}{
		{"one job", []string{"cupel", "build", "--json", "--toolkit", "ROOT", "-j1"}, 1},
		{"little memory", []string{"cupel", "build", "--json", "--toolkit", "ROOT", "-j4", "--memory", "100M"}, 1},
		{"make -j2", []string{"make", "-s", "-j2"}, 2},
		{"make without jobs for it", []string{"make", "-s", "-j1"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := small(t)
			for i := range 3 {
				write(t, k.path("k"+itoa(i)+".cu"), plainKernel)
			}
			write(t, k.path("Makefile"), "all:\n\t+@cupel build --json --toolkit "+k.root+"\n")
			for i, a := range tt.argv {
				if a == "ROOT" {
					tt.argv[i] = k.root
				}
			}
			r := run(t, k.dir, k.env, tt.argv...)
			var a render.Build
			if err := json.Unmarshal([]byte(r.stdout), &a); err != nil || r.code != 0 {
				t.Fatalf("code %d, %v\n%s", r.code, err, r.all)
			}
			if got := atOnce(a); got > tt.most || a.Result.Calls != 4 {
				t.Errorf("%d of %d calls ran at once, want at most %d", got, a.Result.Calls, tt.most)
			}
		})
	}
}

// TestBuildCrowd: a call that is known to take longer than the others together gets threads of its own beside them, and makes the
// same bytes.
func TestBuildCrowd(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	processors := runtime.GOMAXPROCS(0)
	k := small(t)
	swap("cupel.toml", `"ptx"`, `"object"`)(t, k)
	write(t, k.path("k.cu"), lastingKernels(6))
	write(t, k.path("other.cu"), plainKernel)
	k.built(t, "--no-cache", "--arch", "80,86,90", "--out", "learn")
	a := k.built(t, "--no-cache", "--arch", "80,86,90", "--out", "known")
	if got, want := threadsOf(a, "k.cu"), min(processors, 3); got != want {
		t.Errorf("%d threads on %d processors, want %d: %+v", got, processors, want, a.Result.Steps)
	}
	sameFiles(t, "a crowd", k.files(t, a), k.byHand(t, a))
}

func threadsOf(a render.Build, source string) int {
	most := 0
	for _, s := range a.Result.Steps {
		if s.Source == source {
			most = max(most, s.Threads)
		}
	}
	return most
}

// atOnce is how many threads of steps ran at one moment.
func atOnce(a render.Build) int {
	most := 0
	for _, s := range a.Result.Steps {
		n := 0
		for _, o := range a.Result.Steps {
			if o.Start <= s.Start && s.Start < o.Start+o.Seconds {
				n += o.Threads
			}
		}
		most = max(most, n)
	}
	return most
}

// TestBuildWatch: a change is built while it watches, a mistake is told and waited out, and Ctrl-C ends it.
func TestBuildWatch(t *testing.T) {
	t.Parallel()
	k := small(t)
	write(t, k.path("k.cu"), "#include \"sub/h.h\"\n__global__ void k(int *p) { p[0] = VALUE; }\n")
	write(t, k.path("sub/h.h"), "#define VALUE 1111\n")
	out := k.path("build/cupel/k/k.ptx")
	has := func(text string) func() bool {
		return func() bool {
			b, _ := os.ReadFile(out)
			return strings.Contains(string(b), text)
		}
	}
	p := k.start(t, "cupel", "build", "--watch", "--toolkit", k.root)
	until(t, "the first build", p, has("1111"))
	until(t, "its end", p, func() bool { return strings.Contains(p.text(), "built: 1 built") })
	write(t, k.path("sub/h.h"), "#define VALUE 2222\n")
	until(t, "the second build", p, has("2222"))
	write(t, k.path("sub/h.h"), "#define VALUE missing_name\n")
	until(t, "the mistake", p, func() bool { return strings.Contains(p.text(), `identifier "missing_name" is undefined`) })
	write(t, k.path("sub/h.h"), "#define VALUE 3333\n")
	until(t, "the third build", p, has("3333"))
	swap("cupel.toml", "name = \"k\"", "nome = \"k\"")(t, k)
	until(t, "the broken contract", p, func() bool { return strings.Contains(p.text(), "error[contract-") })
	swap("cupel.toml", "nome = \"k\"", "name = \"k\"\ndefines = [\"MORE\"]")(t, k)
	write(t, k.path("sub/h.h"), "#ifdef MORE\n#define VALUE 4444\n#endif\n")
	until(t, "the fourth build", p, has("4444"))
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
	// 0 where it was waiting, which is how watching ends; 130 where it was building.
	if code := p.cmd.ProcessState.ExitCode(); code != 0 && code != 130 || strings.Contains(p.text(), "exit code") {
		t.Errorf("code %d:\n%s", code, p.text())
	}
	if left := inSession(t, p.cmd.Process.Pid); len(left) > 0 {
		t.Errorf("still running: %q", left)
	}
}

// TestBuildOnTerminal: on a terminal a bar is drawn and taken away; what stays is the summary.
func TestBuildOnTerminal(t *testing.T) {
	t.Parallel()
	k := small(t)
	master, slave := testbed.Terminal(t)
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100}); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t, k.env), "TERM=xterm")
	cmd := exec.Command(found(t, "cupel", env), "build", "--toolkit", k.root)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = k.dir, env, slave, slave
	text := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = b.ReadFrom(master) // ends with an error when the terminal is closed
		text <- b.String()
	}()
	err := cmd.Run()
	_ = slave.Close()
	got := <-text
	if err != nil || !strings.Contains(got, "\x1b[") || !strings.Contains(got, "0/1") || !strings.Contains(got, "1 built in") {
		t.Errorf("%v: %q", err, got)
	}
}
