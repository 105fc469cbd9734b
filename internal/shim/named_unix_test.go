//go:build unix

package shim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

// linkedAs is a folder with a link to the launcher under another name.
func linkedAs(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	testbed.Link(t, launcher(t), filepath.Join(dir, name))
	return dir
}

// TestNamed: a link with the name of nvcc stands before the next one on PATH, as ccache's do.
func TestNamed(t *testing.T) {
	b := newBench(t)
	dir := linkedAs(t, "nvcc")
	cmd := b.command(t, filepath.Join(dir, "nvcc"), "args", "x")
	cmd.Env = append(cmd.Env, "PATH="+dir+":"+filepath.Dir(b.real), call.RunVariable+"=")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), `0 "x"`) {
		t.Errorf("%v\n%s", err, out)
	}
	for _, tt := range []struct {
		name, path string
		code       int
		says       string
	}{
		{"as a launcher", dir + ":" + filepath.Dir(b.real), 0, `0 "x"`},
		{"as a launcher with no other", dir, 125, "PATH has no other than this program"},
	} {
		cmd := b.command(t, launcher(t), "args", "nvcc", "x")
		cmd.Env = append(cmd.Env, "PATH="+tt.path, call.RunVariable+"=")
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != tt.code || !strings.Contains(string(out), tt.says) {
			t.Errorf("%s: code %d, want %d and %q:\n%s", tt.name, cmd.ProcessState.ExitCode(), tt.code, tt.says, out)
		}
	}
	// The next one is a script that calls nvcc by its name.
	wrapper := filepath.Join(t.TempDir(), "nvcc")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\necho wrapped\nexec nvcc \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd = b.command(t, filepath.Join(dir, "nvcc"), "args", "x")
	cmd.Env = append(cmd.Env, "PATH="+strings.Join([]string{dir, filepath.Dir(wrapper), filepath.Dir(b.real), os.Getenv("PATH")}, ":"), call.RunVariable+"=")
	if out, err := cmd.CombinedOutput(); err != nil || strings.Count(string(out), "wrapped") != 1 || !strings.Contains(string(out), `0 "x"`) {
		t.Errorf("through a wrapper: %v\n%s", err, out)
	}
}
