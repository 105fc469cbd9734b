package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cupel/internal/fact"
)

// The program is tested as a program: a library loaded into the test itself could take the test down.

var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "cupel-gpu-test"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

var built sync.Map // GOOS to func() (string, error)

// build compiles cupel-gpu for a system once, without cgo as it is shipped.
func build(t *testing.T, goos string) string {
	t.Helper()
	once, _ := built.LoadOrStore(goos, sync.OnceValues(func() (string, error) {
		out := filepath.Join(scratch, "cupel-gpu-"+goos+".exe")
		cmd := exec.Command("go", "build", "-o", out, ".")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos)
		if goos == "windows" {
			cmd.Env = append(cmd.Env, "GOARCH=amd64") // what wine and mingw are
		}
		text, err := cmd.CombinedOutput()
		return out, wrap(err, text)
	}))
	out, err := once.(func() (string, error))()
	if err != nil {
		t.Fatalf("build for %s: %v", goos, err)
	}
	return out
}

// standin compiles one of the stand-in libraries.
func standin(t *testing.T, compiler, source, out string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is not installed: no stand-in library can be built", compiler)
	}
	file := filepath.Join(t.TempDir(), out)
	args := append([]string{"-shared", "-fPIC", "-O1", "-Wall", "-o", file, filepath.Join("..", "..", "testdata", "nvml-standin", source)}, flags...)
	if text, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v", compiler, args, wrap(err, text))
	}
	return file
}

// ask runs a command that must exit 0 and reads its stdout strictly.
func ask(t *testing.T, cmd *exec.Cmd) fact.GPUReport {
	t.Helper()
	return askInto(t, cmd, &strings.Builder{})
}

func askInto(t *testing.T, cmd *exec.Cmd, stderr *strings.Builder) fact.GPUReport {
	t.Helper()
	cmd.Stderr = stderr
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\nstdout: %s\nstderr: %s", cmd.Args, err, stdout, stderr)
	}
	var report fact.GPUReport
	decoder := json.NewDecoder(bytes.NewReader(stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&report); err != nil || decoder.More() {
		t.Fatalf("stdout is not one report: %v\n%s", err, stdout)
	}
	return report
}

func wrap(err error, text []byte) error {
	if err == nil {
		return nil
	}
	return &exec.Error{Name: string(text), Err: err}
}
