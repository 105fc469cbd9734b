package trial

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"cupel/internal/contract"
)

// TestMountsRefused: where the kernel gives no namespaces the environment alone is cleaned, and the outcome says
// what stayed visible. A user namespace may forbid itself further ones.
func TestMountsRefused(t *testing.T) {
	if os.Getenv("TRIAL_TEST_REFUSED") == "" {
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestMountsRefused$", "-test.v")
		cmd.Env = append(os.Environ(), "TRIAL_TEST_REFUSED=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
		out, err := cmd.CombinedOutput()
		if err != nil && len(out) == 0 {
			t.Skipf("user namespaces are refused here: %v", err)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if strings.Contains(string(out), "--- SKIP") {
			t.Skipf("%s", out)
		}
		return
	}
	for _, limit := range []string{"max_mnt_namespaces", "max_user_namespaces"} {
		if err := os.WriteFile("/proc/sys/user/"+limit, []byte("0"), 0o644); err != nil {
			t.Skipf("namespaces cannot be limited here: %v", err)
		}
	}
	kit := filepath.Join(t.TempDir(), "cuda")
	if err := os.MkdirAll(filepath.Join(kit, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	o := Run(context.Background(), Request{
		Config: contract.Config{Name: "cpu", Needs: contract.Needs{What: "none"}, Command: contract.Command{Line: `test -z "$CUDA_HOME" && test "$PATH" = /usr/bin:/bin`}},
		Dir:    t.TempDir(), Base: []string{"PATH=" + kit + "/bin:/usr/bin:/bin", "CUDA_HOME=" + kit},
		Hide: &Hide{OS: "linux", Roots: []string{kit}, Vars: variables(nil)},
	})
	if o.Code != 0 || o.HiddenBy != "environment" || !slices.Contains(o.NotHidden, kit) || !strings.Contains(strings.Join(o.NotHidden, "\n"), "mounts were refused") {
		t.Errorf("outcome = %+v, want the environment alone, and %s told as visible", o, kit)
	}
	if !slices.Contains(o.Hidden, "CUDA_HOME") {
		t.Errorf("hidden = %q, want CUDA_HOME in it", o.Hidden)
	}
}
