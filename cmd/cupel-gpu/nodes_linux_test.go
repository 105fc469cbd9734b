package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// A /dev of its own, so that nothing else on the machine is seen and nothing is left behind.
const inPrivateDev = `mount -t tmpfs tmpfs /dev; "$@" > report; ls -A /dev`

// bare calls NVML with nothing in its way.
const bare = `#include <dlfcn.h>
int main(int argc, char **argv) {
	int (*init)(void) = (int (*)(void))dlsym(dlopen(argv[argc - 1], RTLD_LAZY), "nvmlInit_v2");
	return init() == 9 ? 0 : 1;
}
`

// The real NVML makes device nodes as root when the kernel module is missing. Started by cupel-gpu it must not.
func TestRealLibraryMakesNoDeviceNodes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root could make device nodes")
	}
	// Inside a container root may do neither; without both there is nothing to prevent.
	if out, err := exec.Command("unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /dev && mknod /dev/try c 1 3").CombinedOutput(); err != nil {
		t.Skipf("no private /dev with nodes can be made here: %v: %s", err, out)
	}
	nvml := filepath.Join(testbed.Root(t, "driver-535"), "usr/lib/x86_64-linux-gnu/nvidia/current/libnvidia-ml.so.1")
	for _, tt := range []struct{ name, program, want string }{
		{"called plainly", compile(t, bare), "nvidiactl"},
		{"called by cupel-gpu", build(t, "linux"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command("unshare", "-m", "sh", "-c", inPrivateDev, "sh", tt.program, "--nvml", nvml)
			cmd.Dir = t.TempDir()
			out, err := cmd.Output()
			if got := strings.TrimSpace(string(out)); got != tt.want || err != nil {
				t.Errorf("device nodes afterwards: %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

func compile(t *testing.T, source string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed: nothing to compare with")
	}
	out := filepath.Join(t.TempDir(), "bare")
	cmd := exec.Command("gcc", "-x", "c", "-o", out, "-", "-ldl")
	cmd.Stdin = strings.NewReader(source)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(wrap(err, text))
	}
	return out
}
