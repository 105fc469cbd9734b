package shim_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/testbed"
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
	cmd.Env = append(cmd.Env, "PATH="+dir+string(filepath.ListSeparator)+filepath.Dir(b.real), call.RunVariable+"=")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), `0 "x"`) {
		t.Errorf("%v\n%s", err, out)
	}
	if runtime.GOOS == "windows" {
		return
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
		{"itself first on PATH", linkedAs(t, "nvcc") + string(filepath.ListSeparator) + filepath.Dir(b.real), "", []string{"nvcc", "x"}, 0, 2, `0 "x"`},
		{"itself alone on PATH", linkedAs(t, "nvcc"), "", []string{"nvcc", "x"}, 125, 2, "PATH has no other than this program"},
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
