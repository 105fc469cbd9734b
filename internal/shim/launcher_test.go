package shim_test

import (
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/call"
)

// launcher is cupel-nvcc where no map lies beside its folder.
func launcher(t testing.TB) string {
	t.Helper()
	path := filepath.Join(programs(), "a b", "bin", exe("cupel-nvcc"))
	if !runnable(path) {
		install(t, path)
	}
	return path
}

// TestLauncherArguments: the compiler gets what stands behind its name; on Windows the very text.
func TestLauncherArguments(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"none", nil},
		{"spaces and empty ones", []string{"a b", "", " ", "c\td", ""}},
		{"quotes and backslashes", []string{`"`, `a"b`, `\"`, `-DNAME="a b"`, `C:\a b\`, `a\\b`, `x\\"y`}},
		{"other letters", []string{"größe.cu", "日本語 ファイル"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			want, _ := b.command(t, b.real, "args", tt.args...).CombinedOutput()
			cmd := b.command(t, launcher(t), "args", append([]string{b.real}, tt.args...)...)
			cmd.Env = append(cmd.Env, call.RunVariable+"=")
			if got, err := cmd.CombinedOutput(); err != nil || string(got) != string(want) {
				t.Errorf("through the launcher (%v):\n%s\ndirect:\n%s", err, got, want)
			}
		})
	}
}

// TestLauncher: what it starts, what is recorded, what it says.
func TestLauncher(t *testing.T) {
	b := newBench(t)
	for _, tt := range []struct {
		name, path, run string
		args            []string
		code, records   int
		says            string
	}{
		{"by PATH", filepath.Dir(b.real), "", []string{"nvcc", "x"}, 0, 0, `0 "x"`},
		{"in a run", "", b.live.Dir, []string{b.real, "x"}, 0, 1, `0 "x"`},
		{"before the mirror's shim", filepath.Dir(b.shim), b.live.Dir, []string{"nvcc", "x"}, 0, 2, `0 "x"`},
		{"nothing to start", "", "", nil, 125, 2, "cupel-nvcc nvcc ARGUMENTS"},
		{"help", "", "", []string{"--help"}, 0, 2, "CMAKE_CUDA_COMPILER_LAUNCHER=cupel-nvcc"},
		{"not on PATH", filepath.Dir(b.real), "", []string{"no-such-nvcc"}, 125, 2, "it is not on PATH"},
		{"not there", "", "", []string{filepath.Join(t.TempDir(), "nvcc")}, 125, 2, "find "},
		{"itself", "", "", []string{launcher(t)}, 125, 2, "it is this program itself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := b.command(t, launcher(t), "args", tt.args...)
			cmd.Env = append(cmd.Env, "PATH="+tt.path, call.RunVariable+"="+tt.run)
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(string(out), tt.says) {
				t.Errorf("code %d, want %d and %q:\n%s", code, tt.code, tt.says, out)
			}
			if n := len(b.calls(t)); n != tt.records {
				t.Errorf("%d calls are recorded, want %d", n, tt.records)
			}
		})
	}
}
