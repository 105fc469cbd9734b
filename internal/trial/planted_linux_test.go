package trial

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"cupel/internal/contract"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/testbed"
	"cupel/internal/verify"
)

// A planted machine is this one in a mount namespace of its own, with real CUDA put where an installer, a
// distribution or pip puts it, and a real driver library where the loader finds it. The machine itself is not
// changed. The test program starts itself twice: to plant, and, perhaps as another user, to try.
const (
	plantVar = "CUPEL_TRIAL_PLANT" // layout
	tryVar   = "CUPEL_TRIAL_TRY"
	userVar  = "CUPEL_TRIAL_USER"
	nobody   = 65534
)

// startPlanted is what TestMain does first on Linux.
func startPlanted() {
	if layout := os.Getenv(plantVar); layout != "" {
		os.Exit(plantAndTry(layout))
	}
}

// layouts are ways in which CUDA gets onto a machine.
var layouts = map[string]struct {
	part  string
	plant func(root string) error
	nvcc  string
}{
	"installer": {"cuda-12.4", plantInstaller, "/usr/local/cuda/bin/nvcc"},
	"debian":    {"debian-12.4", plantDebian, "/usr/bin/nvcc"},
	"stacked":   {"debian-12.4", plantStacked, "/usr/bin/nvcc"},
	"pip":       {"cuda-13.0", plantPip, "/opt/venv/lib/python3/site-packages/nvidia/cu13/bin/nvcc"},
}

