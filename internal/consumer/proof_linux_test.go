package consumer

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// harness compiles the real detection code once per machine; see testdata/harness/build.
var harness = sync.OnceValues(func() (string, error) {
	root := os.Getenv("CUPEL_TESTBED")
	if root == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		root = filepath.Join(home, ".cache", "cupel-testbed")
	}
	dest := filepath.Join(root, "consumers")
	out, err := exec.Command("testdata/harness/build", dest).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dest, nil
})

// needHarness skips where the real code cannot be run, and says why.
func needHarness(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not root: the real detection code is run in a chroot")
	}
	for _, tool := range []string{"cargo", "rustc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed: the crates' own code cannot be compiled")
		}
	}
	dir, err := harness()
	if err != nil {
		t.Fatalf("build the harness: %v", err)
	}
	return dir
}

// real is what the real code answered.
type real struct {
	ok             bool
	include, nvcc  string
	libs           []string
	stdout, stderr string
}

// run starts a program inside the made-up machine.
func (tr *tree) run(t *testing.T, program string, extra []string, args ...string) real {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := extra
	for name, value := range tr.env {
		env = append(env, name+"="+value)
	}
	cmd := &exec.Cmd{
		Path: program, Args: append([]string{program}, args...), Env: env, Dir: "/",
		Stdout: &stdout, Stderr: &stderr, SysProcAttr: &syscall.SysProcAttr{Chroot: tr.dir},
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !asExit(err, &exit) {
		t.Fatalf("start %s: %v", program, err)
	}
	return parseReal(stdout.String(), stderr.String(), err == nil)
}

func asExit(err error, target **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*target = e
	return ok
}

// parseReal reads the lines that the crates print for cargo, and those of the harness.
func parseReal(stdout, stderr string, ok bool) real {
	r := real{ok: ok, stdout: stdout, stderr: stderr}
	for line := range strings.Lines(stdout) {
		line = strings.TrimSuffix(line, "\n")
		for prefix, put := range map[string]func(string){
			"cargo:rustc-env=CUDA_INCLUDE_DIR=": func(s string) { r.include = s },
			"cargo:rustc-link-search=native=":   func(s string) { r.libs = append(r.libs, filepath.Clean(s)) },
			"include=":                          func(s string) { r.include = s },
			"nvcc=":                             func(s string) { r.nvcc = s },
			"lib=":                              func(s string) { r.libs = append(r.libs, filepath.Clean(s)) },
		} {
			if value, found := strings.CutPrefix(line, prefix); found {
				put(value)
			}
		}
	}
	return r
}

// chroot makes the root folder with the programs of the harness inside.
func chroot(t *testing.T, built string) (dir, nvcc string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	out, err := exec.Command("cp", "-r", filepath.Join(built, "bin"), filepath.Join(dir, "h")).CombinedOutput()
	if err != nil {
		t.Fatalf("copy the harness: %v: %s", err, out)
	}
	// Rust opens it as the standard input of every program it starts; an empty file reads the same.
	must(t, os.Mkdir(filepath.Join(dir, "dev"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "dev", "null"), nil, 0o666))
	return dir, filepath.Join(dir, "h", "nvcc")
}

// rounds is how many machines each crate is tried on; CMake, which is slower, gets a quarter beside its staged ones.
var rounds = flag.Int("rounds", 52, "made-up machines per consumer")

var rootVariables = []string{
	"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CUDNN_LIB", "CUDA_LIBRARY_PATH", "NVCC",
}

func TestRealCrates(t *testing.T) {
	built := needHarness(t)
	for _, tt := range []struct {
		name, consumer, version string
		program                 string
		args                    []string
		want                    func(tr *tree, p Pick, r real) string
	}{
		{"bindgen_cuda", "bindgen_cuda", "0.1.6", "/h/detect", []string{"bindgen_cuda"}, sameBindgen},
		{"cudaforge", "cudaforge", "0.1.6", "/h/detect", []string{"cudaforge"}, sameForge},
		{"find_cuda_helper 0.1", "cust (find_cuda_helper)", "0.1.2", "/h/detect", []string{"find_cuda_helper-0.1"}, sameLibs},
		{"find_cuda_helper 0.2", "cust (find_cuda_helper)", "0.2.0", "/h/detect", []string{"find_cuda_helper-0.2"}, sameLibs},
		{"cudarc 0.13", "cudarc", "0.13.9", "/h/cudarc-0.13.9-12040", nil, sameLibs},
		{"cudarc 0.16", "cudarc", "0.16.6", "/h/cudarc-0.16.6-12040", nil, sameLibs},
		{"cudarc 0.17", "cudarc", "0.17.8", "/h/cudarc-0.17.8-12040", nil, sameLibs},
		{"cudarc 0.19", "cudarc", "0.19.10", "/h/cudarc-0.19.10-12040", nil, sameLibs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, nvcc := chroot(t, built)
			row, found := rowOf(t, tt.consumer, tt.version), 0
			for seed := range uint64(*rounds) {
				tr := newTree(t, dir, nvcc, seed, rootVariables)
				p := row.Pick(tr.world(t))
				r := tr.run(t, tt.program, crateEnv, tt.args...)
				r.nvcc = firstOf(r.nvcc, tr.started())
				if diff := tt.want(tr, p, r); diff != "" {
					t.Fatalf("seed %d: %s\n%s\nreal: %+v\nours: %+v", seed, diff, tr, r, p)
				}
				if r.ok && r.include+strings.Join(r.libs, "") != "" {
					found++
				}
			}
			t.Logf("%d machines, found on %d", *rounds, found)
			if found == 0 || found == *rounds {
				t.Errorf("the machines do not tell anything apart: found on %d of %d", found, *rounds)
			}
		})
	}
}

