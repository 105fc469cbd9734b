package cli_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

// winBuild is a project on a Windows machine: blanks and brackets in every path, its own store.
type winBuild struct {
	testbed.Prefix
	programs string
	home     string
	dir      string
	nvcc     string
}

func newWinBuild(t *testing.T, release string) winBuild {
	t.Helper()
	testbed.Root(t, "win-cuda-"+release)
	testbed.Root(t, "vs")
	home := t.TempDir()
	b := winBuild{testbed.Wine(t), filepath.Join(home, "bin"), home, filepath.Join(home, "my project (1)"), testbed.CUDAFolder + `\v` + release + `\bin\nvcc.exe`}
	cmd := exec.Command("go", "build", "-o", b.programs+"/", "cupel/cmd/cupel", "cupel/cmd/cupel-nvcc")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=windows", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b.write(t, "src/k.cu", "#include <cuda_runtime.h>\n#include \"v.h\"\n__global__ void k(int *p) { *p = VALUE; }\n")
	b.write(t, "in c/v.h", "#if __CUDA_ARCH__ == 860\n#define VALUE 6\n#else\n#define VALUE 1\n#endif\n")
	b.write(t, "bad/bad.cu", "__global__ void bad(int *p) { *p = 1; }\n")
	b.write(t, "bad/old.rsp", "-gencode arch=compute_50,code=sm_50\n")
	b.write(t, "cupel.toml", `cupel = 1
[project]
name = "demo"
[toolkit]
min = "13.0"
recommended = "`+release+`"
max-verified = "13.4"
[host.windows]
std = "c++17"
[arch]
targets = ["8.0", "8.6", "8.9"]
ptx = "all"
[[kernels]]
name = "k"
sources = ["src/*.cu"]
includes = ["in c"]
kinds = ["ptx", "fatbin", "object", "static"]
[[kernels]]
name = "bad"
sources = ["bad/*.cu"]
kinds = "ptx"
archs = ["8.0"]
flags = ["--options-file", "bad/old.rsp"]
`)
	return b
}

// write makes a file that is older than what follows, as files are: what is written while a compiler runs is not kept.
func (b winBuild) write(t *testing.T, name, text string) {
	t.Helper()
	putFile(t, filepath.Join(b.dir, name), text)
	at := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(b.dir, name), at, at); err != nil {
		t.Fatal(err)
	}
}

// winRun is how a program of Windows ended.
type winRun struct {
	code           int
	stdout, stderr string
	started        []string // programs that it and its children started; those of wine itself are none
	unstarted      string   // what wine's cmd.exe said of a program that it did not start
}

// run runs a program in the project. Where wine did not start one it panics with unstarted, for steady.
func (b winBuild) run(t *testing.T, program string, args ...string) winRun {
	t.Helper()
	r := b.once(t, program, args...)
	if r.unstarted != "" {
		panic(unstarted(r.unstarted))
	}
	return r
}