// TestHiddenFromBuild: what CUDA gives away is found by a build that may see it, and not by one that needs none.
func TestHiddenFromBuild(t *testing.T) {
	if layout := os.Getenv(tryVar); layout != "" {
		tryAll(t, layout)
		return
	}
	for _, tt := range []struct {
		layout string
		user   int
	}{{"installer", 0}, {"installer", nobody}, {"debian", 0}, {"debian", nobody}, {"stacked", 0}, {"stacked", nobody}, {"pip", 0}} {
		t.Run(fmt.Sprintf("%s as %d", tt.layout, tt.user), func(t *testing.T) {
			testbed.Toolkit(t, layouts[tt.layout].part)
			testbed.Root(t, "driver-535")
			if os.Getuid() != 0 {
				t.Skip("planting a machine needs root")
			}
			cmd := exec.Command("/proc/self/exe", "-test.run=^TestHiddenFromBuild$", "-test.v")
			cmd.Env = append(os.Environ(), plantVar+"="+tt.layout, userVar+"="+fmt.Sprint(tt.user), "CUPEL_TESTBED="+testbed.Dir())
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
			out, err := cmd.CombinedOutput()
			if bytes.Contains(out, []byte("plant: ")) && bytes.Contains(out, []byte("operation not permitted")) {
				t.Skipf("mounts are refused here: %s", out)
			}
			if err != nil || !bytes.Contains(out, []byte("--- PASS: TestHiddenFromBuild")) {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// (None calls into the real libcuda: run as root it makes device nodes.)
//
// tries are commands that pass where CUDA can be seen. Hidden says whether they pass where it cannot; byName that they
// look at a name alone, which stays where no overlay can be made.
var tries = []struct {
	name, command  string
	hidden, byName bool
}{
	{"the CPU build", "make -s -C vector-add clean cpu", true, false},
	{"a program that links libcuda", `echo 'int cuInit(unsigned); int main(int n, char **v) { return n > 9 ? cuInit(n) : 0; }' > l.c && cc -o l l.c -lcuda`, false, false},
	{"the linker's option alone", `echo 'int main(void) { return 0; }' > o.c && cc -o o o.c -Wl,--no-as-needed -lcuda`, false, false},
	{"a program that loads libcuda", `printf '#include <dlfcn.h>\nint main(void) { return dlopen("libcuda.so.1", RTLD_LAZY) == 0; }' > d.c && cc -o d d.c -ldl && ./d`, false, false},
	{"a program linked against libcuda before", `./uses-libcuda`, false, false},
	{"a header of the toolkit", `echo '#include <cuda.h>' > h.c && cc $PLANTED_INCLUDE -c h.c`, false, false},
	{"nvcc by its full path", `$PLANTED_COMPILER --version`, false, false},
	{"nvcc on PATH", `nvcc --version`, false, false},
	{"the loader's cache", `/sbin/ldconfig -p | grep -q libcuda.so`, false, false},
	{"the driver library by its path", `test -e /usr/lib/x86_64-linux-gnu/libcuda.so.1`, false, true},
	{"the driver library in Debian's folder", `ls /usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.535*`, false, true},
	{"NVML", `ls /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1`, false, true},
	{"a variable", `test -n "$CUDA_HOME" && test -n "$MY_TOOLKIT"`, false, false},
	{"a folder of PATH", `case :$PATH: in *cuda*|*nvcc-link*|*/usr/bin*) ;; *) false; esac`, true, false},
	{"other programs and headers", `cc --version >/dev/null && echo '#include <stdio.h>' > s.c && cc -c s.c && ls /usr/lib/x86_64-linux-gnu/libc.so.6`, true, false},
	{"what the build writes stays", `echo kept > kept.txt`, true, false},
}

// tryAll runs inside a planted machine.
func tryAll(t *testing.T, layout string) {
	dir := t.TempDir()
	copyExample(t, dir)
	base := plantedEnv(layout, dir)
	prepare := Run(context.Background(), request(contract.Config{Name: "prepare", Command: contract.Command{
		Line: `echo 'int cuInit(unsigned); int main(int n, char **v) { return n > 9 ? cuInit(n) : 0; }' > u.c && cc -o uses-libcuda u.c -lcuda`}}, dir, base))
	if prepare.Code != 0 {
		t.Fatalf("link against the planted libcuda: %+v", prepare)
	}
	m, _ := probe.Survey(context.Background(), host.Here(), probe.Options{})
	if len(m.Toolkits) == 0 || len(m.Driver.Libraries) == 0 {
		t.Fatalf("the probe sees %d toolkits and %d driver libraries, want some of each", len(m.Toolkits), len(m.Driver.Libraries))
	}
	hide := HideFrom(m, "MY_TOOLKIT")
	for _, tt := range tries {
		t.Run(tt.name, func(t *testing.T) {
			cfg := contract.Config{Name: tt.name, Command: contract.Command{Line: tt.command}}
			if o := Run(context.Background(), request(cfg, dir, base)); o.Code != 0 {
				t.Fatalf("where CUDA can be seen: %+v", o)
			}
			cfg.Needs.What = "none"
			req := request(cfg, dir, base)
			req.Hide = &hide
			o := Run(context.Background(), req)
			checkHidden(t, o, tt.hidden || tt.byName && layout == "stacked")
		})
	}
	if b, err := os.ReadFile(filepath.Join(dir, "kept.txt")); err != nil || string(b) != "kept\n" {
		t.Errorf("what a hidden build wrote: %q, %v", b, err)
	}
	if left := mountsNow(t); strings.Contains(left, "cupel ") {
		t.Errorf("mounts are left behind:\n%s", left)
	}
}

func checkHidden(t *testing.T, o verify.Outcome, pass bool) {
	t.Helper()
	if o.HiddenBy != "mounts" || len(o.NotHidden) > 0 || o.Err != "" {
		t.Errorf("hidden by %q, error %q, not hidden %q; want mounts and all hidden", o.HiddenBy, o.Err, o.NotHidden)
	}
	if (o.Code == 0) != pass {
		t.Errorf("exit code %d, want success %v\n%s\nhidden: %q", o.Code, pass, o.Tail, o.Hidden)
	}
	if !slices.ContainsFunc(o.Hidden, func(h string) bool { return strings.Contains(h, "libcuda.so") || strings.Contains(h, "of its entries") }) {
		t.Errorf("libcuda is not among what was hidden: %q", o.Hidden)
	}
}

func request(cfg contract.Config, dir string, base []string) Request {
	return Request{Config: cfg, Dir: dir, Base: base}
}

func plantedEnv(layout, dir string) []string {
	nvcc := layouts[layout].nvcc
	include := filepath.Join(filepath.Dir(filepath.Dir(nvcc)), "include")
	links := filepath.Join(dir, "..", "nvcc-link")
	_ = os.MkdirAll(links, 0o755)
	_ = os.Symlink(nvcc, filepath.Join(links, "nvcc"))
	return []string{
		"PATH=" + links + ":" + filepath.Dir(nvcc) + ":/usr/bin:/bin", "HOME=" + dir, "CUDA_HOME=" + filepath.Dir(filepath.Dir(nvcc)),
		"MY_TOOLKIT=12.4", "PLANTED_COMPILER=" + nvcc, "PLANTED_INCLUDE=-I" + include, "LC_ALL=C",
	}
}

func mountsNow(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func copyExample(t *testing.T, dir string) {
	t.Helper()
	out := filepath.Join(dir, "vector-add")
	if err := os.CopyFS(out, os.DirFS("../../examples/vector-add")); err != nil {
		t.Fatal(err)
	}
}

// plantAndTry is the first start: it changes what this namespace sees, then starts the test as the user.
func plantAndTry(layout string) int {
	if err := plant(layout); err != nil {
		fmt.Fprintln(os.Stderr, "plant:", err)
		return 1
	}
	tmp := "/mnt/work"
	if err := os.Mkdir(tmp, 0o777); err != nil {
		fmt.Fprintln(os.Stderr, "plant:", err)
		return 1
	}
	_ = os.Chmod(tmp, 0o777)
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), plantVar+"=", tryVar+"="+layout, "TMPDIR="+tmp, "HOME="+tmp)
	cmd.Env = append(cmd.Env, plantedEnv(layout, tmp+"/x")[:1]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if os.Getenv(userVar) != "0" {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if cmd.Run() != nil {
		return 1
	}
	return 0
}
