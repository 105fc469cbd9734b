package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/doctor"
	"cupel/internal/render"
	"cupel/internal/testbed"
)

// TestBareMachine: on a machine without CUDA the program brings four releases from two sources. The doctor shows all of
// them, a real crate builds with one, and a root for Windows is one: its nvcc.exe answers under wine. (What the compilers
// of the roots can do is shown in package toolkit.)
func TestBareMachine(t *testing.T) {
	testbed.Long(t)
	cupel := bareMachine(t)
	for _, tt := range []struct{ release, source string }{{"13.0", "pip"}, {"13.4", "pip"}, {"12.4", "apt"}, {"11.8", "apt"}} {
		began := time.Now()
		var a render.ToolkitInstall
		decode(t, cupel(0, "toolkit", "install", tt.release, "--from", tt.source, "--accept-license", "--json"), &a)
		t.Logf("install %s --from %s: %s in %s, %d MB fetched, %d MB unpacked; %s", tt.release, tt.source, a.Name,
			time.Since(began).Round(100*time.Millisecond), a.Fetched/1e6, a.Unpacked/1e6, strings.Join(a.Proof, "; "))
	}
	var seen doctor.Answer
	decode(t, cupel(-1, "doctor", "--json"), &seen)
	var roots []string
	for _, k := range seen.Machine.Toolkits {
		roots = append(roots, k.Release.Value[:4]+" "+k.Origin)
	}
	slices.Sort(roots)
	if want := []string{"11.8 cupel", "12.4 cupel", "13.0 cupel", "13.4 cupel"}; !slices.Equal(roots, want) {
		t.Errorf("the doctor shows %q, want %q", roots, want)
	}
	t.Run("candle", func(t *testing.T) { buildCandle(t, cupel) })
	t.Run("windows", func(t *testing.T) { windowsRoot(t, cupel) })
}

// bareMachine gives a cupel that knows of no toolkit but those it installs, by its exit code (-1: any) and arguments.
func bareMachine(t *testing.T) func(code int, args ...string) string {
	t.Helper()
	home, exe := t.TempDir(), program(t)
	for _, dir := range []string{"/usr/local/cuda", "/opt/cuda"} {
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("this machine is not bare: it has %s", dir)
		}
	}
	return func(code int, args ...string) string {
		t.Helper()
		cmd := exec.Command(exe, args...)
		cmd.Env = append(os.Environ(), "CUPEL_HOME="+filepath.Join(home, "home"), "CUPEL_CACHE="+filepath.Join(home, "cache"))
		cmd.Dir = home
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); code >= 0 && got != code {
			t.Fatalf("%q ends with %d, want %d: %v\n%s\n%s", args, got, code, err, out, errs.String())
		}
		return string(out)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// buildCandle builds candle-kernels 0.9.1, whose builder takes nvcc from PATH and its headers from CUDA_PATH.
func buildCandle(t *testing.T, cupel func(int, ...string) string) {
	bed := testbed.Root(t, "candle-0.9")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(bed, "candle-kernels-0.9.1"))); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(filepath.Join(dir, "Cargo.lock")) // it names what was newest then; the test bed has what is newest now
	vendored := "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"" + filepath.Join(bed, "vendor") + "\"\n[net]\noffline = true\n[env]\nCUDA_COMPUTE_CAP = \"80\"\n"
	writeExample(t, filepath.Join(dir, ".cargo", "config.toml"), []byte(vendored))
	began := time.Now()
	cupel(0, "toolkit", "run", "13.0", "--", "cargo", "build", "--manifest-path", filepath.Join(dir, "Cargo.toml"), "--config", filepath.Join(dir, ".cargo", "config.toml"))
	made, err := filepath.Glob(filepath.Join(dir, "target/debug/build/candle-kernels-*/out/*.ptx"))
	if err != nil || len(made) < 10 {
		t.Errorf("%d PTX files were made: %v", len(made), err)
	}
	t.Logf("candle-kernels 0.9.1 with CUDA 13.0: %d PTX files in %s", len(made), time.Since(began).Round(time.Second))
}

func windowsRoot(t *testing.T, cupel func(int, ...string) string) {
	wine := testbed.Wine(t)
	var a render.ToolkitInstall
	decode(t, cupel(0, "toolkit", "install", "13.0", "--from", "pip", "--platform", "windows-x86_64", "--accept-license", "--json"), &a)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, code := run(t, wine.Command(ctx, filepath.Join(a.Root, "bin", "nvcc.exe"), "--version"))
	if code != 0 || !strings.Contains(out, "release 13.0, V13.0.") {
		t.Errorf("nvcc.exe ends with %d: %s", code, out)
	}
}
