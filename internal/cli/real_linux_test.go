package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/testbed"
)

// programs builds cupel and cupel-gpu once, as they are shipped.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "cupel-programs-")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", dir+"/", "cupel/cmd/cupel", "cupel/cmd/cupel-gpu")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return dir, nil
})

func program(t *testing.T) string {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "cupel")
}

// ask runs `cupel doctor --json` with exactly this environment and returns the answer and the exit code.
func ask(t *testing.T, cmd *exec.Cmd) (doctor.Answer, int) {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var a doctor.Answer
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v: %s%s", err, out, stderr.String())
	}
	return a, cmd.ProcessState.ExitCode()
}

func ids(all []finding.Finding) []string {
	var out []string
	for _, f := range finding.Shown(all) {
		out = append(out, f.ID)
	}
	return out
}

func has(all []finding.Finding, id string) bool {
	for _, f := range finding.Shown(all) {
		if f.ID == id {
			return true
		}
	}
	return false
}

func here(t *testing.T, env ...string) *exec.Cmd {
	cmd := exec.Command(program(t), "doctor", "--json")
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"HOME=" + t.TempDir()}, env...)
	return cmd
}

// TestNoToolkit: a machine without CUDA is told so, with next steps, exit 1, and hardly a process.
func TestNoToolkit(t *testing.T) {
	a, code := ask(t, here(t, "PATH=/usr/bin:/bin"))
	if len(a.Machine.Toolkits) > 0 || len(a.Machine.GPUs) > 0 {
		t.Skip("this machine has a toolkit or a GPU of its own")
	}
	if code != 1 || !has(a.Findings, "no-toolkit") {
		t.Errorf("exit %d, findings %q, want 1 and no-toolkit", code, ids(a.Findings))
	}
	if len(a.Findings[0].Next) == 0 {
		t.Error("no-toolkit names no next step")
	}
	if a.Processes > 3 {
		t.Errorf("%d child processes, want at most 3", a.Processes)
	}
}

// TestToolkitsSideBySide: real toolkits of Debian and pip, each with release, nvcc, root, what is missing, and
// the compilers judged by its own header.
func TestToolkitsSideBySide(t *testing.T) {
	parts := []string{"cuda-13.0", "cuda-12.4", "cuda-13.4"}
	if !testing.Short() {
		parts = append(parts, "cuda-11.8")
	}
	var path []string
	for _, p := range parts {
		path = append(path, filepath.Join(testbed.Toolkit(t, p), "bin"))
	}
	a, code := ask(t, here(t, "PATH="+strings.Join(append(path, "/usr/bin", "/bin"), ":")))
	if len(a.Machine.Toolkits) != len(parts) {
		t.Fatalf("%d toolkits, want %d: %+v", len(a.Machine.Toolkits), len(parts), a.Machine.Toolkits)
	}
	for i, k := range a.Machine.Toolkits {
		want := strings.TrimPrefix(parts[i], "cuda-")
		if !strings.HasPrefix(k.Release.Value, want) || !strings.HasPrefix(k.Nvcc.Value, want) || k.Root != filepath.Dir(path[i]) {
			t.Errorf("toolkit %d: release %q nvcc %q root %q, want %s in %s", i, k.Release.Value, k.Nvcc.Value, k.Root, want, filepath.Dir(path[i]))
		}
	}
	if !has(a.Findings, "toolkit-pip-layout") {
		t.Errorf("what the pip layout lacks is not told: %q", ids(a.Findings))
	}
	if code != 0 {
		t.Errorf("exit %d, want 0: a toolkit and a fitting gcc are here (%q)", code, ids(a.Findings))
	}
	if a.Active.Root != filepath.Dir(path[0]) || a.Chosen.Root != a.Active.Root {
		t.Errorf("active %+v, chosen %+v, want the first on PATH", a.Active, a.Chosen)
	}
}

// TestCompleteToolkit: a complete toolkit and a fitting gcc, no GPU: nothing is wrong.
func TestCompleteToolkit(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	a, code := ask(t, here(t, "PATH="+root+"/bin:/usr/bin:/bin", "CUDA_HOME="+root))
	if code != 0 || finding.Count(a.Findings, finding.Error)+finding.Count(a.Findings, finding.Warning) > 0 {
		t.Errorf("exit %d, findings %q, want 0 and notes only", code, ids(a.Findings))
	}
}

