package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/doctor"
	"cupel/internal/testbed"
	"cupel/internal/verify"
)

// windowsProgram builds cupel.exe and cupel-gpu.exe.
func windowsProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", dir+"/", "cupel/cmd/cupel", "cupel/cmd/cupel-gpu")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=windows", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "cupel.exe")
}

func run(t *testing.T, cmd *exec.Cmd) (string, int) {
	t.Helper()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// TestWindowsDoctor: cupel.exe under wine beside NVIDIA's real Windows toolkits and the stand-in for cl.exe.
func TestWindowsDoctor(t *testing.T) {
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "win-cuda-13.4")
	testbed.Root(t, "vs")
	wine := testbed.Wine(t)
	exe := windowsProgram(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	out, _ := run(t, wine.Command(ctx, exe, "doctor", "--json"))
	var a doctor.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := map[string]string{}
	for _, k := range a.Machine.Toolkits {
		found[k.Root] = k.Nvcc.Value
	}
	for _, want := range []struct{ dir, nvcc string }{{"v13.0", "13.0.88"}, {"v13.4", "13.4.92"}} {
		if got := found[testbed.CUDAFolder+`\`+want.dir]; got != want.nvcc {
			t.Errorf("nvcc of %s = %q, want %q (found %q)", want.dir, got, want.nvcc, found)
		}
	}
	if len(a.Machine.VS) != 1 || len(a.Machine.VS[0].Toolsets) != 1 || !strings.HasPrefix(a.Machine.VS[0].Toolsets[0].Cl.Value, "19.40.") {
		t.Errorf("Visual Studio = %+v, want one with cl 19.40", a.Machine.VS)
	}
	if !has(a.Findings, "msvc-environment-not-loaded") {
		t.Errorf("cl.exe off PATH is not told: %q", ids(a.Findings))
	}
}

// TestWindowsEnv: what env prints for cmd is taken by wine's cmd.exe, and the real nvcc.exe compiles in it.
func TestWindowsEnv(t *testing.T) {
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "vs")
	wine := testbed.Wine(t)
	exe := windowsProgram(t)
	dir := filepath.Dir(exe)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	text, code := run(t, wine.Command(ctx, exe, "env", "--toolkit", "13.0", "--format", "cmd"))
	if code != 0 || !strings.Contains(text, `set "CUDA_PATH=`+testbed.CUDAFolder+`\v13.0"`) || !strings.Contains(text, "INCLUDE=") {
		t.Fatalf("exit %d: %s", code, text)
	}
	ps, code := run(t, wine.Command(ctx, exe, "env", "--toolkit", "13.0", "--format", "powershell"))
	if code != 0 || !strings.Contains(ps, `$env:CUDA_PATH = '`+testbed.CUDAFolder+`\v13.0'`) {
		t.Errorf("exit %d: %s", code, ps)
	}
	kernel := "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\n"
	for name, body := range map[string]string{
		"k.cu":    kernel,
		"env.bat": strings.ReplaceAll(text, "\n", "\r\n"),
		"go.bat":  "@echo off\r\ncall env.bat\r\nwhere cl.exe\r\nnvcc.exe --use-local-env -arch=sm_80 -ptx k.cu -o k.ptx\r\nexit /b %errorlevel%\r\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := wine.Command(ctx, "cmd", "/c", "go.bat")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if ptx, err := os.ReadFile(filepath.Join(dir, "k.ptx")); err != nil || !strings.Contains(string(ptx), ".target sm_80") {
		t.Errorf("no PTX was made: %v: %s", err, out)
	}
}

// TestWindowsVerify: cupel.exe under wine judges by a contract, runs a config without CUDA (hidden as far as an
// environment can, and that is said) and one in which NVIDIA's real nvcc.exe compiles.
func TestWindowsVerify(t *testing.T) {
	testbed.Root(t, "win-cuda-13.0")
	testbed.Root(t, "vs")
	wine := testbed.Wine(t)
	exe := windowsProgram(t)
	dir := t.TempDir()
	for name, body := range map[string]string{
		"cupel.toml": `cupel = 1
[project]
name = "p"
on = "windows"
[toolkit]
min = "12.0"
recommended = "13.0"
components = ["nvcc", "ptxas", "headers"]
[host.windows]
msvc = ">=19.30, <19.50"
[arch]
targets = ["8.0"]
[env]
toolkit.root = ["CUDA_PATH"]
[[config]]
name = "without"
command = "without.bat"
needs = "none"
smoke = true
[[config]]
name = "ptx"
command = "ptx.bat"
artifacts = ["k.ptx"]
smoke = true
`,
		"k.cu":        "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\n",
		"without.bat": "@echo off\r\necho root [%CUDA_PATH%] path [%PATH%]\r\nif defined CUDA_PATH exit /b 1\r\nnvcc.exe --version\r\nif not errorlevel 1 exit /b 2\r\nexit /b 0\r\n",
		"ptx.bat":     "@echo off\r\nnvcc.exe --use-local-env -arch=sm_80 -ptx k.cu -o k.ptx\r\nexit /b %errorlevel%\r\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := wine.Command(ctx, exe, "verify", "--build", "--json")
	cmd.Dir = dir
	root := testbed.CUDAFolder + `\v13.0`
	cmd.Env = append(cmd.Env, "CUDA_PATH="+root, "WINEPATH="+root+`\bin`) // both are there to be hidden
	out, _ := run(t, cmd)
	var a verify.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for id, want := range map[string]verify.Status{
		"platform": verify.Pass, "toolkit-present": verify.Pass, "toolkit-band": verify.Pass, "toolkit-components": verify.Pass,
		"arch-toolkit": verify.Pass, "env-cuda-path": verify.Pass, "config-without": verify.Pass, "config-ptx": verify.Pass,
	} {
		if c := status(a, id); c.Status != want {
			t.Errorf("%s ends as %q, want %s: %s %s %v", id, c.Status, want, c.Found, c.Why, c.Evidence)
		}
	}
	if a.Band != verify.Recommended || !strings.Contains(status(a, "config-without").Why, "by environment") {
		t.Errorf("band %q; config-without: %q, want it to say that only the environment was hidden", a.Band, status(a, "config-without").Why)
	}
}
