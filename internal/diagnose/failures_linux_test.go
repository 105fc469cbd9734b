package diagnose

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

var keepLogs = flag.String("keep-logs", "", "folder to write the logs of TestRealFailures to, with a labels.tsv for score")

// failure is one script of testdata/failures, by its header.
type failure struct {
	name, path    string
	labels, needs []string
	long          bool
}

// TestRealFailures makes each failure with real tools and wants the right cause told first, from the log alone.
func TestRealFailures(t *testing.T) {
	set := whole(t)
	scripts, err := filepath.Glob(filepath.Join(testbed.Repo(t), "testdata", "failures", "*.sh"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		f := readFailure(t, path)
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			log := f.run(t)
			a := answer(t, set, string(log), "")
			if !slices.Contains(f.labels, first(a)) {
				t.Errorf("want %s first, got %s; the log:\n%s", strings.Join(f.labels, " or "), told(a), tail(log))
			}
			f.keep(t, log)
		})
	}
}

func readFailure(t *testing.T, path string) failure {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := failure{name: strings.TrimSuffix(filepath.Base(path), ".sh"), path: path}
	for _, line := range strings.Split(string(text), "\n") {
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		switch {
		case !strings.HasPrefix(line, "# "):
		case key == "label":
			f.labels = strings.Split(strings.TrimSpace(value), "|")
		case key == "needs":
			f.needs = strings.Fields(value)
		case key == "lane":
			f.long = strings.TrimSpace(value) == "e2e"
		}
	}
	if len(f.labels) == 0 {
		t.Errorf("%s has no line '# label: …'", path)
	}
	return f
}

// run gives what the script printed on both streams.
func (f failure) run(t *testing.T) []byte {
	t.Helper()
	if f.long {
		testbed.Long(t)
	}
	env := append(os.Environ(), "BED="+testbed.Dir(), "LC_ALL=C.UTF-8")
	for _, part := range f.needs {
		env = append(env, f.variables(t, part)...)
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	var out bytes.Buffer
	argv := append(f.guard(), "bash", f.path)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.TempDir(), env, &out, &out
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// guard takes from root the right to make device nodes: NVIDIA's library makes /dev/nvidiactl where it may, and other
// tests say that there is none.
func (f failure) guard() []string {
	if os.Geteuid() != 0 || !slices.Contains(f.needs, "driver-535") {
		return nil
	}
	return []string{"setpriv", "--bounding-set=-mknod", "--inh-caps=-mknod"}
}

// variables are what a script sees of a part.
func (f failure) variables(t *testing.T, part string) []string {
	t.Helper()
	switch release, windows := strings.CutPrefix(part, "win-cuda-"); {
	case windows:
		testbed.Root(t, part)
		return []string{"NVCC_EXE_" + under(release) + `=C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v` + release + `\bin\nvcc.exe`}
	case part == "wine":
		testbed.Root(t, "vs")
		return []string{"WINE_RUN=" + filepath.Join(testbed.Repo(t), "scripts", "wine-exec"),
			"CL_DIR=" + testbed.HostX64}
	case strings.HasPrefix(part, "cuda-"):
		return []string{"CUDA_" + under(strings.TrimPrefix(part, "cuda-")) + "=" + testbed.Toolkit(t, part)}
	}
	testbed.Root(t, part)
	return nil
}

func under(release string) string { return strings.ReplaceAll(release, ".", "_") }

func (f failure) keep(t *testing.T, log []byte) {
	t.Helper()
	if *keepLogs == "" {
		return
	}
	labels, err := os.OpenFile(filepath.Join(*keepLogs, "labels.tsv"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer labels.Close()
	fmt.Fprintf(labels, "%s.log\t%s\tmade by testdata/failures/%s.sh\n", f.name, strings.Join(f.labels, "|"), f.name)
	if err := os.WriteFile(filepath.Join(*keepLogs, f.name+".log"), log, 0o644); err != nil {
		t.Fatal(err)
	}
}

func tail(log []byte) string {
	if len(log) > 4000 {
		log = log[len(log)-4000:]
	}
	return string(log)
}
