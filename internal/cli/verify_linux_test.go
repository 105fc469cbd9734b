package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
	"cupel/internal/verify"
)

// verified runs `cupel verify --json` in a project with these folders before the system's on PATH.
func verified(t *testing.T, project string, path []string, args ...string) (verify.Answer, int) {
	t.Helper()
	cmd := exec.Command(program(t), append([]string{"verify", "--json", "--project", project}, args...)...)
	cmd.Dir = project
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + strings.Join(append(path, "/usr/bin", "/bin"), ":")}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	var a verify.Answer
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v: %s%s", err, out, stderr.String())
	}
	return a, cmd.ProcessState.ExitCode()
}

func status(a verify.Answer, id string) verify.Check {
	for _, c := range a.Findings {
		if c.ID == id {
			return c
		}
	}
	return verify.Check{}
}

func vectorAdd(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/vector-add")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// edit changes one text of one file.
func edit(t *testing.T, file, old, new string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		t.Fatalf("%s has no %q to replace", file, old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(b), old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyBuild: with real toolkits on the machine, the build without CUDA passes with all of CUDA hidden, and
// the one with CUDA finds its toolkit.
func TestVerifyBuild(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	dir := vectorAdd(t)
	a, code := verified(t, dir, []string{filepath.Join(root, "bin")}, "--build")
	cpu, cuda, gpu := status(a, "config-cpu"), status(a, "config-cuda"), status(a, "config-gpu")
	if cpu.Status != verify.Pass || cuda.Status != verify.Pass {
		t.Errorf("exit %d; cpu: %s %s %v; cuda: %s %s %v; want both to pass", code, cpu.Status, cpu.Found, cpu.Evidence, cuda.Status, cuda.Found, cuda.Evidence)
	}
	if gpu.Status != verify.Skipped || !strings.Contains(gpu.Why, "GPU") {
		t.Errorf("gpu: %s %q, want skipped without a GPU", gpu.Status, gpu.Why)
	}
	if !strings.Contains(cpu.Why, "hidden by mounts") {
		t.Errorf("cpu: %q, want it to say that CUDA was hidden by mounts", cpu.Why)
	}
}

// TestVerifyBuildPlanted: a build that says it needs no CUDA and does is found out, by whatever way it reaches it.
// Each works by hand first, so that the hiding is what makes it fail.
func TestVerifyBuildPlanted(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	const cc = "$(CC) -O2 -o $@ main.c vector_add_cpu.c"
	for _, tt := range []struct{ name, recipe string }{
		{"the driver library", cc + " -L" + root + "/lib64/stubs -Wl,--no-as-needed -lcuda -Wl,--unresolved-symbols=ignore-all && rm $@ && " + cc},
		{"a header of CUDA", cc + " -I" + root + "/include -include cuda.h"},
		{"nvcc on PATH", "nvcc --version && " + cc},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := vectorAdd(t)
			edit(t, filepath.Join(dir, "Makefile"), cc, tt.recipe)
			byHand := exec.Command("make", "cpu")
			byHand.Dir = dir
			byHand.Env = []string{"PATH=" + root + "/bin:/usr/bin:/bin"}
			if out, err := byHand.CombinedOutput(); err != nil {
				t.Fatalf("by hand: %v\n%s", err, out)
			}
			a, code := verified(t, dir, []string{filepath.Join(root, "bin")}, "--build", "--only", "config-cpu")
			if cpu := status(a, "config-cpu"); cpu.Status != verify.Fail || code != 1 {
				t.Errorf("exit %d, config-cpu %s %s: %v; want it to fail", code, cpu.Status, cpu.Found, cpu.Evidence)
			}
		})
	}
}

// TestVerifyExamplesHere: every example is judged on this machine with real toolkits; none of them fails on the
// toolkit itself when its recommended release is the one that is here.
func TestVerifyExamplesHere(t *testing.T) {
	path := []string{filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin"), filepath.Join(testbed.Toolkit(t, "cuda-12.4"), "bin")}
	for _, name := range exampleNames(t) {
		t.Run(name, func(t *testing.T) {
			a, code := verified(t, exampleProject(t, name), path, "--as", "ci")
			if status(a, "toolkit-present").Status != verify.Pass || a.Band == verify.NoToolkit || a.Band == verify.Below {
				t.Errorf("exit %d, band %q, toolkit %q: want the toolkit to be found in a band that builds", code, a.Band, a.Toolkit)
			}
			if len(a.Findings) < 8 {
				t.Errorf("only %d checks were made", len(a.Findings))
			}
			for _, c := range a.Findings {
				if c.Status == "" || c.Status == verify.Fail && (c.Why == "" || len(c.Next) == 0) {
					t.Errorf("%s says too little: %+v", c.ID, c)
				}
			}
		})
	}
}

// TestVerifyBuildEnvironment: a config gets the compiler that was judged, the contract's variables and its own, and
// nothing of another config.
func TestVerifyBuildEnvironment(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	dir := t.TempDir()
	text := `cupel = 1
[project]
name = "p"
[toolkit]
min = "12.0"
[toolkit.ci]
recommended = "13.0"
[arch]
targets = ["8.0", "8.6"]
[env]
toolkit.root = ["MY_ROOT"]
[[config]]
name = "first"
command = "env > first.txt"
env = { ONLY_FIRST = "1", CUDAARCHS = "{arch.list}" }
smoke = true
[[config]]
name = "second"
command = "env > second.txt"
smoke = true
`
	if err := os.WriteFile(filepath.Join(dir, "cupel.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	gcc, err := exec.LookPath("g++-12")
	if err != nil {
		t.Fatal("g++-12 is a part of the test bed:", err)
	}
	newer := filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin")
	if a, code := verified(t, dir, []string{filepath.Join(root, "bin"), newer}, "--build", "--host-compiler", "g++-12"); code != 0 {
		t.Fatalf("exit %d: %+v", code, a.Findings)
	}
	first, second := variables(t, filepath.Join(dir, "first.txt")), variables(t, filepath.Join(dir, "second.txt"))
	for name, want := range map[string]string{"CUDAHOSTCXX": gcc, "NVCC_CCBIN": gcc, "MY_ROOT": root, "ONLY_FIRST": "1", "CUDAARCHS": "80;86"} {
		if first[name] != want {
			t.Errorf("first: %s=%q, want %q", name, first[name], want)
		}
	}
	if second["ONLY_FIRST"] != "" || second["MY_ROOT"] != root {
		t.Errorf("second: ONLY_FIRST=%q, MY_ROOT=%q", second["ONLY_FIRST"], second["MY_ROOT"])
	}
	if a, _ := verified(t, dir, []string{filepath.Join(root, "bin"), newer}, "--as", "ci"); a.Band != verify.Recommended || !strings.HasPrefix(a.Toolkit, "CUDA 13.0") {
		t.Errorf("--as ci chooses %s (%s), want what toolkit.ci recommends", a.Toolkit, a.Band)
	}
}

// variables reads the output of env.
func variables(t *testing.T, file string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		out[name] = value
	}
	return out
}
