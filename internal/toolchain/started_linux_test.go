package toolchain

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// TestEveryStartedProgramIsKnown: what real compilations start, as the system sees it, is among the files; and so is what
// they read of the toolkit besides headers.
func TestEveryStartedProgramIsKnown(t *testing.T) {
	testbed.Long(t)
	needs(t, "strace")
	needs(t, "clang-16")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), "#include <cmath>\n__global__ void k(float *x) { *x = sinf(*x) + __powf(*x, 3); }\n", 0o644)
	for part, root := range toolkits(t) {
		for _, ccbin := range []string{"gcc-11", "clang-16"} {
			if part == "cuda-11.8" && ccbin == "clang-16" {
				continue // 11.8 refuses clang 16
			}
			modes := []string{"-ptx", "-cubin", "-fatbin", "-c", "-dc", "-dc -dlto"}
			if part != "cuda-12.4" && part != "cuda-13.4" {
				modes = []string{"-c"} // the others start the same programs, and tracing is slow
			}
			for _, mode := range modes {
				t.Run(part+" "+ccbin+" "+mode, func(t *testing.T) {
					nvcc := filepath.Join(root, "bin", "nvcc")
					known := map[string]bool{}
					for _, f := range find(t, nvcc, ccbin, dir, usual).Files {
						known[resolved(f.Path)] = true
					}
					for _, u := range uses(t, dir, nvcc, ccbin, mode) {
						if !known[resolved(u.path)] && u.matters(root) {
							t.Errorf("%+v, but not known", u)
						}
					}
				})
			}
		}
	}
}

// matters: not a header, the shell, or a file of the C library.
func (u use) matters(root string) bool {
	path := u.path
	switch base := filepath.Base(path); {
	case base == "sh" || base == "dash" || base == "rm":
		return false
	case strings.HasPrefix(path, root):
		return !strings.Contains(path, "/include/")
	case strings.HasPrefix(base, "libLLVM"), strings.HasPrefix(base, "libclang"), strings.HasSuffix(base, ".cfg"), base == "specs":
		return true
	}
	return u.started
}

// use is a file that a call opens or starts.
type use struct {
	path    string
	started bool
}

func uses(t *testing.T, dir, nvcc, ccbin, mode string) (all []use) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	args := append([]string{"-f", "-qq", "-s", "4096", "-e", "trace=execve,open,openat", "-o", log, nvcc, "-ccbin", ccbin, "-arch=sm_80", "k.cu", "-o", "out"}, strings.Fields(mode)...)
	cmd := exec.CommandContext(t.Context(), "strace", args...)
	cmd.Dir, cmd.Env = dir, []string{usual}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	text, err := readAtMost(log, 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		_, rest, quoted := strings.Cut(line, `"`)
		path, _, _ := strings.Cut(rest, `"`)
		if !quoted || strings.Contains(line, "ENOENT") || strings.Contains(line, "O_DIRECTORY") {
			continue
		}
		all = append(all, use{path, strings.Contains(line, "execve(")})
	}
	if len(all) < 10 {
		t.Fatalf("strace saw next to nothing:\n%s", text)
	}
	return all
}

func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}