// once is a run, whatever wine made of it. Its streams are files: wine's own services keep them open for longer than it runs.
func (b winBuild) once(t *testing.T, program string, args ...string) winRun {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := b.Command(ctx, program, args...)
	cmd.Dir = b.dir
	cmd.Env = append(slices.DeleteFunc(cmd.Env, func(kv string) bool { return strings.HasPrefix(kv, "WINEDEBUG=") }), "WINEDEBUG=-all,trace+process",
		"CUPEL_HOME="+b.Windows(filepath.Join(b.home, "cupel")), "CUPEL_CACHE="+b.Windows(filepath.Join(b.home, "my cache")), "WINEPATH="+testbed.HostX64)
	var files [2]*os.File
	for i := range files {
		f, err := os.CreateTemp(b.home, "stream-*")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	cmd.Stdout, cmd.Stderr = files[0], files[1]
	var stuck []string
	cmd.Cancel = func() error {
		stuck = b.stuck(t, cmd.Process.Pid)
		return cmd.Process.Kill()
	}
	err := cmd.Run()
	switch {
	case len(stuck) > 0 || ctx.Err() != nil && program == b.nvcc:
		return winRun{code: -1, unstarted: "a program under wine did not end: " + strings.Join(stuck, "; ")}
	case err != nil && cmd.ProcessState == nil || ctx.Err() != nil:
		t.Fatalf("%s: %v, %v\n%s", program, err, ctx.Err(), text(t, files[1].Name()))
	}
	r := winRun{code: cmd.ProcessState.ExitCode(), stdout: text(t, files[0].Name())}
	said := text(t, files[1].Name())
	r.unstarted = unstartedIn(r.stdout + said)
	for line := range strings.Lines(said) {
		_, started, ok := strings.Cut(line, ":trace:process:CreateProcessInternalW app ")
		switch {
		case ok && !strings.Contains(started, `C:\\windows\\system32\\`):
			r.started = append(r.started, started)
		case !strings.Contains(line, ":trace:process:"):
			r.stderr += line
		}
	}
	if program == b.nvcc && silent(r.code, r.stdout+r.stderr) {
		r.unstarted = "nvcc.exe ended with 255 and named no error"
	}
	return r
}

// stuck ends the programs of the toolkit and the stand-in for cl.exe that run for this project, and names them: who waits for
// one of them is not to blame.
func (b winBuild) stuck(t *testing.T, but int) (all []string) {
	list, err := exec.Command("ps", "-eo", "pid=,etimes=,time=,args=").Output()
	if err != nil {
		t.Errorf("list what runs: %v", err)
	}
	t.Logf("stopped; these run:\n%s", list)
	for line := range strings.Lines(string(list)) {
		word := strings.Fields(line)
		pid, err := strconv.Atoi(word[0])
		if err != nil || pid == but || !strings.Contains(line, filepath.Base(filepath.Dir(b.home))) || strings.Contains(line, "cupel.exe") {
			continue
		}
		all = append(all, strings.Join(word[3:], " "))
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return all
}

func (r winRun) count(program string) (n int) {
	for _, s := range r.started {
		if strings.Contains(strings.ToLower(s), program) {
			n++
		}
	}
	return n
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// json builds the kernel k and reads the answer.
func (b winBuild) json(t *testing.T, name string) (render.Build, winRun) {
	t.Helper()
	r := b.run(t, filepath.Join(b.programs, "cupel.exe"), "build", "k", "--json")
	var a render.Build
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil || r.code != 0 || r.stderr != "" {
		t.Fatalf("%s: exit %d, %v\n%s\n%s", name, r.code, err, r.stdout, r.stderr)
	}
	return a, r
}

// outputs are the files that were made, by name.
func (b winBuild) outputs(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"k.compute_80.ptx", "k.compute_86.ptx", "k.compute_89.ptx", "k.fatbin", "k.obj", "k.lib"} {
		all[name] = text(t, filepath.Join(b.dir, "build", "cupel", "k", name))
	}
	return all
}

// plain makes outputs with NVIDIA's program itself, two at a time, objects as design section 11 says.
func (b winBuild) plain(t *testing.T, names ...string) map[string]string {
	t.Helper()
	var code []string
	for _, kind := range []string{"sm", "compute"} {
		for _, a := range []string{"80", "86", "89"} {
			code = append(code, "-gencode", "arch=compute_"+a+",code="+kind+"_"+a)
		}
	}
	keep := filepath.Join(t.TempDir(), "k p")
	if err := os.Mkdir(keep, 0o755); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	var mu sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, 2)
	for _, name := range names {
		out := filepath.Join(t.TempDir(), name)
		args := []string{"-std=c++17", "-Iin c", "-o", b.Windows(out)}
		switch stem, ending, _ := strings.Cut(name, "."); ending {
		case "fatbin":
			args = append(args, append(code, "-fatbin", `src\k.cu`)...)
		case "obj":
			args = append(args, append(code, "-c", "--keep", "--keep-dir", b.Windows(keep), `src\k.cu`)...)
		case "lib":
			out = filepath.Join(b.dir, "build", "cupel", stem, "plain.lib") // beside the other: the names in it are seen from there
			args = []string{"-lib", "-o", b.Windows(out), `build\cupel\` + stem + `\k.obj`}
		default:
			args = append(args, "-ptx", "-arch="+strings.TrimSuffix(ending, ".ptx"), `src\k.cu`)
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r := b.once(t, b.nvcc, args...)
			for range 2 {
				if r.code != 0 || r.unstarted != "" { // nothing of ours runs here: whatever it was, it says nothing of cupel
					t.Logf("nvcc.exe is called again: %d, %s\n%s%s", r.code, r.unstarted, r.stdout, r.stderr)
					r = b.once(t, b.nvcc, args...)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if r.code != 0 {
				t.Errorf("nvcc.exe %q: %d\n%s%s", args, r.code, r.stdout, r.stderr)
				return
			}
			all[name] = text(t, out)
		})
	}
	group.Wait()
	return all
}

// timeless is an object without the time in its header.
func timeless(name, body string) string {
	if strings.HasSuffix(name, ".obj") && len(body) > 20 && strings.HasPrefix(body, "\x64\x86") {
		return body[:4] + "\x00\x00\x00\x00" + body[8:]
	}
	return body
}

func same(t *testing.T, when string, got, want map[string]string, names ...string) {
	t.Helper()
	for _, name := range names {
		if want[name] == "" || timeless(name, got[name]) != timeless(name, want[name]) {
			t.Errorf("%s: %s has %d bytes that are not the %d of nvcc.exe", when, name, len(got[name]), len(want[name]))
		}
	}
}

// TestWindowsBuild: cupel.exe builds with NVIDIA's real nvcc.exe what that makes by itself; a second build of the same starts
// no program; an edit that one architecture sees counts.
func TestWindowsBuild(t *testing.T) {
	for _, release := range []string{"13.0", "13.4"} {
		t.Run(release, func(t *testing.T) {
			if release != "13.0" {
				testbed.Long(t)
			}
			steady(t, func() { wholeBuild(t, newWinBuild(t, release)) })
		})
	}
}

// wholeBuild is the life of a project: cold, nothing to do, warm, an edit, a failure.
func wholeBuild(t *testing.T, b winBuild) {
	t.Helper()
	a, r := b.json(t, "cold")
	if a.Format != "cupel.build/1" || a.Result.Calls != 6 || a.Result.Hits+a.Result.Fresh != 0 || len(a.Result.Outputs) != 6 || r.count(`\\nvcc.exe`) < 6 {
		t.Errorf("cold: %+v; nvcc.exe was started %d times", a, r.count(`\\nvcc.exe`))
	}
	for _, s := range a.Result.Steps {
		if s.Uncached != "" || s.Said != "" {
			t.Errorf("cold: %s is not kept (%s), says %q", s.Out, s.Uncached, s.Said)
		}
	}
	cold := b.outputs(t)
	all := slices.Sorted(maps.Keys(cold))
	same(t, "cold", cold, b.plain(t, all...), all...)

	b.write(t, "in c/v.h", text(t, filepath.Join(b.dir, "in c", "v.h"))) // another time, the same bytes
	if a, r = b.json(t, "no-op"); a.Result.Fresh != 6 || len(r.started) > 0 {
		t.Errorf("no-op: %d up to date; started %q", a.Result.Fresh, r.started)
	}
	if err := os.RemoveAll(filepath.Join(b.dir, "build")); err != nil {
		t.Fatal(err)
	}
	if a, r = b.json(t, "warm"); a.Result.Hits != 6 || len(r.started) > 0 {
		t.Errorf("warm: %d from the store; started %q", a.Result.Hits, r.started)
	}
	if warm := b.outputs(t); !maps.Equal(warm, cold) {
		t.Error("warm: the outputs are other ones")
	}
	edited(t, b, cold)
	failing(t, b)
	launched(t, b)
}

// edited changes what only sm_86 sees.
func edited(t *testing.T, b winBuild, cold map[string]string) {
	t.Helper()
	b.write(t, "in c/v.h", strings.Replace(text(t, filepath.Join(b.dir, "in c", "v.h")), "VALUE 6", "VALUE 7", 1))
	r := b.run(t, filepath.Join(b.programs, "cupel.exe"), "build", "k", "--why")
	if n := strings.Count(r.stdout, `in c/v.h changed`); r.code != 0 || n != 5 || !strings.Contains(r.stdout, "k.obj is made anew") {
		t.Errorf("edit: exit %d, the header is named %d times, want 5\n%s\n%s", r.code, n, r.stdout, r.stderr)
	}
	got := b.outputs(t)
	same(t, "edit", got, cold, "k.compute_80.ptx", "k.compute_89.ptx")
	names := []string{"k.compute_86.ptx", "k.fatbin", "k.obj"}
	same(t, "edit", got, b.plain(t, names...), names...)
	for _, name := range append(names, "k.lib") {
		if timeless(name, got[name]) == timeless(name, cold[name]) {
			t.Errorf("edit: %s is the old one", name)
		}
	}
}

// failing: nvcc's own words and what they mean.
func failing(t *testing.T, b winBuild) {
	t.Helper()
	r := b.run(t, filepath.Join(b.programs, "cupel.exe"), "build", "bad")
	if r.code != 1 || !strings.Contains(r.stderr, "Unsupported gpu architecture 'compute_50'") || !strings.Contains(r.stdout, "error[nvcc-unsupported-arch]") {
		t.Errorf("a kernel that fails: exit %d\n%s\n%s", r.code, r.stdout, r.stderr)
	}
}

// launched: cupel-nvcc.exe in front of nvcc.exe, as ccache stands, makes and says the same, the second time without it.
func launched(t *testing.T, b winBuild) {
	t.Helper()
	out := filepath.Join(b.dir, "l.obj")
	args := []string{"-c", "-arch=sm_80", "-Iin c", "-o", "l.obj", `src\k.cu`}
	shim := filepath.Join(b.programs, "cupel-nvcc.exe")
	first := b.run(t, shim, append([]string{b.nvcc}, args...)...)
	if first.code != 0 || first.count(`\\nvcc.exe`) == 0 {
		t.Fatalf("launcher: exit %d, started %q\n%s%s", first.code, first.started, first.stdout, first.stderr)
	}
	body := text(t, out)
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	again := b.run(t, shim, append([]string{b.nvcc}, args...)...)
	if again.code != 0 || len(again.started) > 0 || again.stdout != first.stdout || again.stderr != first.stderr {
		t.Fatalf("launcher, second call: exit %d, started %q, says %q %q, first %q %q", again.code, again.started, again.stdout, again.stderr, first.stdout, first.stderr)
	}
	if now := text(t, out); now != body || !strings.HasPrefix(now, "\x64\x86") {
		t.Errorf("launcher: the object of the second call has %d bytes, that of the first %d", len(now), len(body))
	}
}

// TestWindowsFolder: nvcc.exe gives cl the whole name of a source that lies in a folder, so __FILE__ is another text in
// another project.
func TestWindowsFolder(t *testing.T) {
	steady(t, func() { twoFolders(t, newWinBuild(t, "13.0")) })
}

func twoFolders(t *testing.T, b winBuild) {
	t.Helper()
	var made []string
	for _, name := range []string{"one", "two"} {
		b.dir = filepath.Join(b.home, name)
		b.write(t, "src/k.cu", "__device__ const char f[] = __FILE__;\n__global__ void k(int *p) { *p = f[*p]; }\n")
		r := b.run(t, filepath.Join(b.programs, "cupel.exe"), "build", "src/k.cu", "--toolkit", "13.0", "--kind", "ptx", "--arch", "80")
		if r.code != 0 {
			t.Fatalf("exit %d\n%s%s", r.code, r.stdout, r.stderr)
		}
		made = append(made, text(t, filepath.Join(b.dir, "build", "cupel", "k", "k.ptx")))
	}
	r := b.run(t, b.nvcc, "-ptx", "-arch=compute_80", "-o", "plain.ptx", `src\k.cu`)
	if plain := text(t, filepath.Join(b.dir, "plain.ptx")); r.code != 0 || made[1] != plain || made[0] == plain {
		t.Errorf("nvcc.exe %d; the second folder's PTX is that of nvcc.exe there: %v; that of the first: %v", r.code, made[1] == plain, made[0] == plain)
	}
}
