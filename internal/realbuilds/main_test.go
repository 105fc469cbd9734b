// Package realbuilds holds tests only: real projects are built with real toolkits, once as their authors build them and once
// with cupel exec in front, and both are compared. Nothing here is a stand-in unless its test says so.
package realbuilds

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/testbed"
)

var update = flag.Bool("update", false, "write the transcripts in docs/evidence anew")

// scratch is what all tests of a run share: the programs as built from this tree, and a home for each test.
var scratch string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "realbuilds")
	if err != nil {
		fmt.Fprintln(os.Stderr, "realbuilds:", err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built are the programs for a system, made on first use: a run in which all is skipped builds nothing.
var built = map[string]func() (string, error){
	"linux": builder("linux"), "windows": builder("windows"), "darwin": builder("darwin"),
}

func builder(goos string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir := filepath.Join(scratch, "bin-"+goos)
		cmd := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "cupel/cmd/...")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+runtime.GOARCH, "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build the programs for %s: %w\n%s", goos, err, out)
		}
		return dir, nil
	})
}

// programs is the folder with cupel, cupel-nvcc and cupel-gpu for a system.
func programs(t testing.TB, goos string) string {
	t.Helper()
	dir, err := built[goos]()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// result is how a command ended. all holds both streams in the order in which they were read.
type result struct {
	code                int
	stdout, stderr, all string
}

// home is the CUPEL_HOME of a test: the same at each call, another for each test.
func home(t testing.TB) string {
	return filepath.Join(scratch, "home", strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()))
}

// run runs a command in dir, with the variables of env on top of a clean base: cupel is the one of this tree, with a home of
// the test's own, and nothing of the caller's CUDA setup is left. A value-less NAME in env takes a variable away.
func run(t testing.TB, dir string, env []string, argv ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	all := environment(t, env)
	cmd := exec.CommandContext(ctx, found(t, argv[0], all), argv[1:]...)
	cmd.Args[0], cmd.Dir, cmd.Env = argv[0], dir, all
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that cupel ends what it started
	cmd.WaitDelay = 20 * time.Second
	var both locked
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = both.with(&stdout), both.with(&stderr)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatalf("run %s: %v", strings.Join(argv, " "), err)
	}
	if ctx.Err() != nil {
		t.Fatalf("run %s: %v\n%s", strings.Join(argv, " "), ctx.Err(), both.buf.String())
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), both.buf.String()}
}

// foreign begin the names of variables that decide about toolkit, compiler or builder, or belong to this test run.
var foreign = []string{"CUDA", "NVCC", "CUPEL_", "CARGO_TARGET", "RUST", "CC=", "CXX=", "CMAKE_", "PYTORCH_", "TORCH_", "MAKE", "MFLAGS", "GO", "CPATH=", "LIBRARY_PATH=", "LD_LIBRARY_PATH=", "PYTHON", "VIRTUAL_ENV", "CONDA"}

func environment(t testing.TB, env []string) []string {
	all := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return slices.ContainsFunc(foreign, func(p string) bool { return strings.HasPrefix(kv, p) }) && !strings.HasPrefix(kv, "RUSTUP_")
	})
	all = append(all, "CUPEL_HOME="+home(t), "CUPEL_CACHE="+home(t)+"-cache", "PATH="+programs(t, runtime.GOOS)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, kv := range env {
		name, _, set := strings.Cut(kv, "=")
		all = slices.DeleteFunc(all, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		if set {
			all = append(all, kv)
		}
	}
	return all
}

// found is a command as the PATH of env has it.
func found(t testing.TB, name string, env []string) string {
	t.Helper()
	if strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	for i := len(env) - 1; i >= 0; i-- {
		path, ok := strings.CutPrefix(env[i], "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return p
			}
		}
		break
	}
	t.Fatalf("%s is not on PATH", name)
	return ""
}

// locked gathers two streams in one text.
type locked struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *locked) with(own *bytes.Buffer) writerFunc {
	return func(p []byte) (int, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.buf.Write(p)
		return own.Write(p)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// copyTree copies a folder of the repository or the test bed into one that the test may change.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// contains says which of the wanted texts is missing in what a command wrote.
func contains(t testing.TB, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %q:\n%s", what, want, text)
		}
	}
}

// evidence keeps a transcript in docs/evidence when -update is given. Places of this machine are replaced by names, the longest
// first; more are pairs of the test's own: path, name.
func evidence(t testing.TB, file, text string, more ...string) {
	t.Helper()
	if !*update {
		return
	}
	head := fmt.Sprintf("Written by %s of internal/realbuilds with -update on %s. $BED is the test bed, $TMP and others stand for folders of the machine.\n\n",
		t.Name(), time.Now().UTC().Format(time.DateOnly))
	write(t, filepath.Join(testbed.Repo(t), "docs", "evidence", file), head+withoutPlaces(t, strings.TrimLeft(text, "\n"), more...))
}

func withoutPlaces(t testing.TB, text string, more ...string) string {
	house, _ := os.UserHomeDir()
	pairs := [][2]string{{home(t), "$CUPEL_HOME"}, {scratch, "$TMP"}, {testbed.Dir(), "$BED"}, {testbed.Repo(t), "$REPO"}, {house, "$HOME"}}
	for i := 0; i+1 < len(more); i += 2 {
		pairs = append(pairs, [2]string{more[i], more[i+1]})
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	for _, p := range pairs {
		if len(p[0]) > 1 {
			text = strings.ReplaceAll(text, p[0], p[1])
		}
	}
	return text
}