// crateEnv is what cargo sets, and an architecture so that nobody asks nvidia-smi.
var crateEnv = []string{"OUT_DIR=/out", "TARGET=x86_64-unknown-linux-gnu", "CUDA_COMPUTE_CAP=80", "RAYON_NUM_THREADS=1"}

// started is the nvcc that was really run.
func (tr *tree) started() string {
	text, _ := os.ReadFile(filepath.Join(tr.dir, "nvcc.log"))
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

func firstOf(a, b string) string { return cmpOr(a, b) }

func sameBindgen(_ *tree, p Pick, r real) string {
	switch {
	case r.ok != (p.Outcome == Found):
		return "outcome differs"
	case r.ok && (filepath.Clean(r.include) != p.Include || filepath.Clean(r.nvcc) != p.Nvcc):
		return "include or nvcc differs"
	}
	return ""
}

func sameForge(tr *tree, p Pick, r real) string {
	if diff := sameBindgen(tr, p, r); diff != "" {
		return diff
	}
	if r.ok && !slices.Equal(r.libs, p.Libs) {
		return "libraries differ"
	}
	return ""
}

// sameLibs compares link folders; a consumer that goes on without any is not a failure.
func sameLibs(_ *tree, p Pick, r real) string {
	switch {
	case r.ok == (p.Outcome == Panics):
		return "outcome differs"
	case r.ok && !slices.Equal(r.libs, p.Libs):
		return "libraries differ"
	}
	return ""
}

// TestRealReleaseLists runs cudarc's own check of `nvcc --version` against the lists of the table.
func TestRealReleaseLists(t *testing.T) {
	built := needHarness(t)
	for _, at := range []string{"0.13.9", "0.16.6", "0.17.8", "0.19.10"} {
		t.Run("cudarc "+at, func(t *testing.T) {
			dir, nvcc := chroot(t, built)
			row := rowOf(t, "cudarc", at)
			for _, release := range []string{"11.3", "11.4", "11.8", "12.0", "12.6", "12.7", "12.8", "12.9", "13.0", "13.1", "13.2", "13.3", "13.4", "13.5"} {
				tr := &tree{dir: dir, env: map[string]string{"PATH": "/usr/bin"}, pathDirs: []string{"/usr/bin"}, releases: map[string]string{}}
				tr.clear(t)
				tr.add(t, nvcc, kit{root: "/usr", release: release, nvcc: true, header: true, lib64: true})
				p := row.Pick(tr.world(t))
				r := tr.run(t, "/h/cudarc-"+at+"-version-from-build-system", crateEnv)
				ours := !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "it panics") })
				if r.ok != ours {
					t.Errorf("release %s: real ok=%v, ours ok=%v\n%s\nours: %+v", release, r.ok, ours, r.stderr, p)
				}
			}
		})
	}
}
