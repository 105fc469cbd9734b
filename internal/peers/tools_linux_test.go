package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// toolkit is a real CUDA of the test bed with the host compiler that it accepts.
type toolkit struct{ release, root, nvcc string }

const hostCompiler = "g++-12" // accepted by 12.4 and 13.0

func newToolkit(t testing.TB, release string) toolkit {
	t.Helper()
	root := testbed.Toolkit(t, "cuda-"+release)
	return toolkit{release, root, filepath.Join(root, "bin", "nvcc")}
}

// eachToolkit runs a benchmark with the toolkits that every table has.
func eachToolkit(b *testing.B, bench func(b *testing.B, tk toolkit)) {
	for _, release := range []string{"12.4", "13.0"} {
		b.Run(release, func(b *testing.B) {
			if b.N > 1 { // tables are printed once; they take longer than a benchmark's least time anyway
				return
			}
			bench(b, newToolkit(b, release))
		})
	}
}

// program is a program in the folder bin of a part, or on PATH where part is none. It is "" when it is not here.
func program(part, name string) string {
	if part != "" {
		if _, err := os.Stat(filepath.Join(testbed.Dir(), ".state", part)); err != nil {
			return ""
		}
		return filepath.Join(testbed.Dir(), part, "bin", name)
	}
	path, _ := exec.LookPath(name)
	return path
}

// ninja and cmake are those of the part builders: fixed versions.
func ninja(t testing.TB) string {
	return filepath.Join(testbed.Root(t, "builders"), "tools", "bin", "ninja")
}
func cmake(t testing.TB) string {
	return filepath.Join(testbed.Root(t, "builders"), "tools", "bin", "cmake")
}

// ours builds the programs of this tree, once.
var ours = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "bin")
	cmd := exec.Command("go", "build", "-o", dir+"/", "cupel/cmd/...") // as in realbuilds: it is compiled already
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the programs: %w\n%s", err, out)
	}
	return dir, nil
})

func programs(t testing.TB) string {
	t.Helper()
	dir, err := ours()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// foreign begin the names of variables that decide about a compiler, a cache or a builder.
var foreign = []string{"CUDA", "NVCC", "CUPEL_", "CCACHE_", "SCCACHE_", "CMAKE_", "MAKE", "MFLAGS", "NINJA_", "CPATH=", "CC=", "CXX="}

// environment is this machine's without them, with the variables of env on top.
func environment(env []string) []string {
	base := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return slices.ContainsFunc(foreign, func(p string) bool { return strings.HasPrefix(kv, p) })
	})
	return append(base, env...)
}

// command is a program that a test waits for, in dir.
func command(t testing.TB, dir string, env []string, argv ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(env), 10*time.Second
	return cmd
}

// run fails the test when the program fails, and is what it printed on both streams.
func run(t testing.TB, dir string, env []string, argv ...string) string {
	t.Helper()
	out, err := try(t, dir, env, argv...)
	if err != nil {
		t.Fatalf("%s: %v", strings.Join(argv, " "), err)
	}
	return out
}

// try is run for a program that may fail. The error begins with what the program printed.
func try(t testing.TB, dir string, env []string, argv ...string) (string, error) {
	t.Helper()
	cmd := command(t, dir, env, argv...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s\n%w", bytes.TrimSpace(out.Bytes()), err)
	}
	return out.String(), nil
}

// away takes a file or folder out of the way by renaming it. ext4 looks through all files that were deleted in the last minute when it makes
// a new one (recently_deleted in the kernel's fs/ext4/ialloc.c), so deleting a thousand outputs would be timed with the next build.
func away(t testing.TB, path string) {
	t.Helper()
	if err := os.Rename(path, filepath.Join(t.TempDir(), "away")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

func removeAll(t testing.TB, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// absent says once in a table's output which peer is missing and how to get it.
func absent(name, part string) {
	fmt.Printf("%s is left out: run scripts/testbed fetch %s\n", name, part)
}