// TestGccTooNew: nvcc 11.8 takes gcc up to 11; the fitting one that is installed is named.
func TestGccTooNew(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-11.8")
	a, code := ask(t, here(t, "PATH="+root+"/bin:/usr/bin:/bin"))
	if code != 1 || !has(a.Findings, "host-compiler-too-new") {
		t.Fatalf("exit %d, findings %q, want 1 and host-compiler-too-new", code, ids(a.Findings))
	}
	for _, f := range a.Findings {
		if f.ID == "host-compiler-too-new" && (len(f.Next) == 0 || !strings.Contains(f.Next[0].Command, "g++-11")) {
			t.Errorf("next = %+v, want g++-11, which is installed", f.Next)
		}
	}
}

// TestRealDriverWithoutGPU: Debian's own user-mode driver, no kernel module: found, and "no device" explained.
func TestRealDriverWithoutGPU(t *testing.T) {
	libs := filepath.Join(testbed.Root(t, "driver-535"), "usr/lib/x86_64-linux-gnu/nvidia/current")
	ml := filepath.Join(testbed.Root(t, "driver-535"), "usr/lib/x86_64-linux-gnu")
	if _, err := os.Stat("/proc/driver/nvidia"); err == nil {
		t.Skip("this machine has a driver of its own")
	}
	a, _ := ask(t, here(t, "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH="+libs+":"+ml))
	if d := a.Machine.Driver; !strings.HasPrefix(d.UserMode.Value, "535.") || d.Level.Value != "12.2" {
		t.Errorf("user mode %+v, level %+v, want 535 and 12.2", d.UserMode, d.Level)
	}
	if !has(a.Findings, "driver-without-device") && !has(a.Findings, "gpu-not-passed-to-container") {
		t.Errorf("no device is not explained: %q", ids(a.Findings))
	}
	if has(a.Findings, "nvml-refuses") {
		t.Errorf("NVML's refusal is shown beside its cause: %q", ids(a.Findings))
	}
	if _, err := os.Stat("/dev/nvidiactl"); err == nil {
		t.Error("the doctor made a device node")
	}
}

// TestInContainer: a real container, told apart, with the missing pass-through explained.
func TestInContainer(t *testing.T) {
	bin := filepath.Dir(program(t))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	a, code := ask(t, testbed.Container(ctx, t, "--volume="+bin+":/opt/cupel:ro", "/opt/cupel/cupel", "doctor", "--json"))
	if c := a.Machine.System.Container; c.State != fact.Known || c.Value != "podman" {
		t.Errorf("container = %+v, want podman", c)
	}
	if code != 1 || !has(a.Findings, "gpu-not-passed-to-container") || !has(a.Findings, "no-toolkit") {
		t.Errorf("exit %d, findings %q", code, ids(a.Findings))
	}
	b, code := ask(t, testbed.Container(ctx, t, "--volume="+bin+":/opt/cupel:ro", "/opt/cupel/cupel", "doctor", "--json", "--need", "gpu"))
	for _, f := range b.Findings {
		if f.ID == "gpu-not-passed-to-container" && f.Severity != finding.Error {
			t.Errorf("--need gpu: severity %s, exit %d, want an error", f.Severity, code)
		}
	}
}

// TestEnvTwice: eval "$(cupel env)" twice leaves one copy in PATH, and nvcc compiles in that environment.
func TestEnvTwice(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte("__global__ void k(int *p) { *p = 1; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	script := `set -eu
eval "$("$CUPEL" env)"
once=$PATH
eval "$("$CUPEL" env)"
test "$once" = "$PATH"
test "$(command -v nvcc)" = "$CUDA_HOME/bin/nvcc"
cd "$1"
nvcc -arch=sm_80 -ptx k.cu -o k.ptx
echo "$CUDA_HOME"`
	cmd := exec.Command("bash", "-c", script, "bash", dir)
	cmd.Env = []string{"CUPEL=" + program(t), "HOME=" + dir, "PATH=/usr/bin:/bin", "CUDA_PATH=" + root}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), root) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestRecordAndJudgeAgain: what --record writes gives the same answer through --host.
func TestRecordAndJudgeAgain(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	file := filepath.Join(t.TempDir(), "host.txtar")
	cmd := here(t, "PATH="+root+"/bin:/usr/bin:/bin", "CUDA_HOME="+root, "GITHUB_TOKEN=s3cr3t-value")
	cmd.Args = append(cmd.Args, "--record", file)
	live, _ := ask(t, cmd)
	again := exec.Command(program(t), "doctor", "--json", "--host", file)
	again.Dir, again.Env = cmd.Dir, []string{}
	replayed, _ := ask(t, again)
	want, _ := json.MarshalIndent(live.Machine, "", " ")
	got, _ := json.MarshalIndent(replayed.Machine, "", " ")
	if string(want) != string(got) {
		t.Errorf("the recording answers otherwise:\n%s\n--- want\n%s", got, want)
	}
	b, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(b), "s3cr3t") {
		t.Errorf("the recording holds a secret, or cannot be read: %v", err)
	}
}
