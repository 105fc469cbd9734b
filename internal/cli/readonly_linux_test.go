package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asOwner runs a command whose rights over files are those of their owner and no more: root's would open every folder.
func asOwner(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: 0, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: 0, Size: 1}},
		}
	}
	return cmd
}

// TestReadOnlyHome: a folder that may not be written is a finding with a next step; what is installed there already can
// be used and asked for again.
func TestReadOnlyHome(t *testing.T) {
	mirror, top := t.TempDir(), t.TempDir()
	if err := writeSmallMirror(mirror, "13.0.2"); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(top, "home")
	if err := os.Mkdir(home, 0o555); err != nil {
		t.Fatal(err)
	}
	cupel := func(want int, args ...string) string {
		t.Helper()
		cmd := asOwner(exec.Command(program(t), args...))
		cmd.Env = append(os.Environ(), "CUPEL_HOME="+home, "CUPEL_CACHE="+filepath.Join(top, "cache"), "CUPEL_ACCEPT_LICENSE=")
		cmd.Dir = top
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Skip("no user namespace can be made here: ", err)
		}
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Fatalf("%q ends with %d, want %d\n%s", args, code, want, out)
		}
		return string(out)
	}
	install := []string{"toolkit", "install", "13.0", "--from", "redist", "--mirror", mirror, "--accept-license"}
	out := cupel(1, install...)
	for _, want := range []string{"error[no-permission]: the folder cannot be written", "where: " + home, "CUPEL_HOME", strings.Join(append([]string{"cupel"}, "toolkit install 13.0 --accept-license --from redist"), " ")} {
		if !strings.Contains(out, want) {
			t.Errorf("it says\n%s\nwant %q in it", out, want)
		}
	}
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	cupel(0, install...)
	if err := os.Remove(filepath.Join(home, "consent.json")); err != nil { // somebody else installed it
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(home, "toolkits"), home} {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	}
	if out := cupel(0, install...); !strings.Contains(out, "was installed already") {
		t.Errorf("a toolkit that is there:\n%s", out)
	}
	if out := cupel(1, "toolkit", "remove", "13.0", "--yes"); !strings.Contains(out, "error[no-permission]: 13.0.2-redist-linux-x86_64 could not be removed") {
		t.Errorf("remove says\n%s", out)
	}
}
