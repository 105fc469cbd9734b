package mirror

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/fact"
	"cupel/internal/host"
	lookat "cupel/internal/probe/look"
	probe "cupel/internal/probe/toolkit"
	"cupel/internal/shim"
)

// logVariable tells the stand-in where to write down which tool was called, waitVariable that it only waits.
const logVariable, waitVariable = "MIRROR_TEST_LOG", "MIRROR_TEST_WAIT"

// TestMain: under another name this program is the stand-in for cupel-nvcc. It counts the call and passes it on.
func TestMain(m *testing.M) {
	self, err := os.Executable()
	if err == nil && !strings.Contains(filepath.Base(self), ".test") {
		os.Exit(standIn(self))
	}
	os.Exit(m.Run())
}

func standIn(self string) int {
	if os.Getenv(waitVariable) != "" { // runs until its input ends
		_, _ = os.Stdout.WriteString("runs\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 0
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(self)), shim.MapFile))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 120
	}
	tools, err := shim.ReadMap(text)
	tool := strings.TrimSuffix(filepath.Base(self), ".exe")
	if err != nil || tools[tool] == "" {
		fmt.Fprintln(os.Stderr, tool, "is not in the map:", err)
		return 121
	}
	if log, err := os.OpenFile(os.Getenv(logVariable), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666); err == nil {
		_, _ = log.WriteString(tool + "\n")
		_ = log.Close()
	}
	cmd := exec.Command(tools[tool], os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 122
	}
	return cmd.ProcessState.ExitCode()
}

// program is what the tests put in the place of cupel-nvcc: this program.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// toolkitAt probes a real root.
func toolkitAt(t *testing.T, root string) (fact.Machine, fact.Toolkit) {
	t.Helper()
	h := host.Here()
	found := probe.Survey(context.Background(), lookat.New(h), []probe.Candidate{{Root: root, How: "test"}})
	if len(found) != 1 {
		t.Fatalf("no toolkit in %s", root)
	}
	m := fact.Machine{System: fact.System{OS: h.System().OS, Arch: "amd64"}, Toolkits: found, Env: map[string]string{}}
	for _, d := range filepath.SplitList(os.Getenv("PATH")) {
		m.Path = append(m.Path, fact.PathDir{Dir: d, Exists: true})
	}
	return m, found[0]
}

// mirrorOf plans and makes the mirror of a real root.
func mirrorOf(t *testing.T, root, home string, opt Options) Plan {
	t.Helper()
	m, k := toolkitAt(t, root)
	p, err := For(m, k, home, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := Make(context.Background(), p, program(t)); err != nil {
		t.Fatal(err)
	}
	return p
}

// calls are the tools that the stand-in was called as, since the log was emptied.
func calls(t *testing.T, log string) map[string]int {
	t.Helper()
	out := map[string]int{}
	b, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(b)) {
		out[line]++
	}
	return out
}

func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
