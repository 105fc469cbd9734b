package review_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// TestRealCalls: the words of the real nvcc, recorded as a call, are shown whole and explained.
func TestRealCalls(t *testing.T) {
	nvcc := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc")
	for _, tt := range []struct {
		name, source, args, label, says string
	}{
		{"a mistake", "__global__ void k() { int a = 1 }\n", "-ptx", "not-cuda", `expected a ";"`},
		{"an architecture that was dropped", "__global__ void k() {}\n", "-ptx -arch=sm_60", "arch-dropped-by-toolkit", "Unsupported gpu architecture"},
		{"an architecture that is not there yet", "__global__ void k() {}\n", "-ptx -arch=sm_199", "arch-newer-than-toolkit", "Unsupported gpu architecture"},
		{"CMake's compiler test without the library's folder", "int main() {}\n", "--keep -v", "cuda-lib-dir-not-searched", "cannot find -lcudadevrt"},
		{"a device function that is nowhere", "extern __device__ int f();\n__global__ void k(int *p) { *p = f(); }\n", "-cubin -arch=sm_80", "device-link-incomplete", "Unresolved extern function"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.cu"), []byte(tt.source), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			args := append(strings.Fields(tt.args), "a.cu", "-o", "a.out")
			cmd := exec.CommandContext(ctx, nvcc, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "LIBRARY_PATH=")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("nvcc did not fail: %v\n%s", err, out)
			}
			m := run(t, 2, "make")
			c := bad(m.nvcc(args...), int64(exit.ExitCode()), string(out))
			c.Begin.Path, c.Begin.Dir = nvcc, dir
			f := m.judge().Failing[0]
			if f.Findings[0].Label != tt.label || !strings.Contains(f.Findings[0].Text, tt.says) {
				t.Errorf("the cause is %s from %q, want %s from %q; the output:\n%s", f.Findings[0].Label, f.Findings[0].Text, tt.label, tt.says, out)
			}
			if whole := strings.TrimRight(string(out), "\n"); strings.Count(whole, "\n") < 60 && (f.Output != whole || f.Cut != 0) {
				t.Errorf("shown:\n%s\nwritten:\n%s", f.Output, out)
			}
		})
	}
}

// TestPublishedLogs: compiler output that people published, as the output of a call: the cause is the one that was found
// out, whatever stands around it.
func TestPublishedLogs(t *testing.T) {
	for _, id := range []string{"u1-cumo-compute110", "u1-featgraph-sm80", "u1-gbgpu-compute35", "u1-nvbandwidth-compute89", "u1-warpx-ptxas-9", "u1-madgraph-cudafe-signal9", "u1-mamba-bf16-ptxas", "u1-alpaka-unresolved-extern"} {
		t.Run(id, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(testbed.Repo(t), "testdata", "corpus-more", id+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var log struct{ Log, Cause string }
			if err := json.Unmarshal(b, &log); err != nil {
				t.Fatal(err)
			}
			m := run(t, 2, "make")
			m.in.Run.Toolkit.Release, m.in.Run.Toolkit.Nvcc = "", "" // not that of the log
			bad(m.nvcc("-c", "a.cu", "-o", "a.o"), 1, log.Log)
			f := m.judge().Failing[0]
			if f.Findings[0].Label != log.Cause {
				t.Errorf("the cause is %s, want %s; the log:\n%s", f.Findings[0].Label, log.Cause, log.Log)
			}
			if f.Output == "" || bytes.ContainsRune([]byte(f.Output), 0x1b) {
				t.Errorf("shown: %q", f.Output)
			}
		})
	}
}
