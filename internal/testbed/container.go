package testbed

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Container is a command that runs in the image cupel-bookworm, a Debian without compilers or CUDA. Options of podman run may stand in
// front, written with =: "--volume=A:B:ro", "--network=none".
func Container(ctx context.Context, t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	Root(t, "container")
	script := filepath.Join(Repo(t), "scripts", "testbed")
	return exec.CommandContext(ctx, script, append([]string{"container-run"}, args...)...)
}

// Repo is the root of the source tree: the nearest folder above the test's own that holds go.mod.
func Repo(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			t.Fatalf("no go.mod above %s", dir)
		}
	}
}
