package realbuilds

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/record"
	"cupel/internal/testbed"
)

// windows is a Windows machine: wine with NVIDIA's real tools, a Visual Studio folder with the stand-in for cl.exe, and the
// programs of this tree. Its CUPEL_HOME is the same for all tests: without junctions (wine 8) a mirror is thousands of links.
type windows struct {
	testbed.Prefix
	home string
}

func onWindows(t testing.TB) windows {
	t.Helper()
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "vs")
	return windows{testbed.Wine(t), filepath.Join(scratch, "wine", "home")}
}

// run runs a program of Windows, given by a path of either side, with the variables of env on top of the prefix's own.
func (w windows) run(t testing.TB, dir string, env []string, argv ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := w.Command(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(cmd.Env, "CUPEL_HOME="+w.Windows(w.home), "CUPEL_CACHE="+w.Windows(home(t)+"-cache")), env...)
	cmd.WaitDelay = 20 * time.Second
	var both locked
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = both.with(&stdout), both.with(&stderr)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("run %s: %v, %v\n%s", strings.Join(argv, " "), err, ctx.Err(), both.buf.String())
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), both.buf.String()}
}

// cupel runs cupel.exe.
func (w windows) cupel(t testing.TB, dir string, env []string, args ...string) result {
	t.Helper()
	return w.run(t, dir, env, append([]string{filepath.Join(programs(t, "windows"), "cupel.exe")}, args...)...)
}

// last is the newest run with its calls, whole.
func (w windows) last(t testing.TB) (record.Saved, []call.Call) {
	t.Helper()
	ctx := context.Background()
	saved, err := record.Store{Dir: filepath.Join(w.home, "runs")}.Find(ctx, record.Last)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := saved.Calls(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range calls {
		if calls[i], err = saved.Read(i + 1); err != nil {
			t.Fatal(err)
		}
	}
	return saved, calls
}

// nvcc is NVIDIA's program itself.
func nvcc(release string) string { return testbed.CUDAFolder + `\v` + release + `\bin\nvcc.exe` }

// winProject is testdata/projects/windows.
func winProject(t testing.TB, names ...string) string {
	return filepath.Join(append([]string{testbed.Repo(t), "testdata", "projects", "windows"}, names...)...)
}

// helpers are the programs of testdata/projects/windows, built once.
var helpers = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "wine", "helpers")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	repo, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", err
	}
	from := filepath.Join(strings.TrimSpace(string(repo)), "testdata", "projects", "windows")
	for _, name := range []string{"builder", "calls"} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, name+".exe"), filepath.Join(from, name, "main.go"))
		cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
		}
	}
	return dir, nil
})

func helper(t testing.TB, name string) string {
	t.Helper()
	dir, err := helpers()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name+".exe")
}

// mingw compiles a C program or library of testdata/projects/windows.
func mingw(t testing.TB, to string, args ...string) {
	t.Helper()
	cmd := exec.Command("x86_64-w64-mingw32-gcc", append([]string{"-O1", "-o", to}, args...)...)
	cmd.Dir = winProject(t)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}
